//! A pack as it was read: every name resolved and checked, scripts still as text.

use std::collections::BTreeMap;

use crate::diag::{FileId, Sources, Span};
use crate::table::Layout;
use crate::table::ids::{
    AbilityId, BlockId, CounterId, DecisionId, DialId, EventId, ParameterId, PieceId, SetId, TagId,
    ZoneFamilyId,
};
use crate::table::layout::{Domain, Name, Scope};
use crate::table::value::Value;

use super::doc::Node;
use super::variant::Variant;

/// The largest number of the rules, and without its sign the smallest: their arithmetic is far from any limit.
pub const MOST_NUMBER: i64 = 1_000_000_000;

/// A piece of Rhai inside a TOML file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The text.
    pub text: String,
    /// The characters of the text in the file, without the quotes.
    pub span: Span,
}

/// Where a datum comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provenance {
    /// Read off a component or stated in the rulebook.
    Printed,
    /// Follows from what is printed.
    Inferred,
    /// Not known: our own design until somebody corrects it.
    Reconstructed,
    /// Added or changed by a variant.
    House,
}

impl Provenance {
    /// All of them, the surest first.
    pub const ALL: [Self; 4] = [
        Self::Printed,
        Self::Inferred,
        Self::Reconstructed,
        Self::House,
    ];

    /// What people read.
    pub fn word(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Inferred => "inferred",
            Self::Reconstructed => "reconstructed",
            Self::House => "house rule",
        }
    }
}

/// A number of the rules with a name.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Names.
    pub name: Name,
    /// What it means, with units.
    pub doc: String,
    /// The value before any modifier.
    pub base: i64,
    /// The base that the pack gives it, whatever it was set to from outside.
    pub own_base: i64,
    /// Smallest sensible base.
    pub least: Option<i64>,
    /// Largest sensible base.
    pub most: Option<i64>,
    /// Where the base stands.
    pub span: Span,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// How a modifier changes a parameter. They apply in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModifierOp {
    /// Replaces the value; two that hold at once are an error.
    Set,
    /// Adds to the value.
    Add,
    /// The value is at least this.
    Min,
    /// The value is at most this.
    Max,
}

impl ModifierOp {
    /// A value changed by an amount; nothing if it is too large.
    pub fn apply(self, value: i64, amount: i64) -> Option<i64> {
        match self {
            Self::Set => Some(amount),
            Self::Add => value.checked_add(amount),
            Self::Min => Some(value.max(amount)),
            Self::Max => Some(value.min(amount)),
        }
    }
}

/// A change of a parameter while something holds.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Names.
    pub name: Name,
    /// What it changes.
    pub parameter: ParameterId,
    /// Only for who has this ability.
    pub ability: Option<AbilityId>,
    /// How.
    pub op: ModifierOp,
    /// By how much: a pure expression over `me`, `subject` and the table.
    pub amount: Snippet,
    /// While this holds: a pure expression over `me`, `subject` and the table; `None` is always.
    pub when: Option<Snippet>,
    /// Where it stands.
    pub span: Span,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// Something that can happen in a game: scripts say when it does, abilities answer to it.
#[derive(Clone, Debug)]
pub struct EventInfo {
    /// Names.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// What a player has while a piece lies in a zone of theirs: modifiers, triggers and scoring terms
/// that name it.
#[derive(Clone, Debug)]
pub struct Ability {
    /// Names.
    pub name: Name,
    /// The piece that gives it.
    pub piece: PieceId,
    /// While it lies in a zone of this family, which has one for each player.
    pub zone: ZoneFamilyId,
    /// Where it stands.
    pub span: Span,
}

/// What an ability does when something happens to its owner.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Whose.
    pub ability: AbilityId,
    /// What it answers to.
    pub event: EventId,
    /// Only if this holds: a pure expression over `me`, `subject` and the table.
    pub when: Option<Snippet>,
    /// What it does, given `me` and `subject`.
    pub effect: EffectRef,
}

/// What a script hands to players to decide.
#[derive(Clone, Debug)]
pub struct DecisionInfo {
    /// Names.
    pub name: Name,
    /// The question, for people.
    pub prompt: String,
    /// What its choices are, if all are of one type.
    pub of: Option<TypeName>,
    /// Whether others are not told what was answered.
    pub secret: bool,
    /// Where it stands.
    pub span: Span,
}

/// A declared type: of a counter, an attribute, a decision or a parameter of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeName {
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// A text.
    Text,
    /// One of a domain.
    One(Domain),
    /// A dial.
    Dial,
    /// A toggle.
    Toggle,
}

/// Why something cannot be done.
#[derive(Clone, Debug)]
pub struct ReasonInfo {
    /// Names; the title says it in words, with `{0}`, `{1}`, ... for its numbers.
    pub name: Name,
    /// How many numbers it has.
    pub numbers: usize,
    /// Where it stands.
    pub span: Span,
}

