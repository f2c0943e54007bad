//! What both routing models share: three cells of two regions, shared routes with replicas, and an
//! organization that moves.

use std::fmt;

use cell_fleet::CellId;

/// A cell. US1 is in the region of the primary; the router of Europe picks among the two others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Cell {
    Us1,
    Eu0,
    Eu1,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Region {
    Us,
    Eu,
}

/// A page: of the organization's namespace, or of the namespace below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Page {
    Outer,
    Inner,
}

impl Page {
    pub(crate) const ALL: [Self; 2] = [Self::Outer, Self::Inner];
}

/// Where a route leads, and so its version as well: each change is the next one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Placed {
    Nowhere,
    Old,
    New,
}

/// The routes of both pages, in the order of [`Page`].
pub(crate) type Routes = [Placed; 2];

/// Who moves the organization.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Mover {
    /// The fleet's phases.
    Phases,
    /// Copy, then switch.
    Naive,
    /// Nobody; the namespace is created instead.
    Creation,
}

/// The phases of the fleet's mover, as a scenario names them.
pub(crate) const PHASES: [&str; 7] =
    ["announce", "copy", "freeze", "copy the rest", "switch", "thaw", "clean up"];
const FREEZE: u8 = 3;
const SWITCH: u8 = 5;
const THAW: u8 = 6;
const CLEAN_UP: u8 = 7;

/// The cells, their databases, and how far the move has come.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct World {
    /// The cell that has the organization, and the one that gets it.
    pub(crate) cells: [Cell; 2],
    /// The routes at the primary, and as they were at first: what a replica that lags has.
    pub(crate) routes: Routes,
    first: Routes,
    /// Whether the replica of each region lags.
    pub(crate) lags: [bool; 2],
    /// How many phases are done.
    pub(crate) done: u8,
    /// Whether the mover has died in the middle of the next one.
    pub(crate) half: bool,
    /// Whether each of the two cells refuses writes.
    closed: [bool; 2],
    /// The writes that each of the two cells has, one bit each, and those of the copy.
    rows: [u8; 2],
    copied: u8,
}

impl World {
    /// Every way in which it may begin: who moves where, and which replicas lag.
    pub(crate) fn beginnings(mover: Mover, lagging: bool) -> Vec<Self> {
        let ways = [[Cell::Us1, Cell::Eu0], [Cell::Eu0, Cell::Us1], [Cell::Eu0, Cell::Eu1]];
        let lags = [[false, false], [false, true], [true, false], [true, true]];
        let first = if mover == Mover::Creation { Placed::Nowhere } else { Placed::Old };
        let begin = |cells, lags| Self {
            cells,
            routes: [first; 2],
            first: [first; 2],
            lags,
            done: 0,
            half: false,
            closed: [false; 2],
            rows: [0; 2],
            copied: 0,
        };
        let lags = &lags[..if lagging { 4 } else { 1 }];
        ways.iter().flat_map(|way| lags.iter().map(move |lags| begin(*way, *lags))).collect()
    }

    pub(crate) fn phases(mover: Mover) -> u8 {
        match mover {
            Mover::Phases => CLEAN_UP,
            Mover::Naive => 2,
            Mover::Creation => 1,
        }
    }

    /// Whether the next phase can be done. `writing` says whether the old cell still works on a
    /// write: the freeze waits for it. The clean-up waits for the replicas.
    pub(crate) fn may_go_on(&self, mover: Mover, writing: bool) -> bool {
        let next = self.done + 1;
        let waits = mover == Mover::Phases
            && (next == FREEZE && writing || next == CLEAN_UP && self.lags != [false; 2]);
        next <= Self::phases(mover) && !waits
    }

    /// Does the next phase, or half of it where the mover dies in its middle.
    pub(crate) fn go_on(&mut self, mover: Mover, dies: bool) {
        let next = self.done + 1;
        match (mover, next) {
            (Mover::Creation, _) => self.routes = [Placed::Old; 2],
            (Mover::Naive, 1) => self.rows[1] = self.rows[0],
            (Mover::Naive, _) => self.routes = [Placed::New; 2],
            (Mover::Phases, 1) => self.closed[1] = true,
            (Mover::Phases, FREEZE) => self.closed[0] = true,
            (Mover::Phases, SWITCH) => {
                self.rows[1] = self.copied;
                self.routes[0] = Placed::New;
                if !dies {
                    self.routes[1] = Placed::New;
                }
            }
            (Mover::Phases, THAW) => self.closed[1] = false,
            (Mover::Phases, CLEAN_UP) => {
                self.rows[0] = 0;
                if !dies {
                    self.closed[0] = false;
                }
            }
            (Mover::Phases, _) => self.copied = if dies { 0 } else { self.rows[0] },
        }
        self.half = dies;
        self.done += u8::from(!dies);
    }

