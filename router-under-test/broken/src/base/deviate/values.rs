//! Small things at a seam: a choice, a time, a decision, a part of a response.

use std::time::Duration;

use bytes::Bytes;

use super::datum::Datum;
use super::messages::{part_of_target, put_into_target};
use super::{Marks, Scene, Value};
use crate::base::wire::Learnt;
use crate::deviation::{Element, Seam};

/// One element of a seam.
#[derive(Debug, Clone)]
pub(crate) struct At<T>(pub(crate) Element, pub(crate) T);

/// A thing that is one part.
pub(crate) trait Part: Clone {
    fn part(&self, element: Element) -> Option<Datum>;
    fn put(&mut self, element: Element, datum: Option<Datum>);
}

impl<T: Part> Value for At<T> {
    fn has(&self, element: Element) -> bool {
        let is_of_path = self.0 == Element::Target && is_of_path(element);
        element == self.0 || element == Element::Whole || is_of_path
    }

    fn get(&self, element: Element) -> Option<Datum> {
        self.1.part(element)
    }

    fn set(&mut self, element: Element, datum: Option<Datum>) {
        self.1.put(element, datum);
    }

    fn again(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn tells(&self, seam: Seam, scene: &mut Scene, marks: &mut Marks) {
        match (seam, self.0, self.1.part(self.0)) {
            (Seam::EntryLookedUp, Element::Cell, Some(Datum::Choice(cell, _))) => {
                scene.warm = Some(cell.is_some());
            }
            (Seam::EntryLookedUp, Element::Age, Some(Datum::Flag(ended))) => {
                scene.expired |= ended;
            }
            (Seam::Eviction, ..) => marks.evicted = true,
            (Seam::RedirectField, ..) => scene.bounced = true,
            (Seam::CellConnections, Element::Reuse, _) => scene.cell_kept = true,
            (Seam::Retry, ..) => marks.failed = true,
            (Seam::Leaving, ..) => {
                marks.left = true;
                scene.open = false;
            }
            _ => {}
        }
    }
}

/// Whether an element is a part of a path.
fn is_of_path(element: Element) -> bool {
    matches!(element, Element::Target | Element::Segment | Element::Letters | Element::FinalSlash)
}

impl Part for String {
    fn part(&self, element: Element) -> Option<Datum> {
        match is_of_path(element) {
            true => part_of_target(self, element),
            false => Some(Datum::text(self)),
        }
    }

    fn put(&mut self, element: Element, datum: Option<Datum>) {
        match is_of_path(element) {
            true => put_into_target(self, element, datum),
            false => *self = datum.and_then(Datum::into_text).unwrap_or_default(),
        }
    }
}

impl Part for Bytes {
    fn part(&self, _: Element) -> Option<Datum> {
        (!self.is_empty()).then(|| Datum::Text(self.to_vec()))
    }

    fn put(&mut self, _: Element, datum: Option<Datum>) {
        *self = match datum {
            Some(Datum::Text(bytes)) => bytes.into(),
            _ => Self::new(),
        };
    }
}

/// Implements [`Part`] for types that are one kind of datum as they are.
macro_rules! parts {
    ($($type:ty: $kind:ident,)*) => {$(
        impl Part for $type {
            fn part(&self, _: Element) -> Option<Datum> {
                Some(Datum::$kind(self.clone()))
            }

            fn put(&mut self, _: Element, datum: Option<Datum>) {
                if let Some(Datum::$kind(value)) = datum {
                    *self = value;
                }
            }
        }
    )*};
}

parts! {
    bool: Flag,
    u64: Number,
    Vec<usize>: List,
}

/// Times are in milliseconds.
impl Part for Duration {
    fn part(&self, _: Element) -> Option<Datum> {
        Some(Datum::Number(u64::try_from(self.as_millis()).unwrap_or(u64::MAX)))
    }

    fn put(&mut self, _: Element, datum: Option<Datum>) {
        if let Some(Datum::Number(number)) = datum {
            *self = Self::from_millis(number);
        }
    }
}

/// A cell by its position, and the number of cells.
impl Part for (Option<usize>, usize) {
    fn part(&self, _: Element) -> Option<Datum> {
        Some(Datum::Choice(self.0, self.1))
    }

    fn put(&mut self, _: Element, datum: Option<Datum>) {
        if let Some(Datum::Choice(at, _)) = datum {
            self.0 = at;
        }
    }
}

/// An entry that is about to be written.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) path: String,
    pub(crate) exact: bool,
    pub(crate) cell: (Option<usize>, usize),
    pub(crate) lifetime: Duration,
}

impl Value for Written {
    fn get(&self, element: Element) -> Option<Datum> {
        match element {
            Element::Prefix => Some(Datum::text(&self.path)),
            Element::Exactness => self.exact.part(element),
            Element::Cell => self.cell.part(element),
            Element::Lifetime => self.lifetime.part(element),
            _ => None,
        }
    }

    fn set(&mut self, element: Element, datum: Option<Datum>) {
        match element {
            Element::Prefix => self.path = datum.and_then(Datum::into_text).unwrap_or_default(),
            Element::Exactness => self.exact.put(element, datum),
            Element::Cell => self.cell.put(element, datum),
            Element::Lifetime => self.lifetime.put(element, datum),
            _ => {}
        }
    }
}

impl Value for Learnt {
    fn get(&self, element: Element) -> Option<Datum> {
        match element {
            Element::Prefix => Some(Datum::text(&self.path)),
            Element::CellName => Some(Datum::text(&self.cell)),
            Element::Exactness => self.exact.part(element),
            _ => None,
        }
    }

    fn set(&mut self, element: Element, datum: Option<Datum>) {
        match element {
            Element::Prefix => self.path = datum.and_then(Datum::into_text).unwrap_or_default(),
            Element::CellName => self.cell = datum.and_then(Datum::into_text).unwrap_or_default(),
            Element::Exactness => self.exact.put(element, datum),
            _ => {}
        }
    }
}
