//! Rhai's own engine is the oracle: generated programs of the subset give the same values and the same
//! errors in both, and what differs on purpose stands in a table.

mod kit;
mod rhai_engine;

use std::fmt::Write as _;

use proptest::prelude::*;
use rhai::{Dynamic, Engine, Scope};

use rhai_engine::{class_of_rhai, engine, in_words};

/// Classes of errors that both have.
fn class_of_ours(error: &str) -> String {
    let code = error
        .split_once(' ')
        .and_then(|(_, rest)| rest.split_once(':'))
        .map_or("", |(code, _)| code);
    match code {
        "Y0403" => "division by zero",
        "Y0415" => "overflow",
        "Y0416" => "index",
        "Y0402" | "Y0407" | "Y0410" | "Y0417" => "limit",
        _ => return format!("other: {error}"),
    }
    .to_owned()
}

fn run_rhai(engine: &Engine, script: &str) -> Result<String, String> {
    let ast = engine
        .compile(script)
        .map_err(|error| format!("parse: {error}"))?;
    engine
        .call_fn::<Dynamic>(&mut Scope::new(), &ast, "main", ())
        .map(|value| in_words(&value))
        .map_err(|error| class_of_rhai(&error))
}

fn run_ours(script: &str) -> Result<String, String> {
    // A step that nobody calls makes the pack whole.
    let script = format!("{script}\nfn work() {{ }}\n");
    kit::eval(&script, "main", &[]).map_err(|error| {
        if error.starts_with("load: ") {
            error
        } else {
            class_of_ours(&error)
        }
    })
}

// Programs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Int,
    Bool,
    Text,
    List,
    Texts,
    Lists,
}

const KINDS: [Kind; 6] = [
    Kind::Int,
    Kind::Bool,
    Kind::Text,
    Kind::List,
    Kind::Texts,
    Kind::Lists,
];