impl ReasonInfo {
    /// The reason in words, with its numbers as they are written; `?` for those that are missing: `check` sees
    /// only refusals that name their reason.
    pub fn says(&self, numbers: &[&str]) -> String {
        let mut text = self.name.title.clone();
        for at in 0..self.numbers.max(numbers.len()) {
            let number = numbers.get(at).copied().unwrap_or("?");
            text = text.replace(&format!("{{{at}}}"), number);
        }
        text
    }
}

/// An effect named in data: the name of a script function, or a snippet.
#[derive(Clone, Debug)]
pub struct EffectRef {
    /// The name or the snippet.
    pub code: Snippet,
    /// The names of its parameters, from the attribute's declaration.
    pub parameters: Vec<String>,
}

/// How often or for whom a block of the flow is done.
#[derive(Clone, Debug)]
pub enum Repeat {
    /// Once.
    Once,
    /// A number of times: an expression, taken before the first.
    Times(Snippet),
    /// As long as an expression holds, tested before each time.
    While(Snippet),
    /// Once for each player of a list, taken before the first.
    Each(Snippet),
}

/// A block of the flow.
#[derive(Clone, Debug)]
pub struct Block {
    /// Names.
    pub name: Name,
    /// What it does, in order: names of blocks or of script functions.
    pub steps: Vec<Snippet>,
    /// How often.
    pub repeat: Repeat,
    /// Each time is left out unless this holds.
    pub when: Option<Snippet>,
    /// Which counters return to their starts at each time.
    pub scope: Option<Scope>,
    /// Where it stands.
    pub span: Span,
}

/// Points at the end of the game.
#[derive(Clone, Debug)]
pub struct ScoringTerm {
    /// Names.
    pub name: Name,
    /// Only for who has this ability.
    pub ability: Option<AbilityId>,
    /// How many: a pure expression over `me`. With `count`, for each that is counted.
    pub points: Snippet,
    /// What is counted.
    pub count: Option<Tally>,
    /// Only if this holds.
    pub when: Option<Snippet>,
    /// Where it stands.
    pub span: Span,
}

/// What a scoring term counts.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The pieces in the zones of this family that are the player's, or in the shared one.
    pub zone: ZoneFamilyId,
    /// Only those whose attributes, by position, have these values.
    pub with: Vec<(usize, Value)>,
    /// Only those for which this holds: a pure expression over `me` and `piece`.
    pub which: Option<Snippet>,
    /// The different values of this attribute instead of the pieces.
    pub distinct: Option<usize>,
    /// Only if there are so many at least.
    pub least: i64,
    /// So many count as one; what is left over counts as none.
    pub every: i64,
    /// Whether the points come once, however many are counted.
    pub flat: bool,
}

/// How the winner is found.
#[derive(Clone, Debug, Default)]
pub struct Scoring {
    /// Added up for each player.
    pub terms: Vec<ScoringTerm>,
    /// Asked one after the other of those still tied; more is better.
    pub ties: Vec<ScoringTerm>,
}

/// A resource of an exchange, or one for each member of a set.
#[derive(Clone, Debug)]
pub struct ResourceInfo {
    /// Its id.
    pub id: String,
    /// One for each member of this set.
    pub each: Option<SetId>,
    /// How much there is at first. The member, if any, has the set's id as its name.
    pub start: Snippet,
    /// No more than this can be had; what exceeds it is lost. The member has the same name.
    pub most: Option<Snippet>,
}

/// An amount of a resource, by its position among the exchange's resources.
#[derive(Clone, Debug)]
pub struct Amount {
    /// The resource.
    pub resource: usize,
    /// How much: a pure expression, taken once for a query. In a rule with `each`, the member has the
    /// set's id as its name.
    pub amount: Snippet,
}

/// A way to turn resources into others.
#[derive(Clone, Debug)]
pub struct RuleInfo {
    /// Its id.
    pub id: String,
    /// One such rule for each member of this set.
    pub each: Option<SetId>,
    /// What must be there and stays.
    pub need: Vec<Amount>,
    /// What is used up.
    pub take: Vec<Amount>,
    /// What comes.
    pub give: Vec<Amount>,
    /// A number of any of several resources, used up.
    pub take_any: Option<(Vec<usize>, Snippet)>,
    /// Whether it must be used as soon as it can, before any that need not.
    pub automatic: bool,
}

/// What can be turned into what, for the question whether a goal can be reached.
#[derive(Clone, Debug)]
pub struct ExchangeInfo {
    /// Names.
    pub name: Name,
    /// Name and type of what the question is about, besides `me`.
    pub subject: Option<(String, TypeName)>,
    /// Its resources.
    pub resources: Vec<ResourceInfo>,
    /// Its rules.
    pub rules: Vec<RuleInfo>,
    /// What must be reached.
    pub goal: Vec<Amount>,
    /// Where it stands.
    pub span: Span,
}

/// What simulations count besides scores.
#[derive(Clone, Debug)]
pub struct StatisticInfo {
    /// Names.
    pub name: Name,
    /// What it is, for who reads what was counted; may be empty.
    pub doc: String,
    /// What is counted.
    pub of: Observed,
    /// Where it stands.
    pub span: Span,
}

