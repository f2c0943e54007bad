//! Commands to a fleet that is served, a line each on its standard input.

use std::future;

use cell_fleet::{CellId, Fleet, MovePhase};
use tokio::sync::mpsc;

use conformance_suite::standard_streams::write_part;

/// Obeys one command.
async fn obey_one(fleet: &Fleet, line: &str) -> Result<(), String> {
    let words: Vec<_> = line.split_whitespace().collect();
    let done = match words[..] {
        ["move", organization, to, ref phase @ ..] => {
            let through = match phase {
                [] => MovePhase::CleanUp,
                _ => phase.join(" ").parse()?,
            };
            let to: CellId = to.parse().map_err(|error| format!("{error}"))?;
            fleet.run_move(organization, &to, through).await
        }
        ["take-back", organization] => fleet.take_move_back(organization).await,
        _ => {
            return Err(format!(
                "`{line}` is not a command; write `move ORGANIZATION CELL [PHASE]` or `take-back \
                 ORGANIZATION`"
            ));
        }
    };
    done.map_err(|error| error.to_string())
}

/// Obeys the commands on standard input, and says of each whether it is done. It never ends.
pub(super) async fn obey(fleet: &Fleet) {
    let (sender, mut lines) = mpsc::unbounded_channel();
    // A read of standard input cannot be interrupted, so its thread is left behind at the end.
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    while let Some(line) = lines.recv().await.as_deref().map(str::trim) {
        if line.is_empty() {
            continue;
        }
        let outcome = obey_one(fleet, line).await;
        // Without a reader the commands are obeyed all the same.
        let _ = write_part(|out| match outcome {
            Ok(()) => writeln!(out, "done: {line}"),
            Err(why) => writeln!(out, "refused: {line}: {why}"),
        });
    }
    future::pending::<()>().await;
}

#[cfg(test)]
mod tests {
    use cell_fleet::{FleetPlan, Listen, Protocol};

    use super::*;

    #[tokio::test]
    async fn a_command_names_an_organization_a_cell_and_a_phase() {
        let plan = FleetPlan::documents(Protocol::Buffering);
        let listen = vec![([127, 0, 0, 1], 0).into(); plan.topology.cells.len()];
        let fleet = Fleet::start(plan, Listen::Fixed(listen)).await.unwrap();
        for bad in ["", "move", "move us", "move us eu", "move us cell_us1 nap", "take-back us b"] {
            assert!(obey_one(&fleet, bad).await.is_err(), "{bad}");
        }
        for good in [
            "move my-organization cell_us1 copy the rest",
            "take-back my-organization",
            "move my-organization cell_us1",
        ] {
            assert_eq!(obey_one(&fleet, good).await, Ok(()), "{good}");
        }
        fleet.stop().await.unwrap();
    }
}
