//! Compares reports: routers by requirement, and the changes between two reports.

mod changes;

use super::lines::{GAP, columns, cut, widest};
use super::markdown::{prose, table};
use super::text::identity;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::ledger::Ledger;
use crate::stage::readable_text;
use crate::verdict::OutcomeWord;
pub use changes::{Changes, Meaning};

/// The columns that describe a requirement: id, level, profile.
const DESCRIBING: usize = 3;
/// The narrowest column of a report.
const NARROWEST: usize = 12;

/// The status of one requirement in a report, over all scenarios that cite it or found it violated.
/// The greatest status of all is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, strum::Display)]
pub enum Status {
    /// No scenario applies: the router does not claim the protocol or capability.
    #[strum(serialize = "n/a")]
    NotApplicable,
    /// A running router could not be brought to the scenarios that cite it.
    #[strum(serialize = "not asked")]
    NotAsked,
    /// No scenario found it violated.
    #[strum(serialize = "ok")]
    Holds,
    /// A scenario that cites it had no verdict, or none was run.
    #[strum(serialize = "not run")]
    NotRun,
    /// Violated, and listed as a known failure.
    #[strum(serialize = "known failure")]
    Known,
    /// Violated, and of level MAY.
    #[strum(serialize = "MAY differs")]
    May,
    /// Violated, and of level SHOULD.
    #[strum(serialize = "SHOULD not followed")]
    Should,
    /// Violated, and of level MUST.
    #[strum(serialize = "MUST violated")]
    Must,
}

impl Status {
    /// The status in a report of the requirement with this id.
    pub fn of(report: &RunRecord, id: &str) -> Self {
        report
            .scenarios
            .iter()
            .filter_map(|scenario| shown(scenario, id))
            .max()
            .unwrap_or(Self::NotRun)
    }
}

/// The status that one scenario gives a requirement, if it is about the requirement.
fn shown(scenario: &CaseRecord, id: &str) -> Option<Status> {
    let word = scenario.outcome.word;
    // Every finding of one requirement is of its level.
    if let Some(finding) = scenario.findings.iter().find(|finding| finding.requirement == id) {
        return match word {
            OutcomeWord::KnownFailure => Some(Status::Known),
            // A finding before an error of the suite does not count.
            OutcomeWord::SuiteError => Some(Status::NotRun),
            _ => Some(match finding.level.as_str() {
                "MAY" => Status::May,
                "SHOULD" => Status::Should,
                _ => Status::Must,
            }),
        };
    }
    scenario.requirements.iter().any(|cited| cited == id).then(|| match word {
        OutcomeWord::Passed | OutcomeWord::Warned => Status::Holds,
        OutcomeWord::NotApplicable => Status::NotApplicable,
        OutcomeWord::NotAsked => Status::NotAsked,
        // Every Then step is judged, also after a finding. Without a trace none was judged.
        OutcomeWord::Failed | OutcomeWord::KnownFailure if scenario.trace.is_some() => {
            Status::Holds
        }
        _ => Status::NotRun,
    })
}

/// A row of the matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatrixRow {
    /// The requirement.
    pub id: String,
    /// Its level.
    pub level: String,
    /// Its profile.
    pub profile: String,
    /// The status in each report, in the order of the reports.
    pub statuses: Vec<Status>,
    /// Whether each report has a scenario that is about it.
    pub is_tested: Vec<bool>,
}

/// Routers by requirement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    /// The title of each column.
    pub routers: Vec<String>,
    /// Verdicts by profile: the profile, and the verdict of each report.
    pub verdicts: Vec<(String, Vec<String>)>,
    /// The rows in the order of the ledger, followed by rows of other ledgers.
    pub rows: Vec<MatrixRow>,
}

