//! What goes wrong in a script, before it is known where.

use crate::table::Value;

/// What went wrong, before it is known where. It is rare, and small to hand on.
#[derive(Debug)]
pub(in crate::script) struct Trouble(Box<Words>);

/// What a trouble says.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

impl Trouble {
    #[cold]
    pub(in crate::script) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Words {
            code,
            message: message.into(),
            help: None,
        }))
    }

    pub(in crate::script) fn help(mut self, help: &'static str) -> Self {
        self.0.help = Some(help);
        self
    }

    pub(super) fn words(self) -> Words {
        *self.0
    }
}

pub(in crate::script) fn wrong(expected: &str, found: impl Into<Value>) -> Trouble {
    unexpected(expected, found.into())
}

#[cold]
#[inline(never)]
fn unexpected(expected: &str, found: Value) -> Trouble {
    Trouble::new(
        "Y0413",
        format!("expected {expected}, found {}", found.type_name()),
    )
}

#[cold]
#[inline(never)]
pub(super) fn mismatch(symbol: &str, a: Value, b: Value) -> Trouble {
    Trouble::new(
        "Y0414",
        format!(
            "`{symbol}` cannot be used on {} and {}",
            a.type_name(),
            b.type_name()
        ),
    )
}

#[cold]
#[inline(never)]
pub(super) fn overflow() -> Trouble {
    Trouble::new("Y0415", "the number is too large")
}

/// A number as a value.
pub(in crate::script) fn number(number: i64) -> Result<Value, Trouble> {
    Value::checked_int(number).ok_or_else(overflow)
}

#[cold]
#[inline(never)]
pub(super) fn out_of_range(at: i64, len: usize) -> Trouble {
    Trouble::new(
        "Y0416",
        format!("there is no element {at} in a list of {len}"),
    )
}

#[cold]
#[inline(never)]
pub(super) fn too_deep(depth: usize) -> Trouble {
    Trouble::new(
        "Y0417",
        format!("more than {depth} calls inside each other"),
    )
    .help("a function probably calls itself for ever")
}

#[cold]
#[inline(never)]
pub(super) fn too_long(most: usize) -> Trouble {
    Trouble::new("Y0407", format!("a list is longer than {most}"))
}

#[cold]
#[inline(never)]
pub(super) fn too_nested(nested: usize) -> Trouble {
    Trouble::new(
        "Y0417",
        format!("more than {nested} values are computed inside each other"),
    )
    .help("an amount or a condition probably asks for itself")
}