impl Kind {
    fn element(self) -> Option<Self> {
        Some(match self {
            Self::List => Self::Int,
            Self::Texts => Self::Text,
            Self::Lists => Self::List,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    kind: Kind,
    /// Whether it cannot be assigned to: a constant, or a loop's own.
    fixed: bool,
}

#[derive(Clone, Debug)]
struct Signature {
    name: String,
    parameters: Vec<Kind>,
    result: Kind,
}

/// A variable as the first argument is read last in Rhai, and first in ours.
fn in_order(arguments: &mut [String]) {
    let changing = |text: &String| text.contains("= ") || text.contains(".p");
    if arguments.len() > 1 && arguments[1..].iter().any(changing) {
        arguments[0] = format!("({{ {} }})", arguments[0]);
    }
}

/// Writes a program; each decision takes a number, and 0 is the simplest. Numbers that ran out are 0.
struct Writer<'a> {
    numbers: std::slice::Iter<'a, u16>,
    functions: Vec<Signature>,
    variables: Vec<Variable>,
    text: String,
    names: usize,
    indent: usize,
    loops: usize,
    /// What `return` gives, inside a function or a closure.
    returns: Vec<Kind>,
    /// Lists that a verb is running over: closures leave them alone.
    held: Vec<String>,
}

impl Writer<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.numbers.next().copied().unwrap_or(0)) % bound.max(1)
    }

    fn fresh(&mut self) -> String {
        self.names += 1;
        // Few names, so that they shadow each other.
        format!("v{}", self.names % 7)
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A visible variable of a kind.
    fn variable(&mut self, kind: Kind, assignable: bool) -> Option<String> {
        let mut known: Vec<&str> = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for variable in self.variables.iter().rev() {
            if seen.contains(&variable.name.as_str()) {
                continue;
            }
            seen.push(&variable.name);
            if variable.kind == kind
                && !(assignable && variable.fixed)
                && !self.held.contains(&variable.name)
            {
                known.push(&variable.name);
            }
        }
        if known.is_empty() {
            return None;
        }
        let names: Vec<String> = known.into_iter().map(str::to_owned).collect();
        let pick = self.below(names.len());
        Some(names[pick].clone())
    }

    fn number(&mut self) -> String {
        const NUMBERS: [&str; 12] = [
            "0",
            "1",
            "2",
            "3",
            "-1",
            "7",
            "10",
            "-5",
            "100",
            "18014398509481984",
            "36028797018963967",
            "-36028797018963967",
        ];
        let most = if self.below(12) == 11 { 12 } else { 9 };
        NUMBERS[self.below(most)].to_owned()
    }

    fn simple(&mut self, kind: Kind) -> String {
        if self.below(3) > 0
            && let Some(name) = self.variable(kind, false)
        {
            return name;
        }
        match kind {
            Kind::Int => self.number(),
            Kind::Bool => ["false", "true"][self.below(2)].to_owned(),
            Kind::Text => ["\"\"", "\"a\"", "\"bc\"", "\"é\""][self.below(4)].to_owned(),
            Kind::List => ["[]", "[1]", "[1, 2, 3]", "[5, 5, -2, 0]"][self.below(4)].to_owned(),
            Kind::Texts => ["[]", "[\"a\"]", "[\"a\", \"bc\", \"\"]"][self.below(3)].to_owned(),
            Kind::Lists => ["[]", "[[1]]", "[[1, 2], [], [3]]"][self.below(3)].to_owned(),
        }
    }

    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        if depth == 0 {
            return self.simple(kind);
        }
        match self.below(7) {
            0 | 1 => self.simple(kind),
            2 => {
                let condition = self.expression(Kind::Bool, depth - 1);
                let first = self.block(kind, depth - 1);
                let second = self.block(kind, depth - 1);
                format!("(if {condition} {first} else {second})")
            }
            3 if self.below(2) == 1 => format!("({})", self.block(kind, depth - 1)),
            3 | 4 => self.called(kind, depth),
            _ => self.operation(kind, depth - 1),
        }
    }

    fn called(&mut self, kind: Kind, depth: usize) -> String {
        let fitting: Vec<Signature> = self
            .functions
            .iter()
            .filter(|function| function.result == kind)
            .cloned()
            .collect();
        if fitting.is_empty() {
            return self.operation(kind, depth - 1);
        }
        let pick = self.below(fitting.len());
        let function = &fitting[pick];
        let mut arguments: Vec<String> = function
            .parameters
            .iter()
            .map(|kind| self.expression(*kind, depth - 1))
            .collect();
        in_order(&mut arguments);
        format!("{}({})", function.name, arguments.join(", "))
    }

    /// `{ ...; value }`
    fn block(&mut self, kind: Kind, depth: usize) -> String {
        let outer = std::mem::take(&mut self.text);
        let (known, indent) = (self.variables.len(), self.indent);
        self.indent = 0;
        let statements = if depth > 0 { self.below(3) } else { 0 };
        for _ in 0..statements {
            self.statement(depth - 1);
        }
        let value = self.expression(kind, depth);
        let inner = std::mem::replace(&mut self.text, outer);
        self.variables.truncate(known);
        self.indent = indent;
        format!("{{ {}{value} }}", inner.replace('\n', " "))
    }

    fn operation(&mut self, kind: Kind, depth: usize) -> String {
        match kind {
            Kind::Int => self.int_operation(depth),
            Kind::Bool => self.bool_operation(depth),
            Kind::Text => match self.below(3) {
                0 => {
                    let of = [Kind::Int, Kind::Bool, Kind::Text][self.below(3)];
                    let (a, b) = (
                        self.expression(of, depth),
                        self.expression(Kind::Int, depth),
                    );
                    format!("`<${{{a}}}, ${{{b}}}>`")
                }
                1 => {
                    let (a, b) = (
                        self.expression(Kind::Text, depth),
                        self.expression(Kind::Text, depth),
                    );
                    format!("({a} + {b})")
                }
                _ => self.element(Kind::Texts, depth),
            },
            Kind::List | Kind::Texts | Kind::Lists => self.list_operation(kind, depth),
        }
    }

    fn int_operation(&mut self, depth: usize) -> String {
        match self.below(10) {
            0..5 => {
                let operator = ["+", "-", "*", "/", "%"][self.below(5)];
                let (a, b) = (
                    self.expression(Kind::Int, depth),
                    self.expression(Kind::Int, depth),
                );
                if matches!(operator, "/" | "%") {
                    // A zero that is written out is found at load.
                    return format!("({a} {operator} ({b} + 0))");
                }
                format!("({a} {operator} {b})")
            }
            5 => {
                let a = self.expression(Kind::Int, depth);
                format!("(-({a}))")
            }
            6 => {
                let verb = ["min", "max"][self.below(2)];
                let mut both = [
                    self.expression(Kind::Int, depth),
                    self.expression(Kind::Int, depth),
                ];
                in_order(&mut both);
                format!("{verb}({})", both.join(", "))
            }
            7 => {
                let kind = [Kind::List, Kind::Text, Kind::Texts, Kind::Lists][self.below(4)];
                let list = self.expression(kind, depth);
                format!("{list}.len()")
            }
            8 => self.element(Kind::List, depth),
            _ => {
                let verb = ["count", "sum"][self.below(2)];
                let gives = [Kind::Bool, Kind::Int][usize::from(verb == "sum")];
                self.with_closure(verb, Kind::List, gives, depth)
            }
        }
    }

    fn bool_operation(&mut self, depth: usize) -> String {
        match self.below(8) {
            0 | 1 => {
                let operator = ["==", "!=", "<", "<=", ">", ">="][self.below(6)];
                let (a, b) = (
                    self.expression(Kind::Int, depth),
                    self.expression(Kind::Int, depth),
                );
                format!("({a} {operator} {b})")
            }
            2 => {
                let kind = KINDS[self.below(KINDS.len())];
                let operator = ["==", "!="][self.below(2)];
                let (a, b) = (self.expression(kind, depth), self.expression(kind, depth));
                format!("({a} {operator} {b})")
            }
            3 => {
                let a = self.expression(Kind::Bool, depth);
                format!("(!{a})")
            }
            4 => {
                let operator = ["&&", "||"][self.below(2)];
                let (a, b) = (
                    self.expression(Kind::Bool, depth),
                    self.expression(Kind::Bool, depth),
                );
                format!("({a} {operator} {b})")
            }
            5 => {
                let list = [Kind::List, Kind::Texts, Kind::Lists][self.below(3)];
                let item = list.element().unwrap_or(Kind::Int);
                let (a, b) = (self.expression(item, depth), self.expression(list, depth));
                format!("({a} in {b})")
            }
            6 => {
                let verb = ["some", "all"][self.below(2)];
                let list = [Kind::List, Kind::Texts, Kind::Lists][self.below(3)];
                self.with_closure(verb, list, Kind::Bool, depth)
            }
            _ => {
                let kind = [Kind::List, Kind::Text][self.below(2)];
                let list = self.expression(kind, depth);
                format!("{list}.is_empty()")
            }
        }
    }

    /// Something taken out of a list, made sure of its kind where nothing may come.
    fn element(&mut self, kind: Kind, depth: usize) -> String {
        let list = self.expression(kind, depth);
        match self.below(4) {
            0 => {
                let item = kind.element().unwrap_or(Kind::Int);
                let index = self.expression(Kind::Int, depth);
                let fallback = self.simple(item);
                // A negative index counts from the end in Rhai, and is an error in ours.
                format!(
                    "({{ let i = {index}; let l = {list}; if i < 0 {{ {fallback} }} else {{ l[i] }} }})"
                )
            }
            1 => {
                let item = kind.element().unwrap_or(Kind::Int);
                let verb = ["first", "last"][self.below(2)];
                let fallback = self.simple(item);
                format!("({{ let e = {list}.{verb}(); if e == () {{ {fallback} }} else {{ e }} }})")
            }
            _ => {
                let item = kind.element().unwrap_or(Kind::Int);
                let verb = ["find", "max_by", "min_by"][self.below(3)];
                let gives = [Kind::Int, Kind::Bool][usize::from(verb == "find")];
                let found = self.with_closure(verb, kind, gives, depth);
                let fallback = self.simple(item);
                format!("({{ let e = {found}; if e == () {{ {fallback} }} else {{ e }} }})")
            }
        }
    }

    fn with_closure(&mut self, verb: &str, list: Kind, gives: Kind, depth: usize) -> String {
        let receiver = self.expression(list, depth);
        // Rhai forbids a closure to touch the variable that its verb runs over.
        let held = self.held.len();
        let words = receiver.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        self.held.extend(words.map(str::to_owned));
        let name = self.fresh();
        let fixed = self.held.contains(&name);
        let parameter = if fixed {
            format!("c{}", self.names)
        } else {
            name
        };
        self.variables.push(Variable {
            name: parameter.clone(),
            kind: list.element().unwrap_or(Kind::Int),
            fixed: true,
        });
        let loops = std::mem::take(&mut self.loops);
        self.returns.push(gives);
        let body = if self.below(3) == 2 {
            self.block(gives, depth)
        } else {
            self.expression(gives, depth)
        };
        self.returns.pop();
        self.loops = loops;
        self.variables.pop();
        self.held.truncate(held);
        format!("{receiver}.{verb}(|{parameter}| {body})")
    }

    fn list_operation(&mut self, kind: Kind, depth: usize) -> String {
        let item = kind.element().unwrap_or(Kind::Int);
        match self.below(6) {
            0 => {
                let items = self.below(3);
                let items: Vec<String> =
                    (0..=items).map(|_| self.expression(item, depth)).collect();
                format!("[{}]", items.join(", "))
            }
            1 => {
                let (a, b) = (self.expression(kind, depth), self.expression(kind, depth));
                format!("({a} + {b})")
            }
            2 => self.with_closure("filter", kind, Kind::Bool, depth),
            3 => {
                let from = [Kind::List, Kind::Texts, Kind::Lists][self.below(3)];
                self.with_closure("map", from, item, depth)
            }
            4 => self.with_closure("sort_by", kind, Kind::Int, depth),
            _ if kind == Kind::List => self.element(Kind::Lists, depth),
            _ => self.simple(kind),
        }
    }

    fn statements(&mut self, depth: usize) {
        let known = self.variables.len();
        self.indent += 1;
        for _ in 0..=self.below(4) {
            self.statement(depth);
        }
        self.indent -= 1;
        self.variables.truncate(known);
    }

    fn statement(&mut self, depth: usize) {
        match self.below(12) {
            0..3 => {
                let kind = KINDS[self.below(KINDS.len())];
                let value = self.expression(kind, depth.min(2));
                let constant = self.below(5) == 4;
                let name = self.fresh();
                if self.held.contains(&name) {
                    return;
                }
                let word = if constant { "const" } else { "let" };
                self.line(&format!("{word} {name} = {value};"));
                self.variables.push(Variable {
                    name,
                    kind,
                    fixed: constant,
                });
            }
            3 | 4 => {
                let kind = KINDS[self.below(KINDS.len())];
                let value = self.expression(kind, depth.min(2));
                if let Some(name) = self.variable(kind, true) {
                    self.line(&format!("{name} = {value};"));
                }
            }
            5 => {
                let operator = ["+=", "-=", "*="][self.below(3)];
                let value = self.expression(Kind::Int, depth.min(2));
                if let Some(name) = self.variable(Kind::Int, true) {
                    self.line(&format!("{name} {operator} {value};"));
                }
            }
            6 => self.change_list(depth.min(2)),
            7 if depth > 0 => {
                let condition = self.expression(Kind::Bool, depth - 1);
                self.line(&format!("if {condition} {{"));
                self.statements(depth - 1);
                if self.below(2) == 1 {
                    self.line("} else {");
                    self.statements(depth - 1);
                }
                self.line("}");
            }
            8 | 9 if depth > 0 => self.looped(depth - 1),
            10 if self.loops > 0 => {
                let condition = self.expression(Kind::Bool, 1);
                let word = ["break", "continue"][self.below(2)];
                self.line(&format!("if {condition} {{ {word}; }}"));
            }
            11 => {
                if let Some(kind) = self.returns.last().copied() {
                    let condition = self.expression(Kind::Bool, 1);
                    let value = self.expression(kind, 1);
                    self.line(&format!("if {condition} {{ return {value}; }}"));
                }
            }
            _ => {}
        }
    }

    fn change_list(&mut self, depth: usize) {
        let kind = [Kind::List, Kind::Texts, Kind::Lists][self.below(3)];
        let item = kind.element().unwrap_or(Kind::Int);
        let Some(name) = self.variable(kind, true) else {
            return;
        };
        match self.below(4) {
            0 | 1 => {
                let value = self.expression(item, depth);
                self.line(&format!("{name}.push({value});"));
            }
            2 => self.line(&format!("{name}.pop();")),
            _ => {
                let value = self.expression(item, depth);
                let index = self.below(4);
                let operator = if item == Kind::Int && self.below(2) == 1 {
                    "+="
                } else {
                    "="
                };
                self.line(&format!("{name}[{index}] {operator} {value};"));
            }
        }
    }

    fn looped(&mut self, depth: usize) {
        self.loops += 1;
        let known = self.variables.len();
        match self.below(4) {
            0 => {
                let name = self.fresh();
                let (from, to) = (self.below(3), self.below(5));
                let dots = ["..", "..="][self.below(2)];
                self.line(&format!("for {name} in {from}{dots}{to} {{"));
                self.variables.push(Variable {
                    name,
                    kind: Kind::Int,
                    fixed: true,
                });
                self.statements(depth);
            }
            1 => {
                let kind = [Kind::List, Kind::Texts, Kind::Lists][self.below(3)];
                let list = self.expression(kind, depth.min(1));
                let name = self.fresh();
                self.line(&format!("for {name} in {list} {{"));
                self.variables.push(Variable {
                    name,
                    kind: kind.element().unwrap_or(Kind::Int),
                    fixed: true,
                });
                self.statements(depth);
            }
            shape => {
                self.names += 1;
                let guard = format!("g{}", self.names);
                let most = 1 + self.below(5);
                let condition = self.expression(Kind::Bool, depth.min(1));
                self.line(&format!("let {guard} = 0;"));
                if shape == 2 {
                    self.line(&format!("while {guard} < {most} && {condition} {{"));
                    self.line(&format!("    {guard} += 1;"));
                } else {
                    self.line("loop {");
                    self.line(&format!("    {guard} += 1;"));
                    self.line(&format!(
                        "    if {guard} > {most} || {condition} {{ break; }}"
                    ));
                }
                self.statements(depth);
            }
        }
        self.line("}");
        self.variables.truncate(known);
        self.loops -= 1;
    }

    fn function(&mut self, name: &str, parameters: Vec<Kind>, result: Kind) {
        self.variables.clear();
        let mut names = Vec::new();
        for (index, kind) in parameters.iter().enumerate() {
            names.push(format!("p{index}"));
            self.variables.push(Variable {
                name: format!("p{index}"),
                kind: *kind,
                fixed: false,
            });
        }
        self.line(&format!("fn {name}({}) {{", names.join(", ")));
        self.returns.push(result);
        self.indent += 1;
        for _ in 0..self.below(7) {
            self.statement(2);
        }
        // All variables are looked at in the end, so that nothing that was done goes unseen.
        let value = self.expression(result, 3);
        let mut seen = String::new();
        if name == "main" {
            let mut known: Vec<&Variable> = Vec::new();
            for variable in self.variables.iter().rev() {
                if known.iter().all(|other| other.name != variable.name) {
                    known.push(variable);
                }
            }
            for variable in known {
                let _ = write!(seen, ", {}", variable.name);
            }
            // Of a loop's unlike values a list may hold any.
            self.line(&format!("[{value}{seen}]"));
        } else {
            self.line(&value);
        }
        self.indent -= 1;
        self.returns.pop();
        self.line("}");
    }
}

