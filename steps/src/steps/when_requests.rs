//! When steps in which a person sends one request.

use bytes::Bytes;
use cell_fleet::Region;
use cucumber::gherkin::Step;
use cucumber::when;
use rand::{RngExt as _, SeedableRng as _};

use super::doc_string;
use super::parameters::{Cell, Method, Number, Person, RegionName};
use crate::people::{LiteralRequest, Request};
use crate::trace::Gate;
use crate::world::World;

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
    let Some(stage) = world.stage().await else { return };
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

#[when(expr = "{person} visits {string}")]
async fn visits(world: &mut World, person: Person, target: String) {
    send(world, &person, Request::get(target), Way::default()).await;
}

#[when(expr = "{person} visits {string} through the {region} router")]
async fn visits_through(world: &mut World, person: Person, target: String, region: RegionName) {
    send(world, &person, Request::get(target), Way::through(region)).await;
}

#[when(expr = "{person} visits {string}, asking {cell} first")]
async fn visits_asking(world: &mut World, person: Person, target: String, cell: Cell) {
    send(world, &person, Request::get(target), Way::asking(cell)).await;
}

#[when(expr = "{person} visits {string} on {cell} directly")]
async fn visits_directly(world: &mut World, person: Person, target: String, cell: Cell) {
    send(world, &person, Request::get(target), Way::directly(cell)).await;
}

#[when(expr = "{person} sends the target {string}")]
async fn sends_target(world: &mut World, person: Person, target: String) {
    send(world, &person, Request::get(target), Way::default()).await;
}

#[when(expr = "{person} sends {method} {string}")]
async fn sends(world: &mut World, person: Person, method: Method, target: String) {
    send(world, &person, Request { method: method.0, ..Request::get(target) }, Way::default())
        .await;
}

#[when(expr = "{person} sends {method} {string}, asking {cell} first")]
async fn sends_asking(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    cell: Cell,
) {
    send(world, &person, Request { method: method.0, ..Request::get(target) }, Way::asking(cell))
        .await;
}

#[when(expr = "{person} sends {method} {string} with {number} random byte(s)")]
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

#[when(expr = "{person} sends {method} {string} with {number} random byte(s), asking {cell} first")]
async fn sends_bytes_asking(
    world: &mut World,
    person: Person,
    method: Method,
    target: String,
    length: Number,
    cell: Cell,
) {
    send(
        world,
        &person,
        Request { method: method.0, body: random(length), ..Request::get(target) },
        Way::asking(cell),
    )
    .await;
}

#[when(expr = "{person} sends:")]
async fn sends_literally(world: &mut World, person: Person, step: &Step) {
    match literal(step) {
        Ok(request) => send(world, &person, request, Way::default()).await,
        Err(why) => world.refuse(why),
    }
}

#[when(expr = "{person} sends, asking {cell} first:")]
async fn sends_literally_asking(world: &mut World, person: Person, cell: Cell, step: &Step) {
    match literal(step) {
        Ok(request) => send(world, &person, request, Way::asking(cell)).await,
        Err(why) => world.refuse(why),
    }
}

#[when(expr = "{person} sends on {cell} directly:")]
async fn sends_literally_directly(world: &mut World, person: Person, cell: Cell, step: &Step) {
    match literal(step) {
        Ok(request) => send(world, &person, request, Way::directly(cell)).await,
        Err(why) => world.refuse(why),
    }
}

#[when(expr = "{person} uploads {number} bytes to {string}, the second half once a cell reads")]
async fn uploads_in_halves(world: &mut World, person: Person, length: Number, target: String) {
    let step = world.step();
    let Some(stage) = world.stage().await else { return };
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

fn literal(step: &Step) -> Result<Request, String> {
    let text = doc_string(step)?;
    LiteralRequest::parse(text)
        .map(|LiteralRequest(request)| request)
        .map_err(|error| error.to_string())
}

/// Random bytes, the same for the same length: a failure can be looked at again.
pub(super) fn random(length: Number) -> Bytes {
    let mut bytes = vec![0; length.size()];
    rand::rngs::SmallRng::seed_from_u64(length.0).fill(&mut bytes[..]);
    bytes.into()
}
