//! Whole numbers as options take them: whoever gives something else hears what is wanted.

use std::ops::RangeInclusive;

use crate::sim::bots::MOST_PLAYERS;

/// Reads a number of a range, which must be one of the numbers of its type; `what` says what it is for.
///
/// Each option that takes one must allow negative numbers: else these are taken for options, and nothing is said
/// of what is wanted (a test looks at all of them).
pub(super) fn number<N: TryFrom<u64>>(
    what: &'static str,
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    let (least, most) = (*range.start(), *range.end());
    let wanted = format!("{what}, a whole number from {least} to {most}");
    move |text| {
        let number = text.trim().parse().ok();
        let number = number.filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| format!("expected {wanted}"))
    }
}

/// No count of threads, columns or decisions is larger.
pub(super) const MOST: u64 = 1_000_000;

/// How many play; whether a pack is for so many is to be asked later.
pub(super) fn players() -> impl Fn(&str) -> Result<u8, String> + Clone + Send + Sync + 'static {
    number("how many play", 1..=MOST_PLAYERS as u64)
}

/// How many games, or pairs of them.
pub(super) fn games() -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    number("how many", 1..=u64::MAX)
}

/// How many threads.
pub(super) fn threads() -> impl Fn(&str) -> Result<usize, String> + Clone + Send + Sync + 'static {
    number("how many threads", 1..=MOST)
}

/// A seed, as `--seed` gives it.
///
/// # Errors
/// What a seed is, if this is none.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| {
        format!(
            "a seed is a whole number from 0 to {}: all chance comes from it, so that the same seed and answers give \
             the same game",
            u64::MAX
        )
    })
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;

    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn a_number_beyond_its_range_is_none() {
        let three = number::<u8>("how many play", 1..=3);
        assert_eq!((three("1"), three(" 3 ")), (Ok(1), Ok(3)));
        let wanted = "expected how many play, a whole number from 1 to 3";
        for text in ["0", "4", "-1", "1.5", "x", "", "99999999999999999999"] {
            assert_eq!(three(text), Err(wanted.to_owned()), "{text}");
        }
    }

    /// Also of options that are to come.
    #[test]
    fn every_option_with_a_number_says_what_it_wants() {
        let numbers = [
            TypeId::of::<u8>(),
            TypeId::of::<u16>(),
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
        ];
        let mut looked_at = 0;
        for command in Cli::command().get_subcommands() {
            let all = command.get_opts();
            let of = |own: &&clap::Arg| own.get_value_parser().type_id();
            for option in all.filter(|own| numbers.iter().any(|number| of(own) == *number)) {
                let name = option.get_long().expect("a long name");
                for wrong in ["-1", "-1.5", "x", "99999999999999999999"] {
                    let words = [
                        "yukon",
                        command.get_name(),
                        "toy",
                        &format!("--{name}"),
                        wrong,
                    ];
                    let error = Cli::try_parse_from(words).expect_err(wrong).to_string();
                    assert!(error.contains(" whole number from "), "{words:?}: {error}");
                }
                looked_at += 1;
            }
        }
        assert!(looked_at > 10, "{looked_at}");
    }
}
