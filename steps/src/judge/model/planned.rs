//! What the model knows of a scenario, from its plan and its actions.

use std::time::Duration;

use cell_fleet::fault::{Fault, ResponseFault};
use cell_fleet::population::Home;
use cell_fleet::{CellId, Protocol, Region, ReplicationLag};

use super::exchange::Span;
use super::installation::{Installation, Place};
use crate::action::{Action, CellGroup, RouterAction, WorldAction, rooted};
use crate::plan::ScenarioPlan;

impl Installation {
    /// The installation of a plan, in the course of the actions.
    pub(crate) fn of(plan: &ScenarioPlan, actions: &[Action]) -> Self {
        let topology = &plan.fleet.topology;
        let (troubles, absences) = changes(plan, actions);
        Self {
            protocol: plan.fleet.protocol,
            cells: topology.cells.clone(),
            latest: topology.latest.clone(),
            places: places(plan, actions),
            troubles,
            absences,
            ttl: Duration::from_millis(plan.settings.ttl_ms),
            max_entries: plan.settings.max_entries,
            max_body: match plan.fleet.protocol {
                Protocol::Buffering => plan.settings.max_buffered_body_bytes,
                Protocol::Learning => u64::MAX,
            },
        }
    }
}

/// The end of a place whose former owner may serve it until the replicas have the move.
const LAGGING: usize = usize::MAX - 1;

/// A place, and the organization with which it moves.
type Owned = (Place, Option<String>);

/// Who owns what, and when.
fn places(plan: &ScenarioPlan, actions: &[Action]) -> Vec<Place> {
    let mut places = at_first(plan);
    // Cells go by their replicas: until these have a move, the former owner may serve the place.
    let mut lags = plan.fleet.lag != ReplicationLag::None;
    for (number, action) in actions.iter().enumerate() {
        let Action::World(action) = action else { continue };
        let now = number + 1;
        match action {
            WorldAction::MoveOrganization { organization, cell } => {
                change(&mut places, now, lags, |place, with| {
                    let moved = with.as_ref() == Some(organization);
                    moved.then(|| Place { cell: cell.clone(), ..place.clone() })
                });
            }
            WorldAction::HoldReplicas { .. } => lags = true,
            WorldAction::ReleaseReplicas => {
                let lagging = places.iter_mut().filter(|(place, _)| place.span.to == LAGGING);
                lagging.for_each(|(place, _)| place.span.to = now);
            }
            // Where replicas lag, it is not known which cells know a new path.
            WorldAction::CreateNamespace { path, cell } if !lags => {
                let place = Place {
                    path: rooted(path),
                    exact: false,
                    cell: cell.clone(),
                    span: since(now),
                };
                places.push((place, None));
            }
            WorldAction::RenameNamespace { path, to } => {
                let (path, to) = (rooted(path), rooted(to));
                change(&mut places, now, false, |place, _| {
                    let rest = place.path.strip_prefix(&path)?;
                    let is_below = rest.is_empty() || rest.starts_with('/');
                    is_below.then(|| Place { path: format!("{to}{rest}"), ..place.clone() })
                });
            }
            _ => {}
        }
    }
    places.into_iter().map(|(place, _)| place).collect()
}

/// Ends the places that become others, and begins the others.
fn change(
    places: &mut Vec<Owned>,
    now: usize,
    lags: bool,
    other: impl Fn(&Place, &Option<String>) -> Option<Place>,
) {
    let mut begun = Vec::new();
    for (place, with) in places.iter_mut().filter(|(place, _)| place.span.to == usize::MAX) {
        if let Some(other) = other(place, with) {
            place.span.to = if lags { LAGGING } else { now };
            begun.push((Place { span: since(now), ..other }, with.clone()));
        }
    }
    places.extend(begun);
}

fn since(now: usize) -> Span {
    Span { from: now, to: usize::MAX }
}

