//! The configuration at a seam.

use super::Value;
use super::datum::Datum;
use super::values::Part;
use crate::base::config::{Cell, Config};
use crate::deviation::Element;

impl Value for Config {
    fn get(&self, element: Element) -> Option<Datum> {
        let number = |number: usize| Some(Datum::Number(number as u64));
        match element {
            Element::Ids => self.cells.first().map(|cell| Datum::text(&cell.id)),
            Element::Names => self.cells.first().map(|cell| Datum::text(&cell.name)),
            Element::Region => self.cells.first().map(|cell| Datum::text(&cell.region)),
            Element::Cells => Some(Datum::List((0..self.cells.len()).collect())),
            Element::LearnPath => Some(Datum::text(&self.learn_path)),
            Element::MaxEntries => number(self.max_entries),
            Element::MaxHops => number(self.max_hops),
            Element::MaxBody => number(self.max_body),
            Element::Ttl => self.ttl.part(element),
            Element::ConnectTime => self.connect_timeout.part(element),
            Element::ResponseTime => self.response_timeout.part(element),
            Element::NotFoundDelay => self.not_found_delay.part(element),
            Element::CookieCache => self.cookie_cache.part(element),
            _ => None,
        }
    }

    fn set(&mut self, element: Element, datum: Option<Datum>) {
        let number = match &datum {
            Some(Datum::Number(number)) => usize::try_from(*number).unwrap_or(usize::MAX),
            _ => 0,
        };
        match element {
            Element::Ids | Element::Names | Element::Region => {
                let text = datum.and_then(Datum::into_text).unwrap_or_default();
                let Some(Cell { id, name, region, .. }) = self.cells.first_mut() else { return };
                *match element {
                    Element::Ids => id,
                    Element::Names => name,
                    _ => region,
                } = text;
            }
            Element::Cells => {
                let Some(Datum::List(list)) = datum else { return };
                self.cells =
                    list.into_iter().filter_map(|at| self.cells.get(at).cloned()).collect();
                self.latest = None;
            }
            Element::LearnPath => {
                self.learn_path = datum.and_then(Datum::into_text).unwrap_or_default();
            }
            Element::MaxEntries => self.max_entries = number,
            Element::MaxHops => self.max_hops = number,
            Element::MaxBody => self.max_body = number,
            Element::Ttl => self.ttl.put(element, datum),
            Element::ConnectTime => self.connect_timeout.put(element, datum),
            Element::ResponseTime => self.response_timeout.put(element, datum),
            Element::NotFoundDelay => self.not_found_delay.put(element, datum),
            Element::CookieCache => self.cookie_cache.put(element, datum),
            _ => {}
        }
    }
}
