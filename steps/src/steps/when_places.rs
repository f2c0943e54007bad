//! When steps in which a person goes on from where the last response led, or asks many times.

use cell_fleet::wire;

use super::definition::{Definition, when};
use super::needs::Needs;
use super::parameters::{Cell, Number, Person, RegionName};
use super::when_requests::{Way, send};
use crate::people::Request;
use crate::trace::{ReceivedResponse, UserRequest};
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} follows the redirect", follows),
        when("{person} follows the redirect, asking {cell} first", follows_asking)
            .needs(Needs::CAST),
        when("{person} follows the redirect through the {region} router", follows_through),
        when("{person} follows the redirect on {cell} directly", follows_directly),
        when("{person} visits the page {string} below the last one", visits_below),
        when("{person} chooses {cell} in the list of cells", chooses),
        when("{person} visits {string} {number} times", visits_often),
        when("{person} visits {string} {number} times at once", visits_at_once),
        when("{person} visits {number} places under different cold prefixes", visits_cold_places),
        when("{person} visits {number} places with long names", visits_long_places),
        when(
            "{person} visits one in {number} of {number} places with long names",
            visits_some_long_places,
        ),
        when("every cell is asked about {string}", every_cell_is_asked),
    ]
}

async fn follows(world: &mut World, person: Person) {
    follow(world, &person, Way::default()).await;
}

async fn follows_asking(world: &mut World, person: Person, cell: Cell) {
    follow(world, &person, Way::asking(cell)).await;
}

async fn follows_through(world: &mut World, person: Person, region: RegionName) {
    follow(world, &person, Way::through(region)).await;
}

async fn follows_directly(world: &mut World, person: Person, cell: Cell) {
    follow(world, &person, Way::directly(cell)).await;
}

async fn follow(world: &mut World, person: &Person, way: Way) {
    let Some((request, response)) = last(world, person).await else { return };
    let location = response
        .fields
        .iter()
        .find(|field| field.is("Location"))
        .map(|field| field.value.to_string());
    match location
        .filter(|location| (300..400).contains(&response.status) && location.starts_with('/'))
    {
        Some(location) => send(world, person, Request::get(location), way).await,
        None => world.interrupt(format!(
            "{} {} received {}, which leads nowhere in the installation",
            request.method, request.target, response.status
        )),
    }
}

async fn visits_below(world: &mut World, person: Person, below: String) {
    let Some((request, _)) = last(world, &person).await else { return };
    let place = String::from_utf8_lossy(request.path()).into_owned();
    send(world, &person, Request::get(format!("{place}{below}")), Way::default()).await;
}

async fn chooses(world: &mut World, person: Person, cell: Cell) {
    let Some((request, response)) = last(world, &person).await else { return };
    match cell_choice(&response.body.text(), &cell.0.name()) {
        Some(address) => send(world, &person, Request::get(address), Way::default()).await,
        None => world.interrupt(format!(
            "the page at {} offers no choice of {}",
            request.target,
            cell.0.name()
        )),
    }
}

/// The address behind a name in the list of cells of an Admin Area's page.
fn cell_choice(page: &str, name: &str) -> Option<String> {
    let (_, list) = page.split_once("<summary>Choose a cell</summary>")?;
    let (list, _) = list.split_once("</details>")?;
    let (before, _) = list.split_once(&format!("\">{name}</a>"))?;
    before.rsplit_once("<a href=\"").map(|(_, address)| address.to_owned())
}

/// A person's last request with its response; without one the scenario cannot go on.
pub(super) async fn last(
    world: &mut World,
    person: &Person,
) -> Option<(UserRequest, ReceivedResponse)> {
    match world.stage().people().last_response(&person.0) {
        Ok(last) => Some(last),
        Err(why) => {
            world.interrupt(why);
            None
        }
    }
}

async fn visits_often(world: &mut World, person: Person, target: String, times: Number) {
    for _ in 0..times.0 {
        if !visit_and_go_on(world, &person, target.clone()).await {
            return;
        }
    }
}

/// All of them are under way together, and the step is over when each has ended.
async fn visits_at_once(world: &mut World, person: Person, target: String, times: Number) {
    let step = world.step();
    let stage = world.stage();
    for _ in 0..times.0 {
        let begun = stage
            .gate(None)
            .and_then(|gate| stage.begin(&person.0, gate, step, Request::get(target.clone())));
        if let Err(why) = begun {
            return world.refuse(why);
        }
    }
    stage.release().await;
}

async fn visits_cold_places(world: &mut World, person: Person, places: Number) {
    for number in 0..places.0 {
        if !visit_and_go_on(world, &person, format!("{}/-/page", cold_place(number))).await {
            return;
        }
    }
}

/// One of many visits; a router that has stopped to respond is not asked again and again.
async fn visit_and_go_on(world: &mut World, person: &Person, target: String) -> bool {
    send(world, person, Request::get(target), Way::default()).await;
    world.refusal().is_none() && last(world, person).await.is_some()
}

/// The path of the place with this number.
pub(super) fn cold_place(number: u64) -> String {
    format!("/cold-place-{number}")
}

async fn visits_long_places(world: &mut World, person: Person, places: Number) {
    visit_long_places(world, &person, (0..places.0).collect()).await;
}

async fn visits_some_long_places(
    world: &mut World,
    person: Person,
    one_in: Number,
    places: Number,
) {
    visit_long_places(world, &person, (0..places.0).step_by(one_in.size().max(1)).collect()).await;
}

async fn visit_long_places(world: &mut World, person: &Person, places: Vec<u64>) {
    for number in places {
        if !visit_and_go_on(world, person, format!("{}/page", long_place(number))).await {
            return;
        }
    }
}

/// The path of a place of that number, so long that a bound in bytes is noticed too.
pub(super) fn long_place(number: u64) -> String {
    format!("/long-place-{number}-{}", "x".repeat(250))
}

async fn every_cell_is_asked(world: &mut World, path: String) {
    let stage = world.stage();
    let learning = stage.plan().fleet.protocol == cell_fleet::Protocol::Learning;
    let target = if learning {
        format!(
            "{}?{}",
            stage.plan().settings.learn_path,
            wire::learn_query("GET", &encoded(&path))
        )
    } else {
        path
    };
    for cell in stage.plan().fleet.topology.cells.clone() {
        send(
            world,
            &Person("visitor".to_owned()),
            Request::get(target.clone()),
            Way::directly(Cell(cell)),
        )
        .await;
    }
}

fn encoded(path: &str) -> String {
    form_urlencoded::byte_serialize(path.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_found_in_the_list_of_cells_alone() {
        let list = "<ul>\n<li><a href=\"/admin/cells/cellus0\">Cell US0</a></li>\n<li><a href=\"/admin/cells/celleu1\">Cell EU1</a></li>\n</ul>";
        let page = format!(
            "<a href=\"/other\">Cell EU0</a><details><summary>Choose a cell</summary>\n{list}</details>"
        );
        assert_eq!(cell_choice(&page, "Cell EU1").as_deref(), Some("/admin/cells/celleu1"));
        assert_eq!(cell_choice(&page, "Cell US0").as_deref(), Some("/admin/cells/cellus0"));
        assert_eq!(cell_choice(&page, "Cell EU0"), None);
        assert_eq!(cell_choice(list, "Cell EU1"), None);
    }
}