/// Who owns what at the beginning.
fn at_first(plan: &ScenarioPlan) -> Vec<Owned> {
    let fleet = &plan.fleet;
    let topology = &fleet.topology;
    let mut places = Vec::new();
    let mut place = |path: String, exact, cell: &CellId, with: Option<&String>| {
        let cell = topology.present(cell);
        places.push((Place { path, exact, cell, span: Span::ALWAYS }, with.cloned()));
    };
    for route in &fleet.population.routes {
        let path = route.path.strip_suffix('/').unwrap_or(&route.path).to_owned();
        place(path, route.exact, &route.cell, None);
    }
    for organization in &fleet.population.organizations {
        let (slug, cell) = (&organization.slug, &organization.placement.cell);
        for parent in ["/organizations", "/api/organizations"] {
            place(format!("{parent}/{slug}"), false, cell, Some(slug));
        }
    }
    for namespace in &fleet.population.namespaces {
        let path = format!("/{}", namespace.path);
        let (home, with) = match &namespace.home {
            Home::Organization(slug) => {
                let found = fleet.population.organizations.iter().find(|it| it.slug == *slug);
                (found.map_or(&topology.latest, |it| &it.placement.cell), Some(slug))
            }
            Home::Public => (&topology.latest, None),
            Home::Cell(cell) => (cell, None),
        };
        for project in &namespace.projects {
            if let Some(cell) = &project.cell {
                place(format!("{path}/{}", project.path), false, cell, None);
            }
            if let Some(id) = project.id {
                let cell = project.cell.as_ref().unwrap_or(home);
                place(format!("/api/v4/projects/{id}"), false, cell, with);
            }
        }
        place(path, false, home, with);
    }
    // The fleet moves all rows below an organization's namespace with it.
    let of_organizations: Vec<Owned> =
        places.iter().filter(|(_, with)| with.is_some()).cloned().collect();
    for (place, with) in places.iter_mut().filter(|(_, with)| with.is_none()) {
        let below = |(above, _): &&Owned| place.path.starts_with(&format!("{}/", above.path));
        *with = of_organizations.iter().find(below).and_then(|(_, slug)| slug.clone());
    }
    places
}

/// What was in trouble or away, and when.
type When<T> = Vec<(T, Span)>;

/// When cells were in trouble, and when routers did not run. Actions are counted from 1.
fn changes(plan: &ScenarioPlan, actions: &[Action]) -> (When<CellId>, When<Region>) {
    let all = &plan.fleet.topology.cells;
    let (mut troubles, mut absences) = (Vec::new(), Vec::new());
    // Within the timeout, a late response is one like any other, and so is a whole one in bytes.
    let is_trouble = |fault: &&Fault| match fault {
        Fault::Responses { fault: ResponseFault::Late { .. }, .. } => false,
        Fault::Responses { fault: ResponseFault::RawBytes { bytes }, .. } => {
            !is_whole_response(bytes)
        }
        _ => true,
    };
    for fault in plan.fleet.faults.iter().filter(is_trouble) {
        let cells = fault.cell().map_or(all.as_slice(), std::slice::from_ref);
        troubles.extend(cells.iter().map(|cell| (cell.clone(), Span::ALWAYS)));
    }
    let group = |group: &CellGroup| -> Vec<CellId> {
        match group {
            CellGroup::Cell(cell) => vec![cell.clone()],
            CellGroup::Region(region) => plan.fleet.topology.cells_of(region).cloned().collect(),
        }
    };
    for (number, action) in actions.iter().enumerate() {
        let (now, Action::World(action)) = (number + 1, action) else { continue };
        let on = since(now);
        match action {
            WorldAction::TakeDown(cells) => {
                troubles.extend(group(cells).into_iter().map(|cell| (cell, on)));
            }
            WorldAction::BringBack(cells) => {
                let cells = group(cells);
                let back = troubles.iter_mut().filter(|(cell, _)| cells.contains(cell));
                end(back.map(|(_, span)| span).filter(|span| span.from > 0), now);
            }
            WorldAction::EndFaults => end(troubles.iter_mut().map(|(_, span)| span), now),
            WorldAction::RestartCell(cell) => {
                troubles.push((cell.clone(), Span { from: now, to: now }));
            }
            WorldAction::Router { region, action: RouterAction::Restart } => {
                let mine = absences.iter_mut().filter(|(of, _)| of == region);
                end(mine.map(|(_, span)| span), now);
                absences.push((region.clone(), Span { from: now, to: now }));
            }
            WorldAction::Router { region, .. } => absences.push((region.clone(), on)),
            WorldAction::MoveOrganization { .. }
            | WorldAction::RunMove { .. }
            | WorldAction::KillMover { .. }
            | WorldAction::TakeMoveBack { .. }
            | WorldAction::AdvanceClock { .. }
            | WorldAction::CreateNamespace { .. }
            | WorldAction::CreateProject { .. }
            | WorldAction::RenameNamespace { .. }
            | WorldAction::ReleaseHeld { .. }
            | WorldAction::Release
            | WorldAction::HoldReplicas { .. }
            | WorldAction::ReleaseReplicas
            | WorldAction::PassTime { .. }
            | WorldAction::Insert { .. }
            | WorldAction::InsertEverywhere { .. }
            | WorldAction::DisturbIds(_)
            | WorldAction::QueueJobs { .. }
            | WorldAction::PassTimeToLive
            | WorldAction::PassTimeOfLearned => {}
        }
    }
    (troubles, absences)
}

