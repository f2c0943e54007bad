//! Ids (Cells: Database Sequences): two cells, each with a project; four inserts of merge requests,
//! and one move of the first cell's project; and what is claimed of them.

use super::check::{Claimed, check};
use super::{Answered, Asked, Question, answer};
use conformance_suite::stage::Stop;

/// A strategy of the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    /// 3.1
    Uuid,
    /// 3.2
    CellBits,
    /// 3.3
    Ranges {
        /// Whether the central place reads its counter and writes it in two steps.
        torn: bool,
    },
    /// 3.4
    SomeTables,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Claim {
    /// No two rows have one id, on whatever cell.
    Unique,
    /// A look-up finds every row. It goes by the id, and by a table of moved rows, if there is one.
    Found {
        /// Whether there is such a table.
        moved_rows: bool,
    },
    /// A link, made when the row was and with the project in it, leads to its row or to none.
    TrueLinks,
}

#[derive(Clone, Debug)]
struct Ids {
    strategy: Strategy,
    claim: Claim,
}

const INSERTS: usize = 4;
const RANGE: u8 = 2;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    rows: Vec<Row>,
    /// The cell of the first project, which moves; that of the second is cell 1.
    moved: bool,
    /// How many ids each cell has drawn by itself.
    drawn: [u8; 2],
    /// What is left of each cell's range: the next id, and the end.
    range: [(u8, u8); 2],
    /// Who got which range: the beginning, and the cell.
    record: Vec<(u8, usize)>,
    /// The counter of the central place, and what a cell's refill has read of it.
    counter: u8,
    read: [Option<u8>; 2],
    crashed: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Row {
    project: usize,
    /// What the id says of its cell, if it does, and the number.
    id: (Option<usize>, u8),
    /// The id of the links that were made with the row.
    link: (Option<usize>, u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// A merge request of a project is inserted.
    Insert(usize),
    /// A cell gets a range; or the central place reads its counter for it.
    Refill(usize),
    /// The central place crashes once, after its counter has moved.
    Crash(usize),
    /// The first project moves to cell 1.
    Move,
}

impl Claimed for Ids {
    type State = State;
    type Step = Step;

    fn beginnings(&self) -> Vec<State> {
        vec![State {
            rows: Vec::new(),
            moved: false,
            drawn: [0; 2],
            range: [(0, 0); 2],
            record: Vec::new(),
            counter: 0,
            read: [None; 2],
            crashed: false,
        }]
    }

    fn steps(&self, _: &State, steps: &mut Vec<Step>) {
        steps.push(Step::Move);
        steps.extend([Step::Insert(0), Step::Insert(1)]);
        if matches!(self.strategy, Strategy::Ranges { .. }) {
            steps.extend([Step::Refill(0), Step::Refill(1), Step::Crash(0), Step::Crash(1)]);
        }
    }

    fn after(&self, state: &State, step: &Step) -> Option<State> {
        let mut next = state.clone();
        match *step {
            Step::Insert(project) => {
                if state.rows.len() == INSERTS {
                    return None;
                }
                let id = next.draw(self.strategy, state.cell(project))?;
                next.rows.push(Row { project, id, link: id });
            }
            Step::Refill(cell) => {
                let (at, end) = state.range[cell];
                if at < end || state.counter > RANGE * INSERTS as u8 {
                    return None;
                }
                match (self.strategy, state.read[cell]) {
                    (Strategy::Ranges { torn: true }, None) => {
                        next.read[cell] = Some(state.counter);
                    }
                    (_, read) => {
                        let begin = read.unwrap_or(state.counter);
                        next.read[cell] = None;
                        next.counter = begin + RANGE;
                        next.range[cell] = (begin, begin + RANGE);
                        next.record.push((begin, cell));
                    }
                }
            }
            Step::Crash(cell) => {
                let (at, end) = state.range[cell];
                if state.crashed || at < end {
                    return None;
                }
                next.crashed = true;
                next.counter += RANGE;
                next.read[cell] = None;
            }
            Step::Move => {
                if state.moved {
                    return None;
                }
                next.moved = true;
                if self.strategy == Strategy::SomeTables {
                    for place in 0..next.rows.len() {
                        if next.rows[place].project == 0 {
                            next.rows[place].id = next.draw(self.strategy, 1)?;
                        }
                    }
                }
            }
        }
        Some(next)
    }

    fn is_bad(&self, state: &State) -> bool {
        let rows = &state.rows;
        match self.claim {
            Claim::Unique => {
                let same = |one: &Row| rows.iter().filter(|other| other.id == one.id).count() > 1;
                rows.iter().any(same)
            }
            Claim::Found { moved_rows } => rows
                .iter()
                .any(|row| self.leads_to(state, row, moved_rows) != Some(row.cell(state))),
            Claim::TrueLinks => {
                rows.iter().any(|row| state.met_by(row).is_some_and(|met| met != row))
            }
        }
    }
}

impl Ids {
    /// The cell to which a row's id leads. A UUID leads to none, nor does an id of one cell alone.
    fn leads_to(&self, state: &State, row: &Row, moved_rows: bool) -> Option<usize> {
        if moved_rows && state.moved && row.project == 0 {
            return Some(1);
        }
        match self.strategy {
            Strategy::Uuid | Strategy::SomeTables => None,
            Strategy::CellBits => row.id.0,
            Strategy::Ranges { .. } => {
                let found = state
                    .record
                    .iter()
                    .find(|(begin, _)| (*begin..begin + RANGE).contains(&row.id.1));
                found.map(|(_, cell)| *cell)
            }
        }
    }

    fn words(&self, before: &State, step: Step, after: &State) -> String {
        let project = |number: usize| ["P", "Q"][number];
        let row = |row: &Row| match row.id {
            (Some(cell), number) => format!("{number} of cell {cell}"),
            (None, number) => number.to_string(),
        };
        match step {
            Step::Insert(number) => {
                let id = after.rows.last().map(row).unwrap_or_default();
                format!(
                    "a row of project {} gets the id {id} on cell {}",
                    project(number),
                    before.cell(number)
                )
            }
            Step::Refill(cell) => match after.read[cell] {
                Some(read) => {
                    format!("for cell {cell}, the central place reads its counter: {read}")
                }
                None => format!("cell {cell} gets the ids from {}", after.range[cell].0),
            },
            Step::Crash(cell) => {
                format!("the central place crashes after it has moved its counter for cell {cell}")
            }
            Step::Move => {
                let ids: Vec<_> =
                    after.rows.iter().filter(|row| row.project == 0).map(row).collect();
                let with = if ids.is_empty() {
                    String::new()
                } else {
                    format!(", with {}", ids.join(", "))
                };
                format!("project P moves from cell 0 to cell 1{with}")
            }
        }
    }
}

impl State {
    fn cell(&self, project: usize) -> usize {
        if self.moved { 1 } else { project }
    }

    /// The row that the link of a row leads to.
    fn met_by(&self, row: &Row) -> Option<&Row> {
        self.rows.iter().find(|it| it.project == row.project && it.id == row.link)
    }

    /// The id of a new row on a cell; `None` where it waits for a range.
    fn draw(&mut self, strategy: Strategy, cell: usize) -> Option<(Option<usize>, u8)> {
        match strategy {
            Strategy::Uuid => {
                self.counter += 1;
                Some((None, self.counter))
            }
            Strategy::Ranges { .. } => {
                let (next, end) = self.range[cell];
                self.range[cell].0 += 1;
                (next < end).then_some((None, next))
            }
            Strategy::CellBits | Strategy::SomeTables => {
                self.drawn[cell] += 1;
                let named = (strategy == Strategy::CellBits).then_some(cell);
                Some((named, self.drawn[cell]))
            }
        }
    }
}

impl Row {
    fn cell(&self, state: &State) -> usize {
        state.cell(self.project)
    }
}

/// The strategies whose ids say something of a cell.
const NAMING: [Strategy; 2] = [Strategy::CellBits, Strategy::Ranges { torn: false }];
const ALL: [Strategy; 4] =
    [Strategy::Uuid, Strategy::CellBits, Strategy::Ranges { torn: false }, Strategy::SomeTables];

fn question(strategy: Strategy, claim: Claim) -> Question {
    Question { mended: false, ask: Box::new(move |_, stop| checked(strategy, claim, stop)) }
}

fn checked(strategy: Strategy, claim: Claim, stop: &Stop) -> Answered {
    let subject = match strategy {
        Strategy::Uuid => "UUIDs (3.1)",
        Strategy::CellBits => "the cell in the id (3.2)",
        Strategy::Ranges { torn: false } => "ranges (3.3)",
        Strategy::Ranges { torn: true } => "ranges (3.3), counter read and written apart",
        Strategy::SomeTables => "some tables (3.4)",
    };
    let model = Ids { strategy, claim };
    let result = check(&model, stop);
    let path = result.broken.iter().flat_map(|path| path.windows(2));
    let steps = path.filter_map(|pair| match pair {
        [(before, step), (after, _)] => Some(model.words(before, (*step)?, after)),
        _ => None,
    });
    let bounds = "2 cells, 4 inserts, one move, one crash of the allocator".to_owned();
    let steps = steps.collect();
    Answered { answer: answer(subject, bounds, &result, steps), story: None }
}

/// The properties, in the order in which they are read.
pub(super) fn properties() -> Vec<Asked> {
    let all = |claim| Vec::from(ALL.map(|strategy| question(strategy, claim)));
    let found = |moved_rows| {
        Vec::from(NAMING.map(|strategy| question(strategy, Claim::Found { moved_rows })))
    };
    let mut unique = all(Claim::Unique);
    unique.push(question(Strategy::Ranges { torn: true }, Claim::Unique));
    vec![
        Asked {
            id: "unique-ids",
            says: "No two rows of the installation have one id.",
            source: "ID-01, ID-37, ID-41; Database Sequences 3.1 to 3.4",
            questions: unique,
        },
        Asked {
            id: "found-by-id",
            says: "Every row is found by what its id says of its cell. UUIDs (3.1) and local ids (3.4) \
                   say nothing of it.",
            source: "ID-05, ID-23, ID-34; Database Sequences 3.2, 3.3",
            questions: found(false),
        },
        Asked {
            id: "found-by-table",
            says: "Every row is found by its id and a table of the rows that moved.",
            source: "ID-23, ID-34; Database Sequences 3.2, 3.3",
            questions: found(true),
        },
        Asked {
            id: "true-links",
            says: "A link by project and id leads to the row that it was made for, or to none.",
            source: "ID-45; Database Sequences 3.4",
            questions: all(Claim::TrueLinks),
        },
    ]
}