impl Matrix {
    /// Compares reports, each with a name in case two have the same router.
    pub fn of(reports: &[(String, RunRecord)], ledger: &Ledger) -> Self {
        let is_tested_by = |report: &RunRecord, id: &str| {
            let about = |scenario: &CaseRecord| {
                scenario.requirements.iter().any(|cited| cited == id)
                    || scenario.findings.iter().any(|found| found.requirement == id)
            };
            report.scenarios.iter().any(about)
        };
        let is_tested = |id: &str| {
            reports.iter().map(|(_, report)| is_tested_by(report, id)).collect::<Vec<_>>()
        };
        let mentioned = |id: &str| is_tested(id).contains(&true);
        let own = ledger
            .rows()
            .map(|row| (row.id.to_string(), row.level.to_string(), row.profile.to_string()));
        let own: Vec<_> = own.filter(|(id, ..)| mentioned(id)).collect();
        let mut foreign: Vec<_> = reports
            .iter()
            .flat_map(|(_, report)| &report.requirements)
            .filter(|(id, _)| !id.parse().is_ok_and(|id| ledger.row(&id).is_some()))
            .map(|(id, row)| (id.clone(), row.level.clone(), row.profile.clone()))
            .collect();
        foreign.sort();
        foreign.dedup_by(|next, kept| next.0 == kept.0);
        let statuses =
            |id: &str| reports.iter().map(|(_, report)| Status::of(report, id)).collect();
        let rows = own.into_iter().chain(foreign).map(|(id, level, profile)| MatrixRow {
            statuses: statuses(&id),
            is_tested: is_tested(&id),
            id,
            level,
            profile,
        });
        let verdict = |report: &RunRecord, profile: &str| {
            let verdict = report.profiles.iter().find(|verdict| verdict.profile == profile);
            verdict.map_or("not run".to_owned(), |verdict| verdict.verdict.clone())
        };
        let conclusion = (
            "conclusion".to_owned(),
            reports.iter().map(|(_, report)| report.conclusion.to_string()).collect(),
        );
        let profiles = ["core", "hardening", "fleet"].into_iter();
        let profiles = profiles.map(|name| {
            (name.to_owned(), reports.iter().map(|(_, report)| verdict(report, name)).collect())
        });
        Self {
            routers: titles(reports),
            verdicts: [conclusion].into_iter().chain(profiles).collect(),
            rows: rows.collect(),
        }
    }

    /// Leaves only the rows in which the reports differ, and that all of them have tested. Returns
    /// how many rows it removed for the latter reason.
    pub fn only_changes(&mut self) -> usize {
        let differ = |row: &MatrixRow| row.statuses.windows(2).any(|pair| pair[0] != pair[1]);
        self.rows.retain(differ);
        let all = self.rows.len();
        self.rows.retain(|row| !row.is_tested.contains(&false));
        all - self.rows.len()
    }

