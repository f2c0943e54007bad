//! A step definition: a step function with its cucumber expression, and how the steps that fit it
//! are recognized.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use cucumber::codegen::{LazyRegex, StepConstructor, WorldInventory, collect, inventory};
use cucumber::gherkin::{Step, StepType};
use cucumber::step::Context;
use cucumber_expressions::{Expression, SingleExpression, Spanned};
use futures_util::FutureExt as _;
use memchr::memmem::Finder;
use regex::{Captures, Regex};

use super::meaning::Meaning;

/// What cucumber does not keep of an expression: its text, since it keeps the regular expression
/// alone, which costs too much to make for each of them in each process of nextest; and whether a
/// doc string is read. It belongs to the step function of the same place.
pub(super) struct Written {
    pub(super) file: &'static str,
    pub(super) line: u32,
    pub(super) expression: &'static str,
    pub(super) takes_doc_string: bool,
}

collect!(Written);

pub(super) static DEFINITIONS: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let written = inventory::iter::<Written>().map(|it| ((it.file, it.line), it));
    let written: BTreeMap<_, _> = written.collect();

    fn all_of<S: StepConstructor<Meaning> + 'static>(
        kind: StepType,
        rows: impl Iterator<Item = &'static S>,
        written: &BTreeMap<(&str, u32), &'static Written>,
    ) -> Vec<Definition> {
        let define = |row: &S| {
            let (place, regex, function) = row.inner();
            Definition::new(kind, written[&(place.path, place.line)], regex, function)
        };
        rows.map(define).collect()
    }

    let given = inventory::iter::<<Meaning as WorldInventory>::Given>();
    let when = inventory::iter::<<Meaning as WorldInventory>::When>();
    let then = inventory::iter::<<Meaning as WorldInventory>::Then>();
    let mut all = all_of(StepType::Given, given, &written);
    all.extend(all_of(StepType::When, when, &written));
    all.extend(all_of(StepType::Then, then, &written));
    all.sort_by_key(|definition| definition.expression);
    all
});

pub(crate) struct Definition {
    pub(crate) kind: StepType,
    pub(crate) expression: &'static str,
    /// Whether it reads the doc string below the step.
    pub(super) takes_doc_string: bool,
    pub(super) parameters: Vec<&'static str>,
    function: cucumber::Step<Meaning>,
    /// The fixed pieces of the expression, in order. A text without them does not fit, so most
    /// expressions need not be compiled.
    pieces: Vec<Finder<'static>>,
    /// Whether each text of it begins with the first piece.
    begins_with_piece: bool,
    compile: LazyRegex,
    regex: OnceLock<Regex>,
}

impl Definition {
    fn new(
        kind: StepType,
        written: &'static Written,
        compile: LazyRegex,
        function: cucumber::Step<Meaning>,
    ) -> Self {
        let Written { expression, takes_doc_string, .. } = written;
        let pieces = pieces(expression);
        // A parameter, an alternation and an optional text begin otherwise, or are escaped.
        let begins_with_piece = pieces.first().is_some_and(|piece| expression.starts_with(piece));
        Self {
            kind,
            expression,
            takes_doc_string: *takes_doc_string,
            parameters: named_parameters(expression),
            function,
            pieces: pieces.iter().map(|piece| Finder::new(piece).into_owned()).collect(),
            begins_with_piece,
            compile,
            regex: OnceLock::new(),
        }
    }

    /// The texts of the expression's parameters, where a text of a step fits it.
    pub(super) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        let mut rest = text;
        for (place, piece) in self.pieces.iter().enumerate() {
            // Most texts begin otherwise than most expressions, and comparing the beginning costs
            // least.
            let found = match place {
                0 if self.begins_with_piece => {
                    rest.as_bytes().starts_with(piece.needle()).then_some(0)
                }
                _ => piece.find(rest.as_bytes()),
            };
            rest = &rest[found? + piece.needle().len()..];
        }
        self.regex.get_or_init(self.compile).captures(text)
    }

    /// What a step means that fits it so.
    pub(super) fn read(&self, step: &Step, captures: &Captures<'_>) -> Meaning {
        let doc_string = step.docstring.as_ref().filter(|_| self.takes_doc_string);
        let mut meaning = Meaning::of(doc_string.cloned());
        // A reader would take it for a part of what is checked.
        let unread = match step {
            Step { docstring: Some(_), .. } if !self.takes_doc_string => Some("doc string"),
            Step { table: Some(_), .. } => Some("table"),
            _ => None,
        };
        let matches = self.groups(captures);
        let matches = matches.map(|(name, text)| (name.map(str::to_owned), text.to_owned()));
        // Step functions read nothing else of a step.
        let blank = Step::builder().keyword(String::new()).ty(step.ty).value(String::new());
        let context = Context { step: blank.build(), matches: matches.collect() };
        // A step function waits for nothing.
        let _ = (self.function)(&mut meaning, context).now_or_never();
        if let Some(unread) = unread {
            meaning.cannot_be_read(format!("nothing reads the {unread} below it; remove it"));
        }
        meaning
    }

    /// The quoted texts among the texts of the parameters.
    pub(super) fn quoted(&self, captures: &Captures<'_>) -> Vec<String> {
        // cucumber gives `{string}` a group for each kind of quotes, with a name.
        let strings =
            self.groups(captures).filter(|(name, text)| name.is_some() && !text.is_empty());
        strings.map(|(_, text)| text.to_owned()).collect()
    }

    fn groups<'c>(
        &'c self,
        captures: &'c Captures<'_>,
    ) -> impl Iterator<Item = (Option<&'c str>, &'c str)> {
        let names = self.regex.get_or_init(self.compile).capture_names();
        names.zip(captures.iter()).map(|(name, group)| (name, group.map_or("", |it| it.as_str())))
    }
}

fn parsed(expression: &'static str) -> impl Iterator<Item = SingleExpression<Spanned<'static>>> {
    let parsed = Expression::parse(expression);
    parsed.unwrap_or_else(|error| panic!("`{expression}`: {error}")).0.into_iter()
}

fn named_parameters(expression: &'static str) -> Vec<&'static str> {
    let name = |part: SingleExpression<Spanned<'static>>| match part {
        SingleExpression::Parameter(parameter) => Some(*parameter.input.fragment()),
        _ => None,
    };
    parsed(expression).filter_map(name).collect()
}

/// The pieces of an expression that stand in every text of it.
fn pieces(expression: &'static str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for part in parsed(expression) {
        match (part, pieces.last_mut()) {
            (SingleExpression::Text(text) | SingleExpression::Whitespaces(text), Some(piece))
                if !text.fragment().contains('\\') =>
            {
                piece.push_str(text.fragment());
            }
            _ => pieces.push(String::new()),
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}
