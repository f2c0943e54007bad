//! The model of ids against the cells: after each step, all rows are read, and each is looked for
//! by its id and by the link that was made with it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::mem::discriminant;

use cell_fleet::{CellId, FleetPlan, IdDisturbance, IdPlan, IdStrategy, Protocol, cell_number_of};

use super::cells::Cells;
use super::{Walk, Walks};
use crate::proofs::ids::{Claim, Ids, State, Step, Strategy};

/// A cell asks for a range when it inserts a row, so the central place cannot crash for one that has
/// no project.
fn can(state: &State, step: &Step) -> bool {
    !matches!(step, Step::Crash(cell) if project_on(state, *cell).is_none())
}

/// A cell asks for a range when it needs one for a row.
fn joined(state: &State, step: &Step, next: Option<&Step>) -> bool {
    match (step, next) {
        (Step::Refill(_), None) => true,
        (Step::Refill(cell), Some(Step::Insert(project))) => state.cell(*project) == *cell,
        _ => false,
    }
}

fn project_on(state: &State, cell: usize) -> Option<usize> {
    (0..2).rev().find(|project| state.cell(*project) == cell)
}

/// The cells of the model, and its projects: each with its organization and a member.
const CELLS: [fn() -> CellId; 2] = [|| CellId::eu(0), || CellId::us(1)];
const PROJECTS: [(u64, &str); 2] = [(5001, "anna"), (5101, "nina")];

fn plan(strategy: Strategy) -> FleetPlan {
    let id_plan = IdPlan {
        range_size: 2,
        refill_ahead: 0,
        ..IdPlan::of(match strategy {
            Strategy::Uuid => IdStrategy::Uuid,
            Strategy::CellBits => IdStrategy::CellBits,
            Strategy::Ranges { .. } => IdStrategy::Ranges,
            Strategy::SomeTables => IdStrategy::SomeTables,
        })
    };
    FleetPlan { id_plan, ..FleetPlan::documents(Protocol::Buffering) }
}

struct Real {
    cells: Cells,
    members: [String; 2],
    /// The member that has the id of a row; with UUIDs, a number is next to it.
    id: &'static str,
    /// The ids that the links have which were made with the rows.
    links: Vec<String>,
}

impl Real {
    async fn begin(strategy: Strategy) -> Self {
        let cells = Cells::start(plan(strategy)).await;
        let mut members = [String::new(), String::new()];
        for (member, (_, name)) in members.iter_mut().zip(PROJECTS) {
            *member = cells.fleet.sign_in(name).await.unwrap().value;
        }
        let id = if strategy == Strategy::Uuid { "uuid" } else { "id" };
        Self { cells, members, id, links: Vec::new() }
    }

    async fn step(&mut self, before: &State, step: &Step) {
        match *step {
            // The row behind it makes the cell ask.
            Step::Refill(_) => {}
            Step::Insert(project) => {
                let title = format!("row{}", self.links.len());
                let (status, body) = self.insert(before, project, &title).await;
                assert_eq!(status, 201, "{body}");
                self.links.push(member(&body, self.id).expect(&body));
            }
            Step::Crash(cell) => {
                self.cells.fleet.installation().disturb_ids(IdDisturbance::Crash);
                let project = project_on(before, cell).expect("a project on the cell");
                let (status, body) = self.insert(before, project, "none").await;
                assert_eq!(status, 503, "{body}");
            }
            Step::Move => {
                let to = CELLS[1]();
                self.cells.fleet.move_organization("my-organization", &to).await.unwrap();
            }
        }
    }

    async fn insert(&self, state: &State, project: usize, title: &str) -> (u16, String) {
        let (cell, number) = (CELLS[state.cell(project)](), PROJECTS[project].0);
        let target = format!("/api/v4/projects/{number}/merge_requests");
        let body = format!("{{\"title\": \"{title}\"}}");
        let asked = self.cells.ask(&cell, &target, &self.members[project], Some(&body)).await;
        (asked.status, asked.body)
    }

    /// What a member of the project gets from a cell.
    async fn read(&self, cell: usize, project: usize, target: &str) -> (u16, String) {
        let asked = self.cells.ask(&CELLS[cell](), target, &self.members[project], None).await;
        (asked.status, asked.body)
    }

    /// The ids of all rows now, by their titles.
    async fn ids(&self, state: &State) -> BTreeMap<String, String> {
        let mut ids = BTreeMap::new();
        for (project, (number, _)) in PROJECTS.iter().enumerate() {
            let target = format!("/api/v4/projects/{number}/merge_requests");
            let (status, body) = self.read(state.cell(project), project, &target).await;
            assert_eq!(status, 200, "{body}");
            for row in body.split("},{").filter(|row| row.contains("\"title\"")) {
                let (title, id) = (member(row, "title"), member(row, self.id));
                ids.insert(title.expect(row), id.expect(row));
            }
        }
        ids
    }
}