/// Whether the bytes are one whole final response that says that its connection ends with it: a
/// router has no reason to see trouble in it (RFC 9112, 9.6).
fn is_whole_response(bytes: &[u8]) -> bool {
    let mut room = [httparse::EMPTY_HEADER; 16];
    let mut head = httparse::Response::new(&mut room);
    let Ok(httparse::Status::Complete(end)) = head.parse(bytes) else { return false };
    let of = |name: &str| -> Vec<&[u8]> {
        let named = head.headers.iter().filter(|field| field.name.eq_ignore_ascii_case(name));
        named.map(|field| field.value).collect()
    };
    let length = (bytes.len() - end).to_string();
    head.code.is_some_and(|code| code >= 200)
        && of("Content-Length") == [length.as_bytes()]
        && of("Transfer-Encoding").is_empty()
        && of("Connection") == [b"close"]
}

/// Ends the spans that are open.
fn end<'s>(spans: impl Iterator<Item = &'s mut Span>, now: usize) {
    spans.filter(|span| span.to == usize::MAX).for_each(|span| span.to = now);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> ScenarioPlan {
        ScenarioPlan::documents(Protocol::Buffering)
    }

    #[test]
    fn trouble_lasts_until_the_cell_is_back() {
        let eu0 = || CellGroup::Cell(CellId::eu(0));
        let actions = [
            WorldAction::TakeDown(eu0()),
            WorldAction::BringBack(eu0()),
            WorldAction::RestartCell(CellId::us(1)),
            WorldAction::TakeDown(CellGroup::Region(Region::us())),
        ]
        .map(Action::World);
        let troubles = Installation::of(&plan(), &actions).troubles;
        let of = |cell: &CellId| -> Vec<_> {
            let mine = troubles.iter().filter(|(of, _)| of == cell);
            mine.map(|(_, span)| (span.from, span.to)).collect()
        };
        assert_eq!(of(&CellId::eu(0)), [(1, 2)]);
        assert_eq!(of(&CellId::eu(1)), []);
        assert_eq!(of(&CellId::us(1)), [(3, 3), (4, usize::MAX)]);
    }

    #[test]
    fn a_whole_response_that_ends_its_connection_is_no_trouble() {
        let whole = "HTTP/1.1 302 \r\ngitlab-cell-cache: x\r\nContent-Length: 2\r\n\
                     Connection: close\r\n\r\nhi";
        assert!(is_whole_response(whole.as_bytes()));
        for (from, to) in [
            ("HTTP/1.1", "ICY"),
            ("302", "102"),
            ("h: 2", "h: 3"),
            ("h: 2", "h: 2\r\nContent-Length: 2"),
            ("h: 2", "h: 2\r\nTransfer-Encoding: chunked"),
            ("close", "close, X-Listed"),
            ("close", "keep-alive"),
        ] {
            let other = whole.replacen(from, to, 1);
            assert!(other != whole && !is_whole_response(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn places_have_an_owner_at_each_time() {
        let actions = [
            WorldAction::MoveOrganization {
                organization: "my-organization".to_owned(),
                cell: CellId::us(1),
            },
            WorldAction::RenameNamespace { path: "my-company".to_owned(), to: "new".to_owned() },
            WorldAction::CreateNamespace { path: "/my-company".to_owned(), cell: CellId::eu(1) },
        ]
        .map(Action::World);
        let owners = |plan: &ScenarioPlan, path: &str| -> Vec<_> {
            let places = Installation::of(plan, &actions).places.into_iter();
            let mine = places.filter(|place| place.path == path);
            mine.map(|place| (place.cell, place.span.from, place.span.to)).collect()
        };
        let now = usize::MAX;
        let (eu0, eu1, us1) = (CellId::eu(0), CellId::eu(1), CellId::us(1));
        assert_eq!(
            owners(&plan(), "/my-company"),
            [(eu0.clone(), 0, 1), (us1.clone(), 1, 2), (eu1, 3, now)]
        );
        assert_eq!(owners(&plan(), "/new"), [(us1.clone(), 2, now)]);
        // Cells go by their replicas: the former owner may serve the place.
        let mut lags = plan();
        lags.fleet.lag = ReplicationLag::UntilReleased;
        let organization = owners(&lags, "/organizations/my-organization");
        assert_eq!(organization, [(eu0, 0, LAGGING), (us1, 1, now)]);
    }

    #[test]
    fn a_restarted_router_was_away() {
        let restart = WorldAction::Router { region: Region::eu(), action: RouterAction::Restart };
        let absences = Installation::of(&plan(), &[Action::World(restart)]).absences;
        assert_eq!(absences, [(Region::eu(), Span { from: 1, to: 1 })]);
    }
}