fn program(numbers: &[u16]) -> String {
    let mut writer = Writer {
        numbers: numbers.iter(),
        functions: Vec::new(),
        variables: Vec::new(),
        text: String::new(),
        names: 0,
        indent: 0,
        loops: 0,
        returns: Vec::new(),
        held: Vec::new(),
    };
    for index in 0..writer.below(4) {
        let parameters: Vec<Kind> = (0..writer.below(4))
            .map(|_| KINDS[writer.below(KINDS.len())])
            .collect();
        let result = KINDS[writer.below(KINDS.len())];
        let name = format!("f{index}");
        writer.function(&name, parameters.clone(), result);
        writer.functions.push(Signature {
            name,
            parameters,
            result,
        });
    }
    // `return` in the last function gives something else than its list: it is compared as it is.
    writer.function("main", Vec::new(), Kind::Int);
    writer.text
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        max_shrink_iters: 4000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn programs_give_the_same(numbers in proptest::collection::vec(any::<u16>(), 0..800)) {
        let script = program(&numbers);
        let (rhai, ours) = (run_rhai(&engine(), &script), run_ours(&script));
        let limited = Err("limit".to_owned());
        if rhai != limited && ours != limited {
            prop_assert_eq!(rhai, ours, "\n{}", script);
        }
    }
}

