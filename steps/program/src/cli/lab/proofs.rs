//! `cells-lab proofs`: what holds of the proposals in every interleaving, and what breaks.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::output::{Ended, Failed, print, stop_on_signals};
use conformance_laboratory::proofs::{Bounds, features, prove};
use conformance_suite::engine::ExitCode;
use conformance_suite::spec::proofs::{Answer, Proofs};

/// Check small models of the proposals in every interleaving, and show what holds and what breaks
#[derive(Debug, Args)]
pub(super) struct Prove {
    /// Check the proposals as they are, with small bounds
    #[arg(long)]
    quick: bool,
    /// Also write the results as JSON to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the scenarios of the counterexamples below this folder, and do nothing else
    #[arg(long, value_name = "DIR", conflicts_with_all = ["quick", "out"])]
    features: Option<PathBuf>,
    /// Models that are checked at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
}

impl Prove {
    pub(super) fn execute(&self) -> Ended {
        if let Some(folder) = &self.features {
            return write_features(folder);
        }
        let bounds = if self.quick { Bounds::Quick } else { Bounds::Full };
        let stop = stop_on_signals();
        let proofs = prove(bounds, self.jobs, &stop, |id, answer| {
            eprintln!("{id}: {}: {}", answer.subject, result(answer));
        });
        if let Some(path) = &self.out {
            // Strings and whole numbers: nothing in it can fail to serialize.
            let json = serde_json::to_string_pretty(&proofs).unwrap_or_default();
            fs::write(path, json + "\n")
                .map_err(|error| Failed::NotWritten(format!("{}: {error}", path.display())))?;
        }
        let reason = stop.reason();
        if let Some(reason) = reason {
            eprintln!("ended early: {reason}");
        }
        print(table(&proofs).as_bytes())?;
        Ok(if reason.is_some() { ExitCode::Incomplete } else { ExitCode::Success })
    }
}

fn write_features(folder: &Path) -> Ended {
    for (path, text) in features() {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| Failed::NotWritten(format!("{}: {error}", path.display())))?;
    }
    Ok(ExitCode::Success)
}

fn result(answer: &Answer) -> String {
    let Answer { holds, states, depth, steps, .. } = answer;
    match holds {
        true => format!("holds ({states} states, at most {depth} steps)"),
        false => format!("breaks in {} steps ({states} states)", steps.len()),
    }
}

/// The table as text: each property, what each proposal makes of it, and the counterexamples.
fn table(proofs: &Proofs) -> String {
    let mut text = String::new();
    for property in &proofs.properties {
        text.push_str(&format!("{} ({})\n  {}\n", property.says, property.id, property.source));
        for answer in &property.answers {
            text.push_str(&format!("  {}: {}\n", answer.subject, result(answer)));
            text.push_str(&format!("    {}\n", answer.bounds));
            for (number, step) in answer.steps.iter().enumerate() {
                text.push_str(&format!("    {:>2} {step}\n", number + 1));
            }
            if !answer.holds {
                let played = answer.scenario.as_deref().unwrap_or("model only");
                text.push_str(&format!("       {played}\n"));
            }
        }
        text.push('\n');
    }
    text
}
