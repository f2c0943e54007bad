//! Compares reports: routers by requirement, and the changes between two reports.

mod changes;

use std::collections::BTreeSet;

use super::lines::{GAP, columns, cut, widest};
pub use super::standing::Standing;
use super::text::identity;
use crate::engine::Conclusion;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::ledger::{Ledger, Level, Profile, RequirementId};
use crate::stage::readable_text;
pub use changes::{ChangeKind, Changes};

/// The columns that describe a requirement: id, level, profile.
const DESCRIBING: usize = 3;
const NARROWEST: usize = 12;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatrixRow {
    pub id: RequirementId,
    pub level: Level,
    pub profile: Profile,
    /// The standing in each report, in the order of the reports.
    pub standings: Vec<Standing>,
    /// Whether each report has a scenario that is about it.
    pub is_tested: Vec<bool>,
}

/// Routers by requirement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    pub routers: Vec<String>,
    /// Verdicts by profile: the profile, and the verdict of each report.
    pub verdicts: Vec<(String, Vec<String>)>,
    /// The rows in the order of the ledger, followed by rows of other ledgers.
    pub rows: Vec<MatrixRow>,
}

impl Matrix {
    /// Compares reports, each with a name in case two have the same router.
    pub fn new<'a>(reports: &'a [(String, RunRecord)], ledger: &Ledger) -> Self {
        let about = |report: &'a RunRecord| report.scenarios.iter().flat_map(CaseRecord::about);
        let tested: Vec<BTreeSet<_>> =
            reports.iter().map(|(_, report)| about(report).collect()).collect();
        let is_tested =
            |id: &RequirementId| tested.iter().map(|ids| ids.contains(id)).collect::<Vec<_>>();
        let mentioned = |id: &RequirementId| is_tested(id).contains(&true);
        let own = ledger.rows().map(|row| (row.id.clone(), row.level, row.profile));
        let own: Vec<_> = own.filter(|(id, ..)| mentioned(id)).collect();
        let mut foreign: Vec<_> = reports
            .iter()
            .flat_map(|(_, report)| &report.requirements)
            .filter(|(id, _)| ledger.row(id).is_none())
            .map(|(id, row)| (id.clone(), row.level, row.profile))
            .collect();
        foreign.sort();
        foreign.dedup_by(|next, kept| next.0 == kept.0);
        let standings = |id: &RequirementId| {
            reports.iter().map(|(_, report)| Standing::by_all(id, &report.scenarios)).collect()
        };
        let rows = own.into_iter().chain(foreign).map(|(id, level, profile)| MatrixRow {
            standings: standings(&id),
            is_tested: is_tested(&id),
            id,
            level,
            profile,
        });
        let verdict = |report: &RunRecord, profile: Profile| {
            let of = report.profiles.iter().find(|one| one.profile == profile);
            of.map_or(Conclusion::NotRun, |of| of.verdict).to_string()
        };
        let conclusion = (
            "conclusion".to_owned(),
            reports.iter().map(|(_, report)| report.conclusion.to_string()).collect(),
        );
        let profiles = Profile::ALL.into_iter().map(|profile| {
            let verdicts = reports.iter().map(|(_, report)| verdict(report, profile));
            (profile.to_string(), verdicts.collect())
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
        let differ = |row: &MatrixRow| row.standings.windows(2).any(|pair| pair[0] != pair[1]);
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

    /// Heading, verdicts, then requirements.
    fn table(&self) -> Vec<Vec<String>> {
        let head = ["requirement", "level", "profile"].map(str::to_owned);
        let verdicts = self.verdicts.iter().map(|(what, verdicts)| {
            let first = [what.clone(), String::new(), String::new()];
            [&first[..], verdicts].concat()
        });
        let rows = self.rows.iter().map(|row| {
            let first = [row.id.to_string(), row.level.to_string(), row.profile.to_string()];
            first.into_iter().chain(row.standings.iter().map(ToString::to_string)).collect()
        });
        [[&head[..], &self.routers].concat()].into_iter().chain(verdicts).chain(rows).collect()
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
        let standings = cells.skip(DESCRIBING - 1).map(|cell| cut(&cell, room));
        [id].into_iter().chain(standings).collect()
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
    fn what_one_report_alone_has_tested_is_no_change() {
        let mut foreign = sample::report();
        let row = foreign.requirements[&"BF-03".parse().unwrap()].clone();
        let other: RequirementId = "XX-99".parse().unwrap();
        foreign.requirements.insert(other.clone(), row);
        foreign.scenarios[0].requirements.push(other.clone());
        let reports = [("a.json".to_owned(), sample::report()), ("b.json".to_owned(), foreign)];
        let mut matrix = Matrix::new(&reports, Ledger::embedded());
        // Rows of other ledgers come last.
        let last = matrix.rows.last().unwrap();
        assert_eq!(
            (&last.id, &*last.standings),
            (&other, &[Standing::NotShown, Standing::Holds][..])
        );
        assert_eq!((matrix.only_changes(), matrix.rows), (1, Vec::new()));
    }

    #[test]
    fn a_cell_may_be_wider_than_a_width_of_the_formatter() {
        let mut report = sample::report();
        report.router.name = "r".repeat(70_000);
        let text = Matrix::new(&[("a.json".to_owned(), report)], Ledger::embedded()).text(None);
        assert!(text.lines().next().is_some_and(|line| line.len() > 70_000));
    }
}