/// What differs on purpose: the program, what Rhai says, what we say.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    // Unlike things are not compared, added or ordered.
    (
        "let l = [1, true]; l[0] == l[1]",
        "false",
        "1:37 Y0409: a number is compared with a boolean",
    ),
    (
        "let l = [1, \"a\"]; l[0] != l[1]",
        "true",
        "1:36 Y0409: a number is compared with a text",
    ),
    (
        "let l = [1, \"a\"]; l[0] < l[1]",
        "false",
        "1:36 Y0414: `<` cannot be used on a number and a text",
    ),
    (
        "let l = [\"a\", 1]; l[0] + l[1]",
        "\"a1\"",
        "1:36 Y0414: `+` cannot be used on a text and a number",
    ),
    (
        "let l = [true, 1]; l[1] in [l[0]]",
        "false",
        "1:37 Y0409: a boolean is compared with a number",
    ),
    (
        "let l = [[1], [true]]; l[0] == l[1]",
        "false",
        "1:41 Y0409: a number is compared with a boolean",
    ),
    (
        "1 == true",
        "false",
        "load 1:15 Y0310: a number is never equal to a boolean | compare like with like; `x == ()` tests for nothing",
    ),
    (
        "\"a\" + 1",
        "\"a1\"",
        "load 1:17 Y0309: `+` cannot be used on a text and a number",
    ),
    // Texts are for messages: they are joined and compared, no more.
    (
        "\"a\" < \"b\"",
        "true",
        "load 1:17 Y0309: `<` cannot be used on a text and a text",
    ),
    (
        "\"b\" in \"abc\"",
        "true",
        "load 1:20 Y0305: expected a list or a zone, found a text",
    ),
    (
        "\"abc\"[1] == \"b\"",
        "true",
        "load 1:18 Y0305: expected a list or a zone, found a text",
    ),
    ("`${()}${[\"a\"]}`", "\"[\"a\"]\"", "\"()[\"a\"]\""),
    (
        "\"ab\" - \"b\"",
        "\"a\"",
        "load 1:18 Y0309: `-` cannot be used on a text and a text",
    ),
    // Elements are not counted from the end.
    ("[1, 2][-1]", "2", "index"),
    ("let l = [1, 2]; l[-1] = 3; l", "[1, 3]", "index"),
    // A variable as the first argument is read first, as all others are.
    ("let x = 1; min(x, { x = 3; 2 })", "2", "1"),
    // A verb runs over the list as it was; Rhai forbids to touch it.
    (
        "let l = [1, 2]; l.map(|x| { l.push(x); x })",
        "other: Data race detected on argument #1 of function 'map'",
        "[1, 2]",
    ),
    (
        "let l = [1, 2]; l.filter(|x| x in l)",
        "other: Data race detected on argument #1 of function 'filter'",
        "[1, 2]",
    ),
    // Any function can be called like a method.
    (
        "2.twice()",
        "other: Function not found: twice (i64) (line 1, position 15)",
        "4",
    ),
    // A range ends before the largest number.
    (
        "let n = 0; for i in 36028797018963966..=36028797018963967 { n += 1; } n",
        "2",
        "overflow",
    ),
    // A zero that is written out is found at load, in any branch.
    (
        "if false { 1 / 0 } else { 2 }",
        "2",
        "load 1:26 Y0308: division by zero",
    ),
    // Unknown names are found at load, in any branch.
    (
        "if false { nobody() } else { 2 }",
        "2",
        "load 1:24 Y0322: unknown function `nobody` | define it with `fn`, or see `yukon docs verbs` for what there is",
    ),
    (
        "if false { nothing } else { 2 }",
        "2",
        "load 1:24 Y0311: unknown variable `nothing` | declare it with `let`, or take it as a parameter",
    ),
    // The number of functions of a name is one, whatever their parameters.
    (
        "three(1) + three(1, 2)",
        "6",
        "load 1:24 Y0321: `three` takes 1 argument, found 2",
    ),
];

const MORE: &str = "fn twice(x) { x * 2 }\n";
const THREE: &str = "fn three(x) { 3 }\nfn three(x, y) { 3 }\n";

#[test]
fn what_differs_does_so_on_purpose() {
    let mut different = String::new();
    for (body, rhai, ours) in DIFFERENCES {
        let more = if body.contains("three") { THREE } else { "" };
        let script = format!("fn main() {{ {body} }}\n{MORE}{more}");
        let words = |outcome: Result<String, String>| match outcome {
            Ok(value) => value,
            Err(error) => {
                let first = error.lines().next().unwrap_or_default().to_owned();
                first
                    .replace("load: toy.rhai:", "load ")
                    .replace("other: toy.rhai:", "")
            }
        };
        let found = (
            words(run_rhai(&engine(), &script)),
            words(run_ours(&script)),
        );
        if (found.0.as_str(), found.1.as_str()) != (*rhai, *ours) {
            let _ = writeln!(different, "    ({body:?}, {:?}, {:?}),", found.0, found.1);
        }
        assert_ne!(found.0, found.1, "{body}: no difference");
    }
    assert!(different.is_empty(), "\n{different}");
}
