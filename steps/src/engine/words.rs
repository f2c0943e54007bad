//! Words of reports: counts, the first few of many failures, digests.

/// `1 scenario`, `3 scenarios`, `2 entries`.
pub fn counted(count: impl TryInto<usize>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(usize::MAX);
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}

/// Two lowercase digits for each byte, as digests are written.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

const KEPT: usize = 5;

/// Failures: the first few in words, and the number of all.
#[derive(Clone, Debug, Default)]
pub struct FirstFew {
    kept: Vec<String>,
    count: usize,
}

impl FirstFew {
    /// Adds one; `words` is called only where it is kept.
    pub fn add(&mut self, words: impl FnOnce() -> String) {
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(words());
        }
    }

    pub fn join(&mut self, other: Self) {
        self.count += other.count;
        self.kept.extend(other.kept);
        self.kept.truncate(KEPT);
    }

    /// The first few, and how many more there are.
    pub fn words(&self) -> Vec<String> {
        let more = self.count - self.kept.len();
        self.kept.iter().cloned().chain((more > 0).then(|| format!("and {more} more"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_no_plural() {
        assert_eq!(counted(0, "scenario"), "0 scenarios");
        assert_eq!(counted(1, "scenario"), "1 scenario");
        assert_eq!(counted(2, "known failure"), "2 known failures");
        assert_eq!(counted(2, "entry"), "2 entries");
        assert_eq!(counted(1, "entry"), "1 entry");
        assert_eq!(counted(3, "way"), "3 ways");
    }

    #[test]
    fn failures_that_are_left_out_are_counted() {
        let mut few = FirstFew::default();
        assert!(few.words().is_empty());
        (0..7).for_each(|number| few.add(|| number.to_string()));
        assert_eq!(few.words(), ["0", "1", "2", "3", "4", "and 2 more"]);
        let mut one = FirstFew::default();
        one.add(|| "first".to_owned());
        one.join(few);
        assert_eq!(one.words(), ["first", "0", "1", "2", "3", "and 3 more"]);
    }
}
