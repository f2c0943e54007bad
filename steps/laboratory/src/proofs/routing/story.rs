//! From a counterexample of routing to a scenario that plays it on the fleet, with the exchange that
//! the model says.

use cell_fleet::{Protocol, wire};
use conformance_suite::action::{
    Action, Framing, Person, RequestKind, Route, RouterAction, Until, WorldAction,
};

use super::machine::{At, HOPS, State, Step};
use super::world::{Cell, Mover, PHASES, Placed, Region, World};
use super::{Method, Routing, Status};
use crate::proofs::check::{Claimed, Path};
use crate::scenario::steps;

#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Story {
    given: Vec<String>,
    when: Vec<Action>,
    arrows: Vec<String>,
    /// Whether a router has picked a cell.
    picked: bool,
    /// How many phases of the move are told already.
    phases: u8,
}

/// The organization that moves, by the cell that it is on: its slug, a member, and its two pages. A
/// namespace that is created has none.
pub(crate) fn organization(
    mover: Mover,
    world: &World,
) -> (&'static str, &'static str, [&'static str; 2]) {
    match world.cells[0] {
        _ if mover == Mover::Creation => ("", "nina", ["/fresh-company", "/fresh-company/inner"]),
        Cell::Us1 => {
            ("not-my-organization", "nina", ["/not-my-company", "/not-my-company/not-my-project"])
        }
        Cell::Eu0 | Cell::Eu1 => {
            ("my-organization", "anna", ["/my-company", "/my-company/my-project"])
        }
    }
}

impl Story {
    /// The story of a path. `None` where the fleet has no action for it: two requests at once, a
    /// mover of another kind, or something that happens while a request is on its way.
    pub(crate) fn from_path(model: &Routing, path: &Path<Routing>) -> Option<Self> {
        if model.mover == Mover::Naive {
            return None;
        }
        let (first, _) = path.first()?;
        let (slug, member, pages) = organization(model.mover, &first.world);
        let person = Person(member.to_owned());
        let (given, when, arrows) = (Vec::new(), Vec::new(), Vec::new());
        let mut story = Self { given, when, arrows, picked: false, phases: 0 };
        story.given.extend(lag(&first.world));
        story.given.push(format!("{member} is signed in"));
        let mut now = first.clone();
        // The request that is under way, and whether its pre-flight's answer is held.
        let mut under_way: Option<(&str, Method, Option<Cell>)> = None;
        for (state, step) in path {
            let Some(step) = step else { break };
            match *step {
                Step::Handle(_) | Step::Finish(_) | Step::Deliver { .. } => {}
                Step::Send { page, method, router, pick } => {
                    story.end(model, &mut now, slug, &person, under_way.take())?;
                    now = model.after(&now, step)?;
                    story.phases_so_far(&now.world, slug, pages[0]);
                    under_way = Some((pages[page as usize], method, pick));
                    if router != Region::Eu || method == Method::Share {
                        return None;
                    }
                }
                step => {
                    if state.requests.is_empty() {
                        story.end(model, &mut now, slug, &person, under_way.take())?;
                    } else {
                        // The answer comes late, or the request after it, unless it was learned
                        // from.
                        let late = is_told(state) || step != Step::Expire;
                        let reads = |(_, method, _): &_| *method == Method::Get;
                        let (page, ..) = under_way.filter(|request| late && reads(request))?;
                        story.hold(model, &mut now, &person, page)?;
                    }
                    now = model.after(&now, &step)?;
                    story.world(step, &now.world, slug, pages[0]);
                }
            }
        }
        story.end(model, &mut now, slug, &person, under_way.take())?;
        if story.arrows.iter().any(|arrow| arrow == GIVES_UP) {
            story.given.push(format!("the hop limit is {}", HOPS));
        }
        story.given.push("a cold EU router".to_owned());
        Some(story)
    }

    /// What happens in addition to requests.
    fn world(&mut self, step: Step, world: &World, slug: &str, namespace: &str) {
        let action = match step {
            Step::Move { dies: true } => WorldAction::KillMover {
                organization: slug.to_owned(),
                cell: world.cells[1].id(),
                phase: PHASES[usize::from(world.done)].to_owned(),
            },
            Step::Release => WorldAction::ReleaseReplicas,
            Step::Restart(_) => WorldAction::Router {
                region: cell_fleet::Region::eu(),
                action: RouterAction::Restart,
            },
            Step::Expire => {
                self.short_lives();
                WorldAction::PassTimeToLive
            }
            // A phase is told with the last one before something else.
            _ => return,
        };
        self.phases_so_far(world, slug, namespace);
        self.when.push(Action::World(action));
    }

    /// The phases that are done and not told yet, as one step.
    fn phases_so_far(&mut self, world: &World, slug: &str, namespace: &str) {
        if world.done > self.phases {
            self.phases = world.done;
            self.when.push(Action::World(if slug.is_empty() {
                let path = namespace.to_owned();
                WorldAction::CreateNamespace { path, cell: world.cells[0].id() }
            } else {
                WorldAction::RunMove {
                    organization: slug.to_owned(),
                    cell: world.cells[1].id(),
                    through: PHASES[usize::from(world.done) - 1].to_owned(),
                    tried: false,
                }
            }));
        }
    }

    fn short_lives(&mut self) {
        let given = "cache entries live 400 ms";
        if !self.given.iter().any(|one| one == given) {
            self.given.push(given.to_owned());
        }
    }

    /// The answer to a pre-flight is held while something else happens.
    fn hold(
        &mut self,
        model: &Routing,
        now: &mut State,
        person: &Person,
        page: &str,
    ) -> Option<()> {
        let given = format!("every cell holds its response to a pre-flight about \"{page}\"");
        if self.given.contains(&given) {
            return is_told(now).then_some(());
        }
        let mut arrows = vec![format!("user->>router_eu: GET {page}")];
        while !is_told(now) {
            let step = model.drive(now)?;
            arrows.extend(model.arrows(now, &step, page));
            *now = model.after(now, &step)?;
        }
        // Nobody chooses who is asked while it is held, and all cells of the region answer alike.
        self.arrows.extend(arrows.into_iter().map(by_any));
        self.picked = true;
        self.given.push(given);
        self.when.push(Action::begin(person.clone(), page.to_owned(), Until::Arrived));
        Some(())
    }

    /// The request that is under way comes to its end.
    fn end(
        &mut self,
        model: &Routing,
        now: &mut State,
        slug: &str,
        person: &Person,
        under_way: Option<(&str, Method, Option<Cell>)>,
    ) -> Option<()> {
        let Some((page, method, pick)) = under_way else { return Some(()) };
        self.phases_so_far(&now.world, slug, page);
        let held = self.given.iter().any(|given| given.ends_with(&format!("about \"{page}\"")));
        let mut by_all = false;
        if held && is_told(now) {
            self.when.push(Action::World(WorldAction::Release));
        } else {
            // A scenario casts the picked cell once. Whom a router picks later has to be all one.
            let later = pick.is_some() && self.picked;
            if later && now.world.is_owned_in(Region::Eu) {
                return None;
            }
            // Nobody plays a part where no cell of the region knows the page.
            let is_unknown = *now.world.seen_in(Region::Eu) == [Placed::Nowhere; 2];
            by_all = later || is_unknown;
            let route = match pick {
                Some(pick) if !by_all => Route::Asking(pick.id()),
                _ => Route::Default,
            };
            self.picked |= pick.is_some();
            let target = page.to_owned();
            let request = match method {
                Method::Get => RequestKind::Visit { target },
                Method::Post | Method::Share => RequestKind::RandomBody {
                    method: "POST".to_owned(),
                    target,
                    length: 16,
                    framing: Framing::Plain,
                },
            };
            self.when.push(Action::request(person.clone(), request, route));
            self.arrows.push(format!("user->>router_eu: {} {page}", method.word()));
        }
        while let Some(step) = model.drive(now) {
            let arrows = model.arrows(now, &step, page).into_iter();
            self.arrows.extend(arrows.map(|arrow| if by_all { by_any(arrow) } else { arrow }));
            *now = model.after(now, &step)?;
        }
        Some(())
    }

    /// The scenario, below its tags and its title.
    pub(crate) fn as_gherkin(&self, requirement: &str) -> String {
        let when = self.when.iter().map(|action| action.as_gherkin().to_string()).collect();
        let mut text = steps(&[("Given", self.given.clone()), ("When", when)]);
        text.push_str(&format!("    Then the exchange was ({requirement})\n      \"\"\"\n"));
        for arrow in &self.arrows {
            text.push_str(&format!("      {arrow}\n"));
        }
        text.push_str("      \"\"\"\n");
        text
    }
}

/// An arrow, from or to whichever cell of Europe it is.
fn by_any(arrow: String) -> String {
    let Some((from, rest)) = arrow.split_once(": ") else { return arrow };
    let from = from.replace("cell_eu0", "any_eu_cell").replace("cell_eu1", "any_eu_cell");
    format!("{from}: {rest}")
}

fn lag(world: &World) -> Option<String> {
    match world.lags {
        [false, false] => None,
        [true, true] => Some("the replicas lag until they are released".to_owned()),
        [us, _] => {
            let region = if us { "US" } else { "EU" };
            Some(format!("the replicas of the {region} region lag until they are released"))
        }
    }
}

const GIVES_UP: &str = "router_eu-->>user: 508";

impl Routing {
    /// The next step of the one request in flight; none where there is none.
    pub(crate) fn drive(&self, state: &State) -> Option<Step> {
        let mut steps = Vec::new();
        self.steps(state, &mut steps);
        steps.into_iter().next().filter(|_| !state.requests.is_empty())
    }

    /// The arrows of a step of the one request in flight, for a page.
    fn arrows(&self, state: &State, step: &Step, path: &str) -> Vec<String> {
        let Some(request) = state.requests.first() else { return Vec::new() };
        let method = request.method.word();
        match (step, request.at) {
            (Step::Handle(_), At::Asks(cell)) => {
                let (owner, _) = request.owner(&state.world, cell);
                let answer = owner.map_or("404".to_owned(), |owner| {
                    let covered = organization(self.mover, &state.world).2[0];
                    format!("200 {{path: \"{covered}\", cell: \"{owner}\", source: \"routable\"}}")
                });
                vec![
                    "%% choice LN-17".to_owned(),
                    format!("router_eu->>{cell}: GET {{learn}}?method={method}&path_info={path}"),
                    format!("{cell}-->>router_eu: {answer}"),
                ]
            }
            (Step::Handle(_), At::To(cell)) => {
                let mut arrows = vec![format!("router_eu->>{cell}: {method} {path}")];
                let (owner, _) = request.owner(&state.world, cell);
                let bounces = self.protocol == Protocol::Buffering;
                if let Some(owner) = owner.filter(|owner| bounces && *owner != cell) {
                    let value = wire::redirect_value(&owner.id().name());
                    arrows
                        .push(format!("{cell}-->>router_eu: 302 {}={value}", wire::CELL_REDIRECT));
                    if request.hops == HOPS {
                        arrows.push(GIVES_UP.to_owned());
                    }
                }
                arrows
            }
            // What no cell knows goes to the latest deployment.
            (Step::Deliver { .. }, At::Told(_, None)) => {
                vec![format!("router_eu->>cell_us0: {method} {path}")]
            }
            (Step::Deliver { .. }, At::Back { status: Status::NotFound, newer: None, .. })
                if self.protocol == Protocol::Learning =>
            {
                vec!["cell_us0-->>user: 404".to_owned()]
            }
            (Step::Deliver { .. }, At::Back { cell, status, .. }) => match status {
                Status::Ok => vec![format!("{cell}-->>user: 200")],
                Status::NotFound => vec![format!("{cell}-->>user: 404")],
                Status::Frozen => vec![format!("{cell}-->>user: 503")],
                // Written where the last cell bounces.
                Status::Loop => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// Whether the answer to the pre-flight of the one request is on its way.
fn is_told(state: &State) -> bool {
    state.requests.first().is_some_and(|request| matches!(request.at, At::Told(..)))
}