    /// Whether the routes are what they are going to be.
    pub(crate) fn is_switched(&self, mover: Mover) -> bool {
        let switched = if mover == Mover::Phases { SWITCH } else { Self::phases(mover) };
        self.done >= switched
    }

    /// Whether nothing of the move that a router notices is left, and no replica lags.
    pub(crate) fn is_calm(&self, mover: Mover) -> bool {
        let thawed = if mover == Mover::Phases { THAW } else { Self::phases(mover) };
        self.done >= thawed && self.lags == [false; 2]
    }

    pub(crate) fn seen_in(&self, region: Region) -> &Routes {
        if self.lags[region as usize] { &self.first } else { &self.routes }
    }

    /// The routes by which a cell decides about a page, and whether it has asked the primary abroad
    /// for them: it does so where it was told of a newer version than it has.
    pub(crate) fn seen_by(&self, cell: Cell, page: Page, told: Placed) -> (Routes, bool) {
        let seen = *self.seen_in(cell.region());
        if seen[page as usize] >= told {
            return (seen, false);
        }
        (self.routes, cell.region() != Region::Us)
    }

    pub(crate) fn cell(&self, placed: Placed) -> Option<Cell> {
        match placed {
            Placed::Nowhere => None,
            Placed::Old => Some(self.cells[0]),
            Placed::New => Some(self.cells[1]),
        }
    }

    /// Whether a cell of a region has a page, as the region knows the routes.
    pub(crate) fn is_owned_in(&self, region: Region) -> bool {
        let mut owners = self.seen_in(region).iter().filter_map(|placed| self.cell(*placed));
        owners.any(|owner| owner.region() == region)
    }

    /// Whether a cell takes a write of a page now, as far as it knows.
    pub(crate) fn takes_write(&self, side: usize, page: Page) -> bool {
        let cell = self.cells[side];
        let seen = self.seen_in(cell.region())[page as usize];
        self.cell(seen) == Some(cell) && !self.closed[side]
    }

    /// Whether a cell refuses writes of the organization.
    pub(crate) fn is_closed(&self, cell: Cell) -> bool {
        (0..2).any(|side| self.cells[side] == cell && self.closed[side])
    }

    pub(crate) fn write(&mut self, cell: Cell, number: u8) {
        for side in (0..2).filter(|side| self.cells[*side] == cell) {
            self.rows[side] |= 1 << number;
        }
    }

    /// Whether the cell that the primary names for a page lacks one of its acknowledged writes.
    pub(crate) fn has_lost(&self, saved: [u8; 2]) -> bool {
        Page::ALL.into_iter().any(|page| {
            let side = usize::from(self.routes[page as usize] == Placed::New);
            saved[page as usize] & !self.rows[side] != 0
        })
    }

    /// Whether both cells take writes of one page, or still work on one.
    pub(crate) fn has_two_takers(&self, works: impl Fn(Cell) -> bool) -> bool {
        let takes = |side: usize, page| self.takes_write(side, page) || works(self.cells[side]);
        Page::ALL.into_iter().any(|page| (0..2).all(|side| takes(side, page)))
    }
}

impl Cell {
    pub(crate) fn region(self) -> Region {
        if self == Self::Us1 { Region::Us } else { Region::Eu }
    }

    pub(crate) fn id(self) -> CellId {
        match self {
            Self::Us1 => CellId::us(1),
            Self::Eu0 => CellId::eu(0),
            Self::Eu1 => CellId::eu(1),
        }
    }
}

/// As scenarios have it: `cell_us1`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id().fmt(f)
    }
}

impl Region {
    /// The cells that the region's router picks from.
    pub(crate) fn cells(self) -> &'static [Cell] {
        match self {
            Self::Us => &[Cell::Us1],
            Self::Eu => &[Cell::Eu0, Cell::Eu1],
        }
    }
}

/// As scenarios have it: `US`.
impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Us => "US",
            Self::Eu => "EU",
        })
    }
}
