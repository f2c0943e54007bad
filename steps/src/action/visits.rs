//! A person makes several visits, or begins one.

use cell_fleet::Protocol;
use serde::{Deserialize, Serialize};

use super::request::{last_response, learn_target, send};
use super::{ActionError, Person, Route};
use crate::people::Request;
use crate::stage::Stage;

/// Many visits, one after another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Visits {
    /// The same visit several times.
    Same {
        /// The request target.
        target: String,
        /// How many visits.
        times: u64,
    },
    /// Pages under different prefixes that no router knows yet.
    ColdPrefixes {
        /// How many prefixes.
        count: u64,
    },
    /// Pages under paths of 250 bytes and more.
    LongPaths {
        /// One in so many of them is visited; 1 visits all.
        one_in: u64,
        /// How many paths there are.
        count: u64,
    },
}

impl Visits {
    /// Makes them. A router that has stopped responding is not asked again and again.
    pub(super) async fn run(
        &self,
        person: &Person,
        stage: &mut Stage,
        step: usize,
    ) -> Result<(), ActionError> {
        for target in self.targets() {
            send(person, Request::get(target), &Route::Default, stage, step).await?;
            last_response(person, stage)?;
        }
        Ok(())
    }

    fn targets(&self) -> Box<dyn Iterator<Item = String> + Send + '_> {
        match self {
            Self::Same { target, times } => Box::new((0..*times).map(|_| target.clone())),
            Self::ColdPrefixes { count } => {
                Box::new((0..*count).map(|number| format!("{}/-/page", cold_path(number))))
            }
            Self::LongPaths { one_in, count } => {
                let one_in = usize::try_from(*one_in).unwrap_or(usize::MAX).max(1);
                let numbers = (0..*count).step_by(one_in);
                Box::new(numbers.map(|number| format!("{}/page", long_path(number))))
            }
        }
    }
}

/// The path of the cold prefix with this number.
pub fn cold_path(number: u64) -> String {
    format!("/cold-place-{number}")
}

/// The long path with this number: so long that a bound in bytes is noticed as well.
pub fn long_path(number: u64) -> String {
    format!("/long-place-{number}-{}", "x".repeat(250))
}

/// Makes the same visit several times at once, and waits until each of them has ended.
pub(super) async fn together(
    person: &Person,
    target: &str,
    times: u64,
    stage: &mut Stage,
    step: usize,
) -> Result<(), ActionError> {
    for _ in 0..times {
        begin_one(person, target, stage, step)?;
    }
    stage.release().await;
    Ok(())
}

/// Begins a visit. Where it does not arrive, because a router makes it wait for an earlier one,
/// nothing at a cell shows that it is under way: another person's round trip, as the next action,
/// gives it the time.
pub(super) async fn begin(
    person: &Person,
    target: &str,
    arrives: bool,
    stage: &mut Stage,
    step: usize,
) -> Result<(), ActionError> {
    let entries = stage.fleet().journal().entries().len();
    begin_one(person, target, stage, step)?;
    if arrives {
        stage.arrived(entries, target).await;
    }
    Ok(())
}

fn begin_one(
    person: &Person,
    target: &str,
    stage: &mut Stage,
    step: usize,
) -> Result<(), ActionError> {
    stage
        .gate(None)
        .and_then(|gate| stage.begin(&person.0, gate, step, Request::get(target)))
        .map_err(ActionError::Invalid)
}

/// Asks every cell of the fleet who serves a path.
pub(super) async fn ask_every_cell(
    path: &str,
    stage: &mut Stage,
    step: usize,
) -> Result<(), ActionError> {
    let target = match stage.plan().fleet.protocol {
        Protocol::Learning => learn_target(&stage.plan().settings.learn_path, path),
        Protocol::Buffering => path.to_owned(),
    };
    for cell in stage.plan().fleet.topology.cells.clone() {
        let request = Request::get(target.clone());
        send(&Person::visitor(), request, &Route::Cell(cell), stage, step).await?;
    }
    Ok(())
}
