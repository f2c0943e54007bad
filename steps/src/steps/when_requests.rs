//! When steps in which a person sends one request.

use bytes::Bytes;
use cell_fleet::Region;
use rand::{RngExt as _, SeedableRng as _};

use super::definition::{Definition, when};
use super::needs::Needs;
use super::parameters::{Cell, Method, Number, Person, RegionName};
use crate::people::Request;
use crate::trace::Gate;
use crate::world::World;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        when("{person} visits {string}", visits),
        when("{person} visits {string} through the {region} router", visits_through),
        when("{person} visits {string}, asking {cell} first", visits_asking).needs(Needs::CAST),
        when("{person} visits {string} on {cell} directly", visits_directly),
        when("{person} sends the target {string}", sends_target),
        when("{person} sends {method} {string}", sends),
        when("{person} sends {method} {string} with {number} random byte(s)", sends_bytes),
        when("{person} sends:", sends_literally),
        when("{person} sends, asking {cell} first:", sends_literally_asking).needs(Needs::CAST),
        when("{person} sends on {cell} directly:", sends_literally_directly),
        when(
            "{person} uploads {number} bytes to {string}, the second half when a cell has \
             begun to read",
            uploads_in_halves,
        ),
    ]
}

/// How a request goes: through which gate, and whether the cell that is asked first is cast.
#[derive(Default)]
pub(super) struct Way {
    pub(super) region: Option<Region>,
    pub(super) direct: Option<Cell>,
    pub(super) cast: Option<Cell>,
}

impl Way {
    pub(super) fn through(region: RegionName) -> Self {
        Self { region: Some(region.0), ..Self::default() }
    }

    pub(super) fn asking(cell: Cell) -> Self {
        Self { cast: Some(cell), ..Self::default() }
    }

    pub(super) fn directly(cell: Cell) -> Self {
        Self { direct: Some(cell), ..Self::default() }
    }
}

/// Lets a person send a request on its way.
pub(super) async fn send(world: &mut World, person: &Person, request: Request, way: Way) {
    let step = world.step();
    let stage = world.stage();
    let outcome = async {
        if let Some(cell) = &way.cast {
            stage.cast(&cell.0)?;
        }
        let gate = match way.direct {
            Some(cell) => Gate::Cell(cell.0),
            None => stage.gate(way.region.as_ref())?,
        };
        stage.send(&person.0, gate, step, request).await
    };
    if let Err(why) = outcome.await {
        world.refuse(why);
    }
}

async fn visits(world: &mut World, person: Person, target: String) {
    send(world, &person, Request::get(target), Way::default()).await;
}

async fn visits_through(world: &mut World, person: Person, target: String, region: RegionName) {
    send(world, &person, Request::get(target), Way::through(region)).await;
}

async fn visits_asking(world: &mut World, person: Person, target: String, cell: Cell) {
    send(world, &person, Request::get(target), Way::asking(cell)).await;
}

async fn visits_directly(world: &mut World, person: Person, target: String, cell: Cell) {
    send(world, &person, Request::get(target), Way::directly(cell)).await;
}

async fn sends_target(world: &mut World, person: Person, target: String) {
    send(world, &person, Request::get(target), Way::default()).await;
}

async fn sends(world: &mut World, person: Person, method: Method, target: String) {
    send(world, &person, Request { method: method.0, ..Request::get(target) }, Way::default())
        .await;
}

async fn sends_bytes(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    length: Number,
) {
    send(
        world,
        &person,
        Request { method: method.0, body: random(length), ..Request::get(target) },
        Way::default(),
    )
    .await;
}

async fn sends_literally(world: &mut World, person: Person, request: Request) {
    send(world, &person, request, Way::default()).await;
}

async fn sends_literally_asking(world: &mut World, person: Person, cell: Cell, request: Request) {
    send(world, &person, request, Way::asking(cell)).await;
}

async fn sends_literally_directly(world: &mut World, person: Person, cell: Cell, request: Request) {
    send(world, &person, request, Way::directly(cell)).await;
}

async fn uploads_in_halves(world: &mut World, person: Person, length: Number, target: String) {
    let step = world.step();
    let stage = world.stage();
    let request =
        Request { method: "PUT".to_owned(), body: random(length), ..Request::get(target) };
    let outcome = match stage.gate(None) {
        Ok(gate) => stage.send_in_halves(&person.0, gate, step, request).await,
        Err(why) => Err(why),
    };
    if let Err(why) = outcome {
        world.refuse(why);
    }
}

/// Random bytes, the same for the same length: a failure can be looked at again.
pub(super) fn random(length: Number) -> Bytes {
    let mut bytes = vec![0; length.size()];
    rand::rngs::SmallRng::seed_from_u64(length.0).fill(&mut bytes[..]);
    bytes.into()
}
