//! A step definition: an expression, what a step of it is and needs, and what it does.
//!
//! Only this module and the tables of definitions read the words of a step. Rewording an expression
//! changes neither needs nor role.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use cucumber_expressions::{Expression, SingleExpression, Spanned};
use gherkin::StepType;
use memchr::memmem::Finder;
use regex::Regex;

use super::argument::{Argument as _, Arguments, Source};
use super::bound::{Bind, BoundStep, CheckResult};
use super::handler::{ActionHandler, CheckHandler, ConditionHandler};
use crate::needs::Needs;
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// What a step is to its scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Fills the plan, before anything starts.
    Condition,
    /// Does something on the stage.
    Action,
    /// Judges the trace.
    Check,
    /// Judges the trace by a drawn exchange, which cites requirements of its own.
    Exchange,
    /// Judges how a router's process started and stopped. A router that never becomes ready
    /// violates what the step cites.
    ProcessLife,
}

/// The definition of a step.
pub(crate) struct Definition {
    pub(crate) kind: StepType,
    /// A cucumber expression.
    pub(crate) expression: &'static str,
    pub(crate) role: Role,
    pub(crate) needs: Needs,
    /// Where its arguments come from, in the order of the handler's parameters.
    sources: Vec<Source>,
    bind: Box<Bind>,
    /// The fixed pieces of the expression, in order. A text without them does not fit, so most
    /// expressions need not be compiled.
    pieces: Vec<Finder<'static>>,
    /// Whether each text of it begins with the first piece.
    begins_with_piece: bool,
    regex: OnceLock<Regex>,
}

/// A Given step: `handler` fills the plan.
pub(crate) fn given<P>(expression: &'static str, handler: impl ConditionHandler<P>) -> Definition {
    let (sources, bind) = handler.into_bind();
    Definition::new(StepType::Given, expression, Role::Condition, sources, bind)
}

/// A When step: `handler` is what it does.
pub(crate) fn when<P>(expression: &'static str, handler: impl ActionHandler<P>) -> Definition {
    let (sources, bind) = handler.into_bind();
    Definition::new(StepType::When, expression, Role::Action, sources, bind)
}

/// A Then step: `handler` judges the trace.
pub(crate) fn then<P>(expression: &'static str, handler: impl CheckHandler<P>) -> Definition {
    let (sources, bind) = handler.into_bind();
    Definition::new(StepType::Then, expression, Role::Check, sources, bind)
}

/// A Then step without arguments that judges the trace by the plan of its scenario.
pub(crate) fn then_by_plan(
    expression: &'static str,
    judge: fn(&Trace, &ScenarioPlan) -> CheckResult,
) -> Definition {
    let bind = move |_: &Arguments<'_>| Ok(BoundStep::Check(Box::new(judge)));
    Definition::new(StepType::Then, expression, Role::Check, Vec::new(), Box::new(bind))
}

impl Definition {
    fn new(
        kind: StepType,
        expression: &'static str,
        role: Role,
        sources: Vec<Source>,
        bind: Box<Bind>,
    ) -> Self {
        let pieces = pieces(expression);
        // A parameter, an alternation and an optional text begin otherwise, or are escaped.
        let begins_with_piece = pieces.first().is_some_and(|piece| expression.starts_with(piece));
        let pieces = pieces.iter().map(|piece| Finder::new(piece).into_owned()).collect();
        Self {
            kind,
            expression,
            role,
            needs: Needs::NONE,
            sources,
            bind,
            pieces,
            begins_with_piece,
            regex: OnceLock::new(),
        }
    }

    /// The same definition with these needs as well.
    pub(crate) fn needs(self, needs: Needs) -> Self {
        Self { needs: self.needs | needs, ..self }
    }

    /// The same definition in another role.
    pub(crate) fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The texts of the expression's parameters, where a text of a step fits it.
    pub(super) fn captures<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let mut rest = text;
        for (place, piece) in self.pieces.iter().enumerate() {
            // Most texts differ at once from most expressions, and to look there costs least.
            let found = match place {
                0 if self.begins_with_piece => {
                    rest.as_bytes().starts_with(piece.needle()).then_some(0)
                }
                _ => piece.find(rest.as_bytes()),
            };
            rest = &rest[found? + piece.needle().len()..];
        }
        let captures = self.regex().captures(text)?;
        Some(
            captures.iter().skip(1).map(|group| group.map_or("", |group| group.as_str())).collect(),
        )
    }

    /// Reads the arguments of a step.
    pub(super) fn bind(&self, arguments: &Arguments<'_>) -> Result<BoundStep, String> {
        (self.bind)(arguments)
    }

    /// The quoted texts among the texts of the parameters.
    pub(super) fn quoted(&self, parameters: &[&str]) -> Vec<String> {
        let sources = self.sources.iter().filter(|source| source.parameter().is_some());
        let quoted = sources.zip(parameters).filter(|(source, _)| **source == String::SOURCE);
        quoted.filter_map(|(_, text)| String::parse(text).ok()).collect()
    }

    /// Names and patterns of its parameters, in order.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.sources.iter().filter_map(Source::parameter)
    }

    /// Whether it reads the doc string below the step.
    pub(super) fn takes_doc_string(&self) -> bool {
        self.sources.contains(&Source::DocString)
    }

    /// # Panics
    ///
    /// Where the expression is not valid, or its parameters are not those of the handler: a unit
    /// test compiles all of them.
    #[cfg(test)]
    pub(super) fn compile(&self) {
        self.regex();
    }

    fn regex(&self) -> &Regex {
        self.regex.get_or_init(|| {
            let parameters: Vec<_> = self.parameters().collect();
            let patterns: HashMap<_, _> = parameters.iter().copied().collect();
            let regex = Expression::regex_with_parameters(self.expression, &patterns)
                .unwrap_or_else(|error| panic!("`{}`: {error}", self.expression));
            let named: Vec<_> = parameters.iter().map(|(name, _)| *name).collect();
            assert_eq!(
                named_parameters(self.expression),
                named,
                "`{}`: the handler takes other parameters, or in another order",
                self.expression
            );
            regex
        })
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.kind, self.expression)
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
