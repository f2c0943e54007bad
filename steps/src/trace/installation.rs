//! The cells of a scenario's fleet, requested or not, and the texts that name one of them.

use cell_fleet::{Authority, CellId, Region};
use serde::{Deserialize, Serialize};

use super::Trace;

/// Another name of Cell US0 (AD-05).
const ALIAS_OF_US0: &str = "cell_0";

/// A cell as the topology file lists it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InstalledCell {
    /// Which cell, as the topology names it.
    pub cell: CellId,
    /// Where routers reach it, by their topology file.
    pub address: Authority,
    /// Whether no router listens on the same host: then the host alone identifies the cell.
    pub own_host: bool,
}

impl InstalledCell {
    /// Every name and address of the cell.
    fn words(&self) -> Vec<String> {
        let mut words =
            vec![self.cell.name(), self.cell.id(), self.cell.slug(), self.address.to_string()];
        if self.cell == CellId::us(0) {
            words.push(ALIAS_OF_US0.to_owned());
        }
        if self.own_host {
            words.push(self.address.host.clone());
        }
        words
    }
}

impl Trace {
    /// The cells of a region, requested or not.
    pub fn cells_of(&self, region: &Region) -> Result<Vec<&CellId>, String> {
        self.has_cells()?;
        Ok(self
            .cells
            .iter()
            .map(|place| &place.cell)
            .filter(|cell| cell.region() == region)
            .collect())
    }

    /// The first name or address of a cell in a text, in any letter case. Words of the user's own
    /// request do not count: the user knows them already.
    pub fn cell_named_in(&self, text: &str, request: &str) -> Result<Option<String>, String> {
        self.has_cells()?;
        let mut words = self.cells.iter().flat_map(InstalledCell::words);
        Ok(words.find(|word| has_word(text, word) && !has_word(request, word)))
    }

    pub fn cell_addresses(&self) -> impl Iterator<Item = String> {
        self.cells.iter().map(|place| place.address.to_string())
    }

    fn has_cells(&self) -> Result<(), String> {
        if self.cells.is_empty() {
            Err("the trace has no list of cells".to_owned())
        } else {
            Ok(())
        }
    }
}

/// Whether a text has a word on its own: `Cell US10` does not have `Cell US1`, and
/// `127.0.0.1:22001` does not have `127.0.0.1:2200`.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_ascii_lowercase(), word.to_ascii_lowercase());
    text.match_indices(&word).any(|(at, _)| {
        let goes_on =
            |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
        !goes_on(text[..at].chars().next_back()) && !goes_on(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(own_host: bool) -> Trace {
        let place =
            |cell, port| InstalledCell { cell, address: ([127, 1, 2, 3], port).into(), own_host };
        Trace {
            cells: vec![place(CellId::us(0), 22_000), place(CellId::us(1), 22_001)],
            ..Trace::default()
        }
    }

    #[test]
    fn each_spelling_and_address_of_each_cell_is_found() {
        for text in [
            "Cell US1",
            "cell_us1",
            "at /admin/cells/cellus1",
            "cell us1!",
            "CELL_US1",
            "cell_0",
            "http://127.1.2.3:22001/a",
            "127.1.2.3:22000.",
        ] {
            assert!(trace(false).cell_named_in(text, "GET /a").unwrap().is_some(), "{text}");
        }
        assert!(trace(true).cell_named_in("no connection to 127.1.2.3", "").unwrap().is_some());
    }

    #[test]
    fn other_words_are_not_cells() {
        let others = [
            "Cell US10",
            "cell_us",
            "xcell_us1",
            "127.1.2.3:21001",
            "127.1.2.3:220010",
            "127.1.2.3",
            "cell_01",
            "a cell",
        ];
        for text in others {
            assert_eq!(trace(false).cell_named_in(text, "GET /a").unwrap(), None, "{text}");
        }
    }

    #[test]
    fn words_of_the_request_do_not_count() {
        let trace = trace(false);
        assert_eq!(trace.cell_named_in("nothing at /cell_us1/x", "GET /cell_us1/x").unwrap(), None);
        assert!(
            trace
                .cell_named_in("nothing at cell_us1, Cell US0", "GET /cell_us1/x")
                .unwrap()
                .is_some()
        );
    }

    #[test]
    fn a_trace_without_cells_proves_nothing() {
        assert!(
            Trace::default().cell_named_in("a", "b").is_err()
                && Trace::default().cells_of(&Region::us()).is_err()
        );
        assert_eq!(trace(false).cells_of(&Region::us()).unwrap().len(), 2);
    }
}
