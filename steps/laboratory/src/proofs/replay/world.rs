//! The world of both models of routing against the cells, with the fleet's mover: behind each walk,
//! each cell is asked for both pages, and takes a write or does not.

use std::collections::BTreeSet;

use cell_fleet::{CellId, FleetPlan, MovePhase, Protocol, Region, ReplicationLag};

use super::cells::Cells;
use super::{Walk, Walks};
use crate::proofs::check::Claimed;
use crate::proofs::routing::story::organization;
use crate::proofs::routing::world::{Cell, Mover, PHASES, Page, Placed, World};

/// The world, with nothing in it but the mover, the replicas and one write.
#[derive(Clone)]
struct Alone;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    world: World,
    written: bool,
    died: bool,
}

/// What happens in addition to requests in the models of routing, and a write that a cell takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Move { dies: bool },
    Release,
    Write(Cell),
}

impl Claimed for Alone {
    type State = State;
    type Step = Step;

    fn beginnings(&self) -> Vec<State> {
        let worlds = World::beginnings(Mover::Phases, true).into_iter();
        worlds.map(|world| State { world, written: false, died: false }).collect()
    }

    fn steps(&self, _: &State, steps: &mut Vec<Step>) {
        steps.extend([false, true].map(|dies| Step::Move { dies }));
        steps.push(Step::Release);
        steps.extend([Cell::Us1, Cell::Eu0, Cell::Eu1].map(Step::Write));
    }

    fn after(&self, state: &State, step: &Step) -> Option<State> {
        let mut next = state.clone();
        match *step {
            Step::Move { dies } => {
                if dies && state.died || !state.world.may_go_on(Mover::Phases, false) {
                    return None;
                }
                next.world.go_on(Mover::Phases, dies);
                next.died |= dies;
            }
            Step::Release if state.world.lags == [false; 2] => return None,
            Step::Release => next.world.lags = [false; 2],
            Step::Write(cell) => {
                let taken = (0..2).any(|side| {
                    state.world.cells[side] == cell && state.world.takes_write(side, Page::Inner)
                });
                if state.written || !taken {
                    return None;
                }
                next.world.write(cell, 0);
                next.written = true;
            }
        }
        Some(next)
    }

    fn is_bad(&self, _: &State) -> bool {
        false
    }
}

/// A project of the organization that moves.
fn project(world: &World) -> u64 {
    if world.cells[0] == Cell::Us1 { 5101 } else { 5001 }
}

struct Real {
    cells: Cells,
    session: String,
}

impl Real {
    async fn begin(world: &World) -> Self {
        let (lag, lagging) = match world.lags {
            [false, false] => (ReplicationLag::None, None),
            [false, true] => (ReplicationLag::UntilReleased, Some(Region::eu())),
            [true, false] => (ReplicationLag::UntilReleased, Some(Region::us())),
            [true, true] => (ReplicationLag::UntilReleased, None),
        };
        let plan = FleetPlan { lag, lagging, ..FleetPlan::documents(Protocol::Buffering) };
        let cells = Cells::start(plan).await;
        let session =
            cells.fleet.sign_in(organization(Mover::Phases, world).1).await.unwrap().value;
        Self { cells, session }
    }

    async fn step(&self, before: &World, step: Step) {
        let (slug, ..) = organization(Mover::Phases, before);
        let (to, fleet) = (before.cells[1].id(), &self.cells.fleet);
        match step {
            Step::Move { dies } => {
                let phase: MovePhase = PHASES[usize::from(before.done)].parse().unwrap();
                let installation = fleet.installation();
                match dies {
                    true => installation.kill_mover_in(slug, &to, phase).await.unwrap(),
                    false => installation.run_move(slug, &to, phase).await.unwrap(),
                }
            }
            Step::Release => self.cells.release().await,
            Step::Write(by) => {
                assert_eq!(self.write(by.id(), project(before), "kept").await.0, 201);
            }
        }
    }

    async fn write(&self, by: CellId, project: u64, title: &str) -> (u16, Option<String>) {
        let target = format!("/api/v4/projects/{project}/merge_requests");
        let body = format!("{{\"title\": \"{title}\"}}");
        let response = self.cells.ask(&by, &target, &self.session, Some(&body)).await;
        (response.status, response.redirect)
    }
}

/// What a cell responds where another one has the page.
fn bounce(to: Cell) -> (u16, Option<String>) {
    (302, Some(format!("{{cell:{}}}", to.id().name())))
}

async fn compare(state: &State, real: &Real, told: &str) {
    let world = &state.world;
    let (slug, _, [namespace, _]) = organization(Mover::Phases, world);
    let project = project(world);
    // A mover that dies in the switch has placed the organization, and not its namespaces.
    let pages = [format!("/organizations/{slug}/-/dashboard"), namespace.to_owned()];
    for (page, path) in Page::ALL.into_iter().zip(&pages) {
        for asked in [Cell::Us1, Cell::Eu0, Cell::Eu1] {
            let response = real.cells.ask(&asked.id(), path, &real.session, None).await;
            let owner = world.cell(world.seen_in(asked.region())[page as usize]).unwrap();
            let says = if owner == asked { (200, None) } else { bounce(owner) };
            assert_eq!((response.status, response.redirect), says, "{path} at {asked:?}, {told}");
        }
    }
    // The owner, as the primary has it, has the write or has it not.
    let side = usize::from(world.routes[Page::Inner as usize] == Placed::New);
    let owner = world.cells[side];
    if world.cell(world.seen_in(owner.region())[Page::Inner as usize]) == Some(owner) {
        let list = format!("/api/v4/projects/{project}/merge_requests");
        let response = real.cells.ask(&owner.id(), &list, &real.session, None).await;
        let has = response.body.contains("kept");
        assert_eq!(has, world.has(side, 0), "the write at {owner:?}, {told}");
    }
    for side in 0..2 {
        let by = world.cells[side];
        let owner = world.cell(world.seen_in(by.region())[Page::Inner as usize]).unwrap();
        let says = match owner == by {
            true if world.takes_write(side, Page::Inner) => (201, None),
            true => (503, None),
            false => bounce(owner),
        };
        assert_eq!(real.write(by.id(), project, "later").await, says, "{by:?}, {told}");
    }
}

fn told(walk: &Walk<Alone>) -> String {
    let world = &walk.beginning.world;
    let steps: Vec<_> = walk.steps.iter().map(|(step, _)| format!("{step:?}")).collect();
    format!("{:?}, lag {:?}: {}", world.cells, world.lags, steps.join("; "))
}

#[tokio::test]
async fn cells_and_the_mover_do_what_the_model_does() {
    let walks = Walks { model: &Alone, most: 10, can: |_, _| true, joined: |_, _, _| false };
    let all = walks.all();
    // The mover goes on from each phase, and dies in each.
    let moves = all.iter().flat_map(Walk::taken).filter_map(|(before, step, _)| match step {
        Step::Move { dies } => Some((before.world.done, *dies)),
        _ => None,
    });
    assert_eq!(moves.collect::<BTreeSet<_>>().len(), 2 * PHASES.len());
    for walk in &all {
        let real = Real::begin(&walk.beginning.world).await;
        for (before, step, _) in walk.taken() {
            real.step(&before.world, *step).await;
        }
        compare(walk.end(), &real, &told(walk)).await;
        real.cells.fleet.stop().await.unwrap();
    }
}
