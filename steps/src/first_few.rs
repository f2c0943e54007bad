//! The first few of many things that went wrong: enough to see what it is.

/// How many are kept.
const KEPT: usize = 5;

/// Things that went wrong, the first few in words and all of them counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstFew {
    kept: Vec<String>,
    count: usize,
}

impl FirstFew {
    /// One more; put in words only where it is kept.
    pub(crate) fn add(&mut self, words: impl FnOnce() -> String) {
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(words());
        }
    }

    /// The first few, and how many more there are.
    pub(crate) fn words(&self) -> Vec<String> {
        let more = self.count - self.kept.len();
        self.kept.iter().cloned().chain((more > 0).then(|| format!("and {more} more"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let mut few = FirstFew::default();
        assert!(few.words().is_empty());
        (0..7).for_each(|number| few.add(|| number.to_string()));
        assert_eq!(few.words(), ["0", "1", "2", "3", "4", "and 2 more"]);
    }
}
