//! Commands to a fleet that is served, a line each on its standard input.

use std::future;
use std::str::FromStr;

use cell_fleet::{CellId, Fleet, MovePhase};
use tokio::sync::mpsc;

use conformance_suite::standard_streams::write_part;

/// What a fleet is told.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Command {
    Move { organization: String, to: CellId, through: MovePhase },
    TakeBack { organization: String },
}

impl FromStr for Command {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("move"), Some(organization), Some(to)) => {
                let phase: Vec<_> = words.collect();
                let through = match phase[..] {
                    [] => MovePhase::CleanUp,
                    _ => phase.join(" ").parse()?,
                };
                let to = to.parse().map_err(|error| format!("{error}"))?;
                Ok(Self::Move { organization: organization.to_owned(), to, through })
            }
            (Some("take-back"), Some(organization), None) => {
                Ok(Self::TakeBack { organization: organization.to_owned() })
            }
            _ => Err(format!(
                "`{line}` is not a command; write `move ORGANIZATION CELL [PHASE]` or `take-back \
                 ORGANIZATION`"
            )),
        }
    }
}

impl Command {
    async fn obey(&self, fleet: &Fleet) -> Result<(), String> {
        let done = match self {
            Self::Move { organization, to, through } => {
                fleet.run_move(organization, to, *through).await
            }
            Self::TakeBack { organization } => fleet.take_move_back(organization).await,
        };
        done.map_err(|error| error.to_string())
    }
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
        let outcome = match line.parse::<Command>() {
            Ok(command) => command.obey(fleet).await,
            Err(why) => Err(why),
        };
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
    use super::*;

    #[test]
    fn a_command_names_an_organization_a_cell_and_a_phase() {
        let to_us1 = |through| {
            let organization = "my-organization".to_owned();
            Ok(Command::Move { organization, to: CellId::us(1), through })
        };
        assert_eq!("move my-organization cell_us1".parse(), to_us1(MovePhase::CleanUp));
        let rest = "move my-organization cell_us1 copy the rest".parse();
        assert_eq!(rest, to_us1(MovePhase::CopyRest));
        let back = Command::TakeBack { organization: "us".to_owned() };
        assert_eq!("take-back us".parse(), Ok(back));
        for bad in ["", "move", "move us", "move us eu", "move us cell_us1 nap", "take-back us b"] {
            assert!(bad.parse::<Command>().is_err(), "{bad}");
        }
    }
}
