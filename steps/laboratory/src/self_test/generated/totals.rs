//! What a round says as a whole: the share that is killed, by seam, operation and condition.

use std::collections::BTreeMap;
use std::fmt;

use broken_routers::deviation::{Seam, name};

use super::row::{Fate, Row};

/// How many there are, and how many of them are killed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Share {
    killed: usize,
    all: usize,
}

impl Share {
    fn add(&mut self, row: &Row) {
        self.all += 1;
        self.killed += usize::from(row.fate.is_killed());
    }

    pub(super) fn percent(self) -> Option<f64> {
        (self.all > 0).then(|| 100.0 * self.killed as f64 / self.all as f64)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.percent() {
            Some(percent) => write!(f, "{percent:>5.0} % {:>4}/{:<4}", self.killed, self.all),
            None => write!(f, "{:>17}", "-"),
        }
    }
}

/// A row of a table: shares with no condition, with one, with two.
pub(super) type Shares = [Share; 3];

/// The totals of a round.
#[derive(Debug)]
pub struct Totals {
    fates: BTreeMap<&'static str, usize>,
    coarse: usize,
    seams: BTreeMap<Seam, Shares>,
    elements: BTreeMap<String, Shares>,
    operations: BTreeMap<String, Shares>,
    conditions: BTreeMap<String, Shares>,
}

impl Totals {
    /// Of these mutants. What is allowed is no defect; what anything kills is counted apart.
    pub fn of(rows: &[Row]) -> Self {
        let mut totals = Self {
            fates: BTreeMap::new(),
            coarse: 0,
            seams: BTreeMap::new(),
            elements: BTreeMap::new(),
            operations: BTreeMap::new(),
            conditions: BTreeMap::new(),
        };
        let first = |name: String| name.split(' ').next().unwrap_or_default().to_owned();
        for row in rows {
            *totals.fates.entry(words(row)).or_default() += 1;
            totals.coarse += usize::from(row.is_coarse);
            if matches!(row.fate, Fate::Allowed(_)) || row.is_coarse {
                continue;
            }
            let deviation = &row.draw.deviation;
            let many = deviation.conditions().count();
            totals.seams.entry(deviation.seam).or_default()[many].add(row);
            let element = first(name(&deviation.element));
            totals.elements.entry(element).or_default()[many].add(row);
            let operation = first(name(&deviation.operation));
            totals.operations.entry(operation).or_default()[many].add(row);
            for condition in deviation.conditions() {
                let condition = first(name(&condition));
                totals.conditions.entry(condition).or_default()[many].add(row);
            }
        }
        totals
    }

    /// The tables, with their titles, by name.
    pub(super) fn tables(&self) -> [(&'static str, Vec<(String, Shares)>); 4] {
        let listed = |table: &BTreeMap<String, Shares>| {
            table.iter().map(|(name, shares)| (name.clone(), *shares)).collect()
        };
        let seams = self.seams.iter().map(|(seam, shares)| (name(seam), *shares)).collect();
        [
            ("seam", listed(&seams)),
            ("element", listed(&self.elements)),
            ("operation", listed(&self.operations)),
            ("condition", listed(&self.conditions)),
        ]
    }

    /// The mean over seams, in percent, with this number of conditions.
    pub fn mean(&self, many: usize) -> Option<f64> {
        let percents: Vec<_> =
            self.seams.values().filter_map(|shares| shares[many].percent()).collect();
        (!percents.is_empty()).then(|| percents.iter().sum::<f64>() / percents.len() as f64)
    }
}

fn words(row: &Row) -> &'static str {
    match row.fate {
        Fate::Scenarios(_) => "killed by scenarios",
        Fate::Exploration(_) => "killed by exploration alone",
        Fate::Allowed(_) => "allowed",
        Fate::NeverFired => "never fired",
        Fate::Survived => "survived",
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fates = self.fates.iter().map(|(words, count)| format!("{count} {words}"));
        writeln!(
            f,
            "{} drawn mutants: {}",
            self.fates.values().sum::<usize>(),
            fates.collect::<Vec<_>>().join(", ")
        )?;
        writeln!(f, "{} of them fail more than half of the control scenarios", self.coarse)?;
        for (many, words) in ["no condition", "one condition", "two conditions"].iter().enumerate()
        {
            if let Some(mean) = self.mean(many) {
                writeln!(f, "mean over seams, {words}: {mean:.1} % killed")?;
            }
        }
        for (title, table) in self.tables() {
            writeln!(f, "\n{title:<20} {:<17} {:<17} two", "none", "one")?;
            for (name, [none, one, two]) in table {
                writeln!(f, "{name:<20} {none} {one} {two}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use broken_routers::deviation::draws;

    use super::*;

    #[test]
    fn what_is_allowed_or_coarse_does_not_count_among_the_seams() {
        let fates =
            [Fate::Survived, Fate::Exploration(String::new()), Fate::Allowed(String::new())];
        let row = |(draw, fate): (_, &Fate)| Row {
            draw,
            fate: fate.clone(),
            is_coarse: false,
            has_changed: true,
        };
        // The first turn goes round the seams, without conditions.
        let mut rows: Vec<_> = draws(1, 26).zip(fates.iter().cycle()).map(row).collect();
        let totals = Totals::of(&rows);
        let mean = totals.mean(0).unwrap();
        assert!((mean - 100.0 * 9.0 / 18.0).abs() < 0.1, "{mean}");
        assert_eq!(totals.mean(1), None);
        rows.iter_mut().for_each(|row| row.is_coarse = row.fate == Fate::Survived);
        assert_eq!(Totals::of(&rows).mean(0), Some(100.0));
        let text = totals.to_string();
        assert!(
            text.contains("26 drawn mutants: 8 allowed, 9 killed by exploration alone"),
            "{text}"
        );
    }
}
