//! Numbers with what they count, as people write them.

use std::fmt::Display;

/// A noun after so many of what it names: the first for one, the second for any other number.
pub fn noun<T: PartialEq + From<u8>>(
    number: T,
    one: &'static str,
    many: &'static str,
) -> &'static str {
    match number == T::from(1) {
        true => one,
        false => many,
    }
}

/// So many of something whose name gets an s: `1 answer`, `2 answers`.
pub fn count<T: Copy + Display + PartialEq + From<u8>>(number: T, what: &str) -> String {
    format!("{number} {what}{}", noun(number, "", "s"))
}

/// From how many to how many of something: `2 to 4 players`, `1 player` where both are the same.
pub fn count_between<T: Copy + Display + PartialEq + From<u8>>(
    least: T,
    most: T,
    what: &str,
) -> String {
    match least == most {
        true => count(most, what),
        false => format!("{least} to {}", count(most, what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_all_else_are_many() {
        assert_eq!(count(1_u8, "player"), "1 player");
        assert_eq!(count(0_usize, "player"), "0 players");
        assert_eq!(count(-1_i64, "choice"), "-1 choices");
        assert_eq!(noun(21_u64, "dice", "dices"), "dices");
        assert_eq!(count_between(1, 1, "player"), "1 player");
        assert_eq!(count_between(0, 1, "text"), "0 to 1 text");
        assert_eq!(count_between(2, 4, "player"), "2 to 4 players");
    }
}
