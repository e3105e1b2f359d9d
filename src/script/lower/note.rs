//! What scripts note for statistics: whether the statistic takes it.

use crate::diag::{Diagnostic, Span};
use crate::pack::model::Observed;
use crate::script::syntax::{Expression, ExpressionKind};
use crate::script::types::{Base, Type};

use super::builder::Builder;

impl Builder<'_, '_> {
    /// Reports a note that its statistic does not take: it counts something else, or tells other things apart.
    pub(super) fn check_note(&mut self, arguments: &[Expression], types: &[Type], span: Span) {
        let ExpressionKind::Constant(module, id) = &arguments[0].kind else {
            return;
        };
        let Ok((value, _)) = self.lowering.named(module, id) else {
            return;
        };
        let Some(statistic) = value.as_statistic() else {
            return;
        };
        let pack = self.lowering.pack;
        let info = &pack.statistics[statistic.index()];
        let layout = &pack.layout;
        let (at, message, help) = match (info.of, types.get(2)) {
            (Observed::Noted(None), None) => return,
            (Observed::Noted(Some(of)), Some(given)) if may_be(*given, Type::of_name(of)) => return,
            (Observed::Noted(None), Some(_)) => (
                arguments[2].span,
                format!("statistic `{id}` tells nothing apart, found something"),
                "leave it out, or say in TOML of which type it is: `noted = \"TYPE\"`".to_owned(),
            ),
            (Observed::Noted(Some(of)), given) => {
                let wanted = Type::of_name(of).describe(layout);
                let found = given.map_or("nothing".to_owned(), |given| given.describe(layout));
                let at = arguments.get(2).map_or(span, |argument| argument.span);
                (
                    at,
                    format!("statistic `{id}` wants {wanted}, found {found}"),
                    format!("write `note(statistic::{id}, me, ...)` with {wanted}"),
                )
            }
            _ => (
                arguments[0].span,
                format!("statistic `{id}` counts something else than what scripts note"),
                "leave the note out, or declare a statistic with `noted` in TOML".to_owned(),
            ),
        };
        self.error(
            Diagnostic::error("Y0328", at, message)
                .other(info.span, "it is declared here")
                .help(help),
        );
    }
}

/// Whether a value of one type can be of another.
fn may_be(of: Type, wanted: Type) -> bool {
    let same = std::mem::discriminant(&of.base) == std::mem::discriminant(&wanted.base);
    let open = matches!(
        of.base,
        Base::Piece(None) | Base::Node(None) | Base::Member(None) | Base::Group(None)
    );
    of.is_open() || of.lists == 0 && same && (open || of.base == wanted.base)
}
