//! The cells that a request may be sent to under buffering, one after the other.

use super::pick::ColdPick;
use crate::config::CellIndex;
use crate::respond::Refusal;

/// The cell that is known or named, else one after the other until one can be reached.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    cold: ColdPick<'a>,
    /// The cell of the entry, unless it could not be reached.
    known: Option<CellIndex>,
    /// The cell that the user's cookie names, until it was tried.
    hinted: Option<CellIndex>,
    /// The cell that the last redirect named.
    named: Option<CellIndex>,
    /// The cell of the entry, where it could not be reached, and why the request is refused if that
    /// cell is the owner after all.
    unreached: Option<(CellIndex, Refusal)>,
    /// A cell that is there and has its share keeps the request in its region.
    full: bool,
}

impl<'a> Candidates<'a> {
    /// `known` is the cell of the entry; `hinted` counts where there is none.
    pub(super) fn new(
        cold: ColdPick<'a>,
        known: Option<CellIndex>,
        hinted: Option<CellIndex>,
    ) -> Self {
        Self { cold, known, hinted, named: None, unreached: None, full: false }
    }

    /// The cell to send the request to, or why there is none.
    pub(super) fn next(&mut self) -> Result<CellIndex, Refusal> {
        let likely = self.named.or(self.known).or_else(|| self.hinted.take());
        let cell = match (likely, self.full) {
            (Some(cell), _) => cell,
            (None, true) => self.cold.next_in_region().ok_or(Refusal::CellFull)?,
            (None, false) => self.cold.next().ok_or(Refusal::NoneReachable)?,
        };
        match self.unreached {
            Some((dead, refusal)) if dead == cell => Err(refusal),
            _ => Ok(cell),
        }
    }

    /// A cell has redirected the request to this one: nobody else may serve it.
    pub(super) fn redirected_to(&mut self, cell: CellIndex) {
        self.named = Some(cell);
    }

    /// The cell of [`Candidates::next`] could not be reached; an error where no other cell may be
    /// asked. `can_be_sent_again` says whether the body is still there.
    pub(super) fn unreachable(
        &mut self,
        cell: CellIndex,
        why: Refusal,
        can_be_sent_again: bool,
    ) -> Result<(), Refusal> {
        match (self.named, self.known) {
            // No owner is known, so another cell may serve it (Z-16).
            (None, None) => Ok(()),
            // The entry may be older than the last move of the path. Nothing was sent, so other
            // cells can tell (Z-81).
            (None, Some(_)) if can_be_sent_again => {
                self.unreached = Some((cell, why));
                self.cold.pass_over(cell);
                self.known = None;
                Ok(())
            }
            _ => Err(why),
        }
    }

    /// The cell of [`Candidates::next`] has its share of requests; an error where it is the only one
    /// that may serve this one.
    pub(super) fn full(&mut self) -> Result<(), Refusal> {
        if self.named.or(self.known).is_some() {
            return Err(Refusal::CellFull);
        }
        self.full = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Topology;
    use crate::config::tests::topology;

    const WHY: Refusal = Refusal::Unreachable;

    fn candidates(
        topology: &Topology,
        known: Option<CellIndex>,
        hinted: Option<CellIndex>,
    ) -> Candidates<'_> {
        Candidates::new(ColdPick::new(topology), known, hinted)
    }

    /// All that are left, until there is none.
    fn left(candidates: &mut Candidates<'_>) -> (Vec<CellIndex>, Refusal) {
        let mut cells = Vec::new();
        loop {
            match candidates.next() {
                Ok(cell) => cells.push(cell),
                Err(refusal) => return (cells, refusal),
            }
        }
    }

    #[test]
    fn an_entry_that_cannot_be_reached_is_tried_once_and_others_tell() {
        let topology = topology("buffering");
        let owner = topology.own_cells()[0];
        let mut cells = candidates(&topology, Some(owner), None);
        assert_eq!(cells.next(), Ok(owner));
        assert_eq!(cells.unreachable(owner, WHY, true), Ok(()));
        let other = cells.next().unwrap();
        assert_ne!(other, owner);
        // It is the owner after all.
        cells.redirected_to(owner);
        assert_eq!(cells.next(), Err(WHY));
    }

    #[test]
    fn an_entry_that_cannot_be_reached_is_final_for_a_body_that_is_gone() {
        let topology = topology("buffering");
        let owner = topology.own_cells()[0];
        let mut cells = candidates(&topology, Some(owner), None);
        assert_eq!(cells.unreachable(owner, WHY, false), Err(WHY));
    }

    #[test]
    fn a_named_cell_has_no_substitute() {
        let topology = topology("buffering");
        let named = topology.own_cells()[1];
        let mut cells = candidates(&topology, None, None);
        cells.next().unwrap();
        cells.redirected_to(named);
        assert_eq!(cells.next(), Ok(named));
        assert_eq!(cells.unreachable(named, WHY, true), Err(WHY));
        assert_eq!(cells.full(), Err(Refusal::CellFull));
    }

    #[test]
    fn a_hint_is_tried_first_and_binds_nothing() {
        let topology = topology("buffering");
        let hinted = topology.other_cells()[0];
        let mut cells = candidates(&topology, None, Some(hinted));
        assert_eq!(cells.next(), Ok(hinted));
        assert_eq!(cells.unreachable(hinted, WHY, true), Ok(()));
        let (rest, refusal) = left(&mut cells);
        assert_eq!((rest.len(), refusal), (4, Refusal::NoneReachable));
    }

    #[test]
    fn a_full_cell_keeps_the_request_in_its_region() {
        let topology = topology("buffering");
        let mut cells = candidates(&topology, None, None);
        let first = cells.next().unwrap();
        assert_eq!(cells.full(), Ok(()));
        let (rest, refusal) = left(&mut cells);
        assert_eq!(refusal, Refusal::CellFull);
        assert!(rest.len() == 1 && rest[0] != first, "{rest:?}");
        assert!(topology.own_cells().contains(&rest[0]));
    }
}