/// A member of a JSON object that is flat.
fn member(json: &str, name: &str) -> Option<String> {
    let (_, rest) = json.split_once(&format!("\"{name}\":"))?;
    let value = rest.split([',', '}']).next()?;
    Some(value.trim_matches('"').to_owned())
}

async fn compare(model: &Ids, state: &State, real: &Real, told: &dyn Fn() -> String) {
    let ids = real.ids(state).await;
    assert_eq!(ids.len(), state.rows.len(), "{}", told());
    let now = |place: usize| ids[&format!("row{place}")].clone();
    // Ids of the model and of the cells are one for one, whenever they were given.
    let mut pairs = BTreeSet::new();
    for (place, row) in state.rows.iter().enumerate() {
        pairs.insert((row.id, now(place)));
        pairs.insert((row.link, real.links[place].clone()));
    }
    let models: BTreeSet<_> = pairs.iter().map(|(id, _)| id).collect();
    let reals: BTreeSet<_> = pairs.iter().map(|(_, id)| id).collect();
    assert!(models.len() == pairs.len() && reals.len() == pairs.len(), "{pairs:?}, {}", told());
    if matches!(model.strategy, Strategy::Ranges { .. } | Strategy::SomeTables) {
        let apart =
            pairs.iter().map(|((_, model), real)| real.parse::<u64>().unwrap() - u64::from(*model));
        assert!(apart.collect::<BTreeSet<_>>().len() <= 1, "gaps: {pairs:?}, {}", told());
    }
    for (place, row) in state.rows.iter().enumerate() {
        let number = PROJECTS[row.project].0;
        if let (Some(cell), Strategy::CellBits) = (row.id.0, model.strategy) {
            let cells = plan(model.strategy);
            let bits = cells.id_plan.numbers(&cells.topology)[&CELLS[cell]()];
            assert_eq!(cell_number_of(now(place).parse().unwrap()), bits);
        }
        // The cell to which the id leads has the row; where it leads to none, that of the project.
        let found = match model.strategy {
            Strategy::SomeTables => {
                format!("/api/v4/projects/{number}/merge_requests/id/{}", now(place))
            }
            _ => format!("/api/v4/merge_requests/{}", now(place)),
        };
        let cell = match model.strategy {
            Strategy::Uuid | Strategy::SomeTables => row.cell(state),
            _ => model.leads_to(state, row, true).expect("each row is found"),
        };
        let (status, body) = real.read(cell, row.project, &found).await;
        assert_eq!((status, member(&body, "title")), (200, Some(format!("row{place}"))), "{body}");
        // By the link of its first day, what the model meets.
        let link = format!("/api/v4/projects/{number}/merge_requests/id/{}", real.links[place]);
        let (status, body) = real.read(state.cell(row.project), row.project, &link).await;
        let met = state.met_by(row).and_then(|met| state.rows.iter().position(|it| it == met));
        let title = met.map(|place| format!("row{place}"));
        assert_eq!(
            (status == 200, member(&body, "title").filter(|_| status == 200)),
            (title.is_some(), title),
            "{link}: {body}"
        );
    }
}

/// The steps that are told where cells and model differ.
fn told(model: &Ids, walk: &Walk<Ids>, most: usize) -> String {
    let words =
        walk.taken().take(most).map(|(before, step, after)| model.words(before, *step, after));
    format!("{:?}: {}", model.strategy, words.collect::<Vec<_>>().join("; "))
}

/// Replays all that cells can do within `most` steps.
async fn replay_all(strategy: Strategy, most: usize, kinds: usize) {
    let model = Ids { strategy, claim: Claim::Unique };
    let walks = Walks { model: &model, most, can, joined };
    let all = walks.longest();
    let steps = all.iter().flat_map(|walk| &walk.steps);
    assert_eq!(steps.map(|(step, _)| discriminant(step)).collect::<HashSet<_>>().len(), kinds);
    for walk in &all {
        let mut real = Real::begin(strategy).await;
        for (number, (before, step, after)) in walk.taken().enumerate() {
            real.step(before, step).await;
            if !joined(before, step, None) {
                let told = || told(&model, walk, number + 1);
                compare(&model, after, &real, &told).await;
            }
        }
        real.cells.fleet.stop().await.unwrap();
    }
}

#[tokio::test]
async fn cells_with_uuids_do_what_the_model_does() {
    replay_all(Strategy::Uuid, 5, 2).await;
}

#[tokio::test]
async fn cells_with_bits_in_ids_do_what_the_model_does() {
    replay_all(Strategy::CellBits, 5, 2).await;
}

#[tokio::test]
async fn cells_with_ranges_do_what_the_model_does() {
    replay_all(Strategy::Ranges { torn: false }, 6, 4).await;
}

#[tokio::test]
async fn cells_with_unique_ids_in_some_tables_do_what_the_model_does() {
    replay_all(Strategy::SomeTables, 5, 2).await;
}
