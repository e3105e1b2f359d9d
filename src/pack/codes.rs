//! The codes of the pack reader's diagnostics. A code never changes its meaning.

macro_rules! codes {
    ($($name:ident = $code:literal, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: &str = $code;
        )*

        /// Every code with its meaning, in order.
        pub const ALL: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    SYNTAX = "Y0101", "A file is not TOML.";
    ENCODING = "Y0102", "A file is not UTF-8.";
    FILE_SIZE = "Y0103", "A file is too large, or there are too many.";
    ENTRY_TWICE = "Y0104", "Two files of a pack give the same entry.";
    UNKNOWN_TABLE = "Y0105", "A file has a table that packs do not have.";
    UNKNOWN_KEY = "Y0106", "An entry has a key that such entries do not have.";
    WRONG_TYPE = "Y0107", "A value is of another type than expected.";
    MISSING_KEY = "Y0108", "A key that must be given is missing.";
    OUT_OF_RANGE = "Y0109", "A number, or the length of a list or text, is out of its range.";
    BAD_ID = "Y0110", "An id is not in snake case.";
    KEYWORD_ID = "Y0111", "An id is a keyword of the script language, or taken by the engine.";
    ID_TWICE = "Y0112", "Two things that share their names have the same id.";
    UNKNOWN_ID = "Y0113", "An id names nothing.";
    EXACTLY_ONE = "Y0114", "Keys that exclude each other, or none of which is given.";
    UNKNOWN_TYPE = "Y0115", "The name of a type names nothing, or a type that cannot stand here.";
    PROPERTY_TWICE = "Y0116", "A thing has two properties of the same name.";
    TOO_MANY = "Y0117", "A pack has more of something than the engine can hold.";
    LISTED_TWICE = "Y0118", "A list names something twice.";
    BAD_CHOICE_OF_WORD = "Y0119", "A text is not one of the words that can stand here.";
    TITLE_TWICE = "Y0120", "Two statistics have the same title.";
    BAD_EDGE = "Y0131", "An edge leads from a node to itself, or joins what is joined already.";
    UNREACHABLE = "Y0132", "No route leads to a node.";
    WRONG_COST = "Y0133", "A node's number is not the cheapest cost from the start.";
    WRONG_COUNT = "Y0134", "Pieces do not add up to the count that is given.";
    UNDECLARED_ATTRIBUTE = "Y0140", "An attribute is given but not declared.";
    BAD_PLACEHOLDER = "Y0141", "A template has a placeholder that names no attribute.";
    PIECES = "Y0142", "The pieces of a kind are none, too few or too many.";
    START_ZONE = "Y0143", "The pieces of a kind cannot start in this zone.";
    OVERFULL = "Y0144", "More pieces start in a zone than fit.";
    VISIBLE = "Y0145", "Only the owner may see it, but nobody owns it.";
    REFILL = "Y0146", "A zone cannot be refilled from this zone.";
    START_VALUE = "Y0147", "A start is not between the least and the most, or not a face.";
    ABILITY_ZONE = "Y0148", "A piece in this zone cannot give an ability.";
    COUNT_ZONE = "Y0149", "Nothing can be counted so in this zone.";
    BAD_NUMBERING = "Y0150", "The numbers of a reason leave one out.";
    CYCLE = "Y0160", "A block of the flow contains itself.";
    UNUSED_BLOCK = "Y0161", "A block of the flow is never done.";
    EXCHANGE = "Y0170", "A rule of an exchange names a resource whose member is not known.";
    UNKNOWN_VARIANT = "Y0180", "The pack has no such variant.";
    REQUIRED_VARIANT = "Y0181", "A variant requires another that is not chosen.";
    EXCLUDED_VARIANT = "Y0182", "A variant cannot be played together with another.";
    VARIANT_ORDER = "Y0183", "Variants follow or require each other in a circle.";
    ABSENT = "Y0184", "A variant touches what is not there.";
    PRESENT = "Y0185", "A variant adds what is there already.";
    VARIANTS_CONFLICT = "Y0186", "Two variants set the same datum, and neither names the other.";
    STEP_CHANGE = "Y0187", "A variant's change of the steps of a block does not fit the block.";
    SET_PARAMETER = "Y0188", "A parameter cannot be given this value.";
    STRAY = "Y0189", "A file lies in a pack's folder and nobody reads it.";
    UNKNOWN_PACK = "Y0190", "There is no such pack.";
    UNREADABLE = "Y0191", "A file or folder cannot be read.";
    EMPTY_FILE = "Y0192", "A file of a pack is empty.";
}
