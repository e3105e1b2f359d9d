//! `yukon show`: the functions of a pack's scripts.

use super::show::Shown;
use crate::script::lower::declared_functions;

impl Shown<'_> {
    /// Functions with where they stand, what is said above them, and what they wrap.
    pub(super) fn add_functions(&mut self) {
        let sources = &self.pack.sources;
        for function in declared_functions(self.pack) {
            let Some(((span, owner), wrapped)) = function.places.split_first() else {
                continue;
            };
            let whose = |owner: &Option<String>| match owner {
                Some(variant) => format!(", variant {variant}"),
                None => String::new(),
            };
            let mut lines = vec![format!(
                "{}({})  {}{}",
                function.name,
                function.parameters.join(", "),
                self.place(*span),
                whose(owner)
            )];
            let comment = sources.comment_above(*span).into_iter();
            lines.extend(comment.map(str::to_owned));
            for (span, owner) in wrapped {
                lines.push(format!(
                    "wraps, and calls as `base`: {}{}",
                    self.place(*span),
                    whose(owner)
                ));
            }
            self.add("function", &function.name, lines);
        }
    }
}