    /// The matrix in lines of aligned text. Where a line were wider than `width`, level and profile
    /// are left out and columns are cut.
    pub fn text(&self, width: Option<usize>) -> String {
        // Reports of others can hold anything, also what a terminal obeys.
        let plain = |cell: String| readable_text(&cell).replace('\n', " ");
        let table = self.table().into_iter().map(|row| row.into_iter().map(plain).collect());
        let table = table.collect();
        let table = match width {
            Some(width) => fitted(table, width),
            None => table,
        };
        let lines = columns(&table, |_| false);
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The matrix as a table in Markdown.
    pub fn markdown(&self) -> String {
        let mut rows = self.table();
        rows.iter_mut().flatten().for_each(|cell| *cell = prose(cell));
        let head = rows.remove(0);
        let head: Vec<_> = head.iter().map(String::as_str).collect();
        // Even without a requirement there are the verdicts.
        table(&head, &rows).trim_end_matches('\n').to_owned() + "\n"
    }

    /// Heading, verdicts, then requirements.
    fn table(&self) -> Vec<Vec<String>> {
        let blank = String::new;
        let line = |first: [String; 3], rest: &mut dyn Iterator<Item = String>| {
            first.into_iter().chain(rest).collect::<Vec<_>>()
        };
        let head = line(
            ["requirement", "level", "profile"].map(str::to_owned),
            &mut self.routers.iter().cloned(),
        );
        let verdicts = self.verdicts.iter().map(|(what, verdicts)| {
            line([what.clone(), blank(), blank()], &mut verdicts.iter().cloned())
        });
        let rows = self.rows.iter().map(|row| {
            line(
                [row.id.clone(), row.level.clone(), row.profile.clone()],
                &mut row.statuses.iter().map(ToString::to_string),
            )
        });
        [head].into_iter().chain(verdicts).chain(rows).collect()
    }
}

/// A table in at most `width` characters, as far as that is possible.
fn fitted(table: Vec<Vec<String>>, width: usize) -> Vec<Vec<String>> {
    let columns = table.first().map_or(0, Vec::len);
    let needed: usize = (0..columns).map(|at| widest(&table, at) + GAP).sum();
    if needed <= width + GAP {
        return table;
    }
    let first = widest(&table, 0) + GAP;
    let reports = columns.saturating_sub(DESCRIBING).max(1);
    let room = (width.saturating_sub(first) / reports).saturating_sub(GAP).max(NARROWEST);
    let narrow = |row: Vec<String>| {
        let mut cells = row.into_iter();
        let id = cells.next().unwrap_or_default();
        let statuses = cells.skip(DESCRIBING - 1).map(|cell| cut(&cell, room));
        [id].into_iter().chain(statuses).collect()
    };
    table.into_iter().map(narrow).collect()
}

/// The title of each report: its router, with the name of the report if two routers have the same
/// name.
fn titles(reports: &[(String, RunRecord)]) -> Vec<String> {
    let names: Vec<_> = reports.iter().map(|(_, report)| identity(&report.router)).collect();
    let is_shared = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let column = |(name, (own, _)): (&String, &(String, RunRecord))| {
        if is_shared(name) { format!("{name} ({own})") } else { name.clone() }
    };
    names.iter().zip(reports).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_worst_scenario_decides() {
        let mut report = sample::report();
        assert_eq!(Status::of(&report, "BF-03"), Status::Must);
        assert_eq!(Status::of(&report, "Z-03"), Status::Should);
        assert_eq!(Status::of(&report, "RT-01"), Status::NotRun);
        report.scenarios[1].findings[0].level = "MAY".to_owned();
        assert_eq!(Status::of(&report, "Z-03"), Status::May);
        report.scenarios.retain(|scenario| scenario.outcome.word == OutcomeWord::KnownFailure);
        assert_eq!(Status::of(&report, "RT-08"), Status::Known);
        // The scenario failed elsewhere, and has no trace to judge this requirement by.
        assert_eq!(Status::of(&report, "BF-03"), Status::NotRun);
        for (word, cell) in [
            (OutcomeWord::Passed, Status::Holds),
            (OutcomeWord::NotApplicable, Status::NotApplicable),
            (OutcomeWord::NotAsked, Status::NotAsked),
            (OutcomeWord::CouldNotRun, Status::NotRun),
        ] {
            let mut report = sample::report();
            report.scenarios.truncate(1);
            report.scenarios[0].outcome.word = word;
            assert_eq!(Status::of(&report, "RT-08"), cell);
        }
    }

    #[test]
    fn columns_are_distinct_and_rows_are_in_ledger_order() {
        let mut foreign = sample::report();
        let row = foreign.requirements["BF-03"].clone();
        foreign.requirements.insert("XX-99".to_owned(), row);
        foreign.scenarios[0].requirements.push("XX-99".to_owned());
        let mut third = sample::report();
        third.router.name = "Gateway".to_owned();
        let reports = [("a.json", sample::report()), ("b.json", foreign), ("c.json", third)]
            .map(|(name, report)| (name.to_owned(), report));
        let matrix = Matrix::of(&reports, Ledger::embedded());
        assert_eq!(
            matrix.routers,
            ["Waypoint 2.1 (a.json)", "Waypoint 2.1 (b.json)", "Gateway 2.1"]
        );
        let ids: Vec<_> = matrix.rows.iter().map(|row| row.id.as_str()).collect();
        let order: Vec<_> = Ledger::embedded().rows().map(|row| row.id.to_string()).collect();
        let own: Vec<_> = order
            .iter()
            .map(String::as_str)
            .filter(|id| ids.contains(id))
            .chain(["XX-99"])
            .collect();
        assert_eq!(ids, own);
        assert_eq!(
            matrix.rows.last().unwrap().statuses,
            [Status::NotRun, Status::Holds, Status::NotRun]
        );
        // What one report alone has tested is no change of it.
        let mut changed = matrix.clone();
        assert_eq!((changed.only_changes(), changed.rows), (1, Vec::new()));
        let mut changed = matrix.clone();
        changed.rows.iter_mut().for_each(|row| row.is_tested = vec![true; 3]);
        assert_eq!(changed.only_changes(), 0);
        assert_eq!(changed.rows.len(), 1);
        assert_eq!(changed.rows[0].id, "XX-99");
    }

    #[test]
    fn a_cell_may_be_wider_than_a_width_of_the_formatter() {
        let mut report = sample::report();
        report.router.name = "r".repeat(70_000);
        let text = Matrix::of(&[("a.json".to_owned(), report)], Ledger::embedded()).text(None);
        assert!(text.lines().next().is_some_and(|line| line.len() > 70_000));
    }
}
