//! The properties of ids.

use super::asked::{Answered, Asked, Question, answer};
use super::check::check;
use super::ids::{Claim, Ids, Strategy};

/// The strategies whose ids say something of a cell.
const NAMING: [Strategy; 2] = [Strategy::CellBits, Strategy::Ranges { torn: false }];
const ALL: [Strategy; 4] =
    [Strategy::Uuid, Strategy::CellBits, Strategy::Ranges { torn: false }, Strategy::SomeTables];

fn question(strategy: Strategy, claim: Claim) -> Question {
    Question { mended: false, ask: Box::new(move |_| checked(strategy, claim)) }
}

fn checked(strategy: Strategy, claim: Claim) -> Answered {
    let subject = match strategy {
        Strategy::Uuid => "UUIDs (3.1)",
        Strategy::CellBits => "the cell in the id (3.2)",
        Strategy::Ranges { torn: false } => "ranges (3.3)",
        Strategy::Ranges { torn: true } => "ranges (3.3), counter read and written apart",
        Strategy::SomeTables => "some tables (3.4)",
    };
    let model = Ids { strategy, claim };
    let result = check(&model);
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
