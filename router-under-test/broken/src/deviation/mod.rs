//! Deviations: one defect of a router, as data. Nobody wrote them; they are drawn.
//!
//! A deviation says where the router does something else (the [`Seam`]), with which part of what
//! passes there (the [`Element`]), what it does (the [`Operation`]), and when (at most two
//! [`Condition`]s). `table` says which of them exist, `draw` takes one by a seed.

/// An enum whose variants have words for people.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $words:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $(#[doc = $words] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// It in words.
            pub fn words(self) -> &'static str {
                match self { $(Self::$variant => $words,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.words())
            }
        }
    };
}

mod condition;
mod draw;
mod element;
mod operation;
mod seam;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use condition::{Condition, Count, Size, Verb};
pub use draw::{Draw, draw, draws};
pub(crate) use element::Kind;
pub use element::{Element, FieldName};
pub use operation::{Before, Operation};
pub use seam::Seam;

/// One defect of a router.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Deviation {
    /// Where it is.
    pub seam: Seam,
    /// What of the value there it concerns.
    pub element: Element,
    /// What happens to that.
    pub operation: Operation,
    /// When it happens: always, or where both of these hold.
    pub when: [Option<Condition>; 2],
}

impl Deviation {
    /// The same, where this condition holds.
    #[must_use]
    pub const fn when(self, condition: Condition) -> Self {
        Self { when: [Some(condition), None], ..self }
    }

    /// Its conditions.
    pub fn conditions(&self) -> impl Iterator<Item = Condition> {
        self.when.into_iter().flatten()
    }
}

/// What rows of the tables of mutants are written with.
pub(crate) mod rows {
    pub(crate) use super::Before::*;
    pub(crate) use super::Condition::{AfterBounce, Status as AtStatus, Warm};
    pub(crate) use super::Element::*;
    pub(crate) use super::Operation::{self, Constant, Cut, Double, Inherit, LeaveOut};
    pub(crate) use super::Seam::*;

    /// A deviation without a condition.
    pub(crate) const fn always(
        seam: super::Seam,
        element: super::Element,
        operation: Operation,
    ) -> super::Deviation {
        super::Deviation { seam, element, operation, when: [None, None] }
    }

    /// The field of this name.
    pub(crate) const fn field(name: &'static str) -> super::Element {
        Field(super::FieldName(name))
    }
}

/// The name of a part of a deviation, as a file names it: `user-request`, `field via`, `swap cell`,
/// `times nth 2`.
pub fn name(part: &impl Serialize) -> String {
    fn words(value: &serde_json::Value, words_so_far: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(members) => members.iter().for_each(|(name, value)| {
                words_so_far.push(name.clone());
                words(value, words_so_far);
            }),
            serde_json::Value::Array(items) => {
                items.iter().for_each(|item| words(item, words_so_far));
            }
            serde_json::Value::String(word) => words_so_far.push(word.clone()),
            other => words_so_far.push(other.to_string()),
        }
    }
    let mut all = Vec::new();
    words(&serde_json::to_value(part).unwrap_or_default(), &mut all);
    all.join(" ")
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ", self.seam, self.element)?;
        match (self.element.kind(), self.operation) {
            (Kind::Flag, Operation::Alter) => f.write_str("is the opposite")?,
            (Kind::Flag, Operation::LeaveOut) => f.write_str("is always no")?,
            (Kind::Flag, Operation::Constant) => f.write_str("is always yes")?,
            (_, operation) => write!(f, "{operation}")?,
        }
        let mut words = self.conditions().peekable();
        if words.peek().is_some() {
            f.write_str(", ")?;
        }
        while let Some(condition) = words.next() {
            write!(f, "{condition}{}", if words.peek().is_some() { " and " } else { "" })?;
        }
        Ok(())
    }
}