/// What can be counted in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// A counter rises, becomes true, or comes to hold something; what it holds, or what it belongs to
    /// besides a player, is counted apart.
    Counter(CounterId),
    /// What is chosen at a decision; each choice is counted apart.
    Decision(DecisionId),
    /// Steps forward of a dial.
    Dial(DialId),
    /// Steps forward of dials with a tag, and toggles with it that are turned on; each is counted apart.
    Tag(TagId),
    /// A piece comes into a zone from elsewhere.
    Zone {
        /// The zones.
        zone: ZoneFamilyId,
        /// Whether each piece is counted apart, or each place that a zone belongs to.
        by_piece: bool,
    },
    /// What scripts note; what is told apart is of this type, and nothing is if there is none.
    Noted(Option<TypeName>),
}

/// Where something is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The table: `counter`, `parameter`, ...
    pub section: &'static str,
    /// The id.
    pub id: String,
    /// Where the id stands.
    pub span: Span,
}

/// A piece that has nothing of an attribute that nearly all others of its kind are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// The attribute.
    pub attribute: String,
    /// What is said of it.
    pub message: String,
    /// What it has instead, as a value that can be written down; what is nothing cannot.
    pub default: Option<&'static str>,
    /// Where the piece stands.
    pub span: Span,
}

/// A pack, read and checked.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Its id: the name of its folder.
    pub id: String,
    /// The variants it was read with, in the order in which they apply.
    pub variants: Vec<Variant>,
    /// What people read.
    pub title: String,
    /// All its texts.
    pub sources: Sources,
    /// Its table.
    pub layout: Layout,
    /// Its numbers.
    pub parameters: Vec<Parameter>,
    /// Parameters that were given other bases than the files give, in the order of their names.
    pub changed: Vec<(String, i64)>,
    /// What changes them, abilities included.
    pub modifiers: Vec<Modifier>,
    /// What can happen.
    pub events: Vec<EventInfo>,
    /// What players have while a piece lies in a zone of theirs.
    pub abilities: Vec<Ability>,
    /// What abilities do when something happens.
    pub triggers: Vec<Trigger>,
    /// Its decisions.
    pub decisions: Vec<DecisionInfo>,
    /// Its reasons for refusals.
    pub reasons: Vec<ReasonInfo>,
    /// Effects that its data name.
    pub effects: Vec<EffectRef>,
    /// Its exchanges.
    pub exchanges: Vec<ExchangeInfo>,
    /// Its flow.
    pub blocks: Vec<Block>,
    /// Where the flow begins.
    pub root: BlockId,
    /// How the winner is found.
    pub scoring: Scoring,
    /// How well a player stands: a pure expression over `me` that gives a number, for bots.
    pub evaluate: Option<Snippet>,
    /// What simulations count besides scores.
    pub statistics: Vec<StatisticInfo>,
    /// Its script files, without those of variants.
    pub scripts: Vec<FileId>,
    /// How its board is drawn; read by those who draw it.
    pub view: Option<Node>,
    /// Every tag, with the first place that gives it to a dial or toggle.
    pub tags: BTreeMap<String, Span>,
    /// Where each entry of its tables is declared, in the order of tables and ids.
    pub declared: Vec<Declaration>,
    /// Pieces that lack what nearly all others of their kinds are given.
    pub lacking: Vec<Lacking>,
    /// Where each datum comes from: what (`parameter.NAME`, `dial.NAME`, `map.nodes.NAME`, ...), tag.
    pub provenance: Vec<(String, Provenance)>,
}

impl Pack {
    /// Gives a parameter another base than its file does.
    ///
    /// # Errors
    /// When there is no such parameter, or the value is beyond its limits.
    pub fn set_parameter(&mut self, name: &str, value: i64) -> Result<(), String> {
        let known = &mut self.parameters;
        let Some(index) = known.iter().position(|known| known.name.id == name) else {
            let names = known.iter().map(|known| known.name.id.as_str());
            return Err(match crate::diag::nearest(name, names) {
                Some(near) => format!("there is no parameter `{name}`; did you mean `{near}`?"),
                None => format!("there is no parameter `{name}`"),
            });
        };
        let parameter = &mut known[index];
        let least = parameter.least.unwrap_or(-MOST_NUMBER);
        let most = parameter.most.unwrap_or(MOST_NUMBER);
        if value < least || value > most {
            let limits = match (parameter.least, parameter.most) {
                (Some(_), None) if value < least => format!("at least {least}"),
                (None, Some(_)) if value > most => format!("at most {most}"),
                _ => format!("from {least} to {most}"),
            };
            return Err(format!("`{name}` cannot be {value}: it must be {limits}"));
        }
        parameter.base = value;
        match self
            .changed
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
        {
            Ok(at) => self.changed[at].1 = value,
            Err(at) => self.changed.insert(at, (name.to_owned(), value)),
        }
        Ok(())
    }
}
