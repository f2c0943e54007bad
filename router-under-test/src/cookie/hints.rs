//! The content of a route cookie: owners of paths, most recent first.

use super::seal::Tag;
use crate::cache::Rule;

/// Hints in one cookie.
pub(super) const MOST: usize = 16;
/// Bytes in one cookie, before it is sealed. With the seal and in base64 this is less than 2 KiB.
pub(super) const LONGEST: usize = 1400;
/// Format version; a cookie with another one is ignored.
const VERSION: u8 = 1;

const EXACT: u8 = 1;
const ENDS: u8 = 2;

/// Which cell owns one path or prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    /// What is covered: this path, and unless it is exact, all below it. At most 255 bytes.
    pub(super) path: Vec<u8>,
    pub(super) exact: bool,
    pub(super) cell: Tag,
    /// When it expires, in milliseconds since 1970, if it does.
    pub(super) end: Option<u64>,
}

/// The hints of one user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints(Vec<Hint>);

impl Hints {
    /// What is said about a path at this time: an exact hint first, then the longest prefix
    /// (Z-38).
    pub(super) fn about(&self, path: &str, now: u64) -> Option<&Hint> {
        self.0
            .iter()
            .filter(|hint| !hint.is_over(now) && hint.covers(path))
            .max_by_key(|hint| (hint.exact, hint.path.len()))
    }

    /// Puts a path in front, replacing an earlier entry, and drops what has expired or does not
    /// fit. A path that is too long is not stored.
    pub(super) fn put(&mut self, hint: Hint, now: u64) {
        self.0.retain(|have| {
            !have.is_over(now) && (have.exact != hint.exact || have.path != hint.path)
        });
        if hint.path.len() <= usize::from(u8::MAX) {
            self.0.insert(0, hint);
        }
        self.0.truncate(MOST);
        while 1 + self.0.iter().map(Hint::length).sum::<usize>() > LONGEST {
            self.0.pop();
        }
    }

    /// Forgets what is said about a path.
    pub(super) fn forget(&mut self, path: &str) {
        self.0.retain(|hint| !hint.covers(path));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn written(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        for hint in &self.0 {
            bytes.push(
                if hint.exact { EXACT } else { 0 } | if hint.end.is_some() { ENDS } else { 0 },
            );
            bytes.extend_from_slice(&hint.cell.0);
            if let Some(end) = hint.end {
                bytes.extend_from_slice(&end.to_be_bytes());
            }
            // `put` takes no longer paths.
            bytes.push(u8::try_from(hint.path.len()).unwrap_or(u8::MAX));
            bytes.extend_from_slice(&hint.path);
        }
        bytes
    }

    /// Parses the output of [`Hints::written`]; `None` if the input is not valid.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(&[VERSION])?;
        let mut hints = Vec::new();
        while let Some((&flags, after)) = rest.split_first() {
            if flags & !(EXACT | ENDS) != 0 || hints.len() == MOST {
                return None;
            }
            let (&tag, after) = after.split_first_chunk()?;
            let (end, after) = if flags & ENDS == 0 {
                (None, after)
            } else {
                let (&end, after) = after.split_first_chunk()?;
                (Some(u64::from_be_bytes(end)), after)
            };
            let (&length, after) = after.split_first()?;
            let (path, after) = after.split_at_checked(usize::from(length))?;
            hints.push(Hint {
                path: path.to_vec(),
                exact: flags & EXACT != 0,
                cell: Tag(tag),
                end,
            });
            rest = after;
        }
        Some(Self(hints))
    }
}

impl Hint {
    fn covers(&self, path: &str) -> bool {
        // The same rules as for what a cell says.
        if self.exact {
            Rule::exact(&self.path, path).is_some()
        } else {
            Rule::prefix(&self.path, path).is_some()
        }
    }

    fn is_over(&self, now: u64) -> bool {
        self.end.is_some_and(|end| end <= now)
    }

    fn length(&self) -> usize {
        1 + self.cell.0.len() + self.end.map_or(0, |_| size_of::<u64>()) + 1 + self.path.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn hint(path: &str, cell: u8) -> Hint {
        Hint { path: path.into(), exact: false, cell: Tag([cell; 8]), end: None }
    }

    fn about(hints: &Hints, path: &str, now: u64) -> Option<u8> {
        hints.about(path, now).map(|hint| hint.cell.0[0])
    }

    #[test]
    fn the_longest_hint_wins_until_it_expires() {
        let mut hints = Hints::default();
        hints.put(hint("/a", 1), 0);
        hints.put(Hint { end: Some(10), ..hint("/a/b", 2) }, 0);
        hints.put(Hint { exact: true, ..hint("/a", 3) }, 0);
        assert_eq!(about(&hints, "/a", 0), Some(3));
        assert_eq!(about(&hints, "/a/", 0), Some(1));
        assert_eq!(about(&hints, "/a/b/c", 9), Some(2));
        assert_eq!(about(&hints, "/a/b/c", 10), Some(1));
        assert_eq!(about(&hints, "/ab", 0), None);
        assert_eq!(about(&hints, "/", 0), None);
    }

    #[test]
    fn the_latest_hint_wins_and_can_be_removed() {
        let mut hints = Hints::default();
        hints.put(hint("/a", 1), 0);
        hints.put(hint("/b", 1), 0);
        hints.put(hint("/a", 2), 0);
        assert_eq!(about(&hints, "/a", 0), Some(2));
        hints.forget("/a/x");
        assert_eq!((about(&hints, "/a", 0), about(&hints, "/b", 0)), (None, Some(1)));
    }

    #[test]
    fn a_hint_for_every_path_covers_none() {
        for path in ["", "/", "//"] {
            let hints = Hints(vec![hint(path, 1)]);
            assert_eq!(about(&hints, "/", 0), None);
            assert_eq!(about(&hints, "//x", 0), None);
            assert_eq!(about(&hints, "/x", 0), None);
        }
    }

    #[test]
    fn hints_stay_small_and_keep_the_latest() {
        let mut hints = Hints::default();
        for number in 0..100 {
            hints.put(hint(&format!("/path-{number}"), 1), 0);
        }
        assert_eq!(hints.0.len(), MOST);
        assert_eq!(about(&hints, "/path-99", 0), Some(1));
        let long = format!("/{}", "x".repeat(254));
        for number in 0..20 {
            hints.put(Hint { end: Some(9), ..hint(&format!("{}{number:02}", &long[..253]), 1) }, 0);
            assert!(hints.written().len() <= LONGEST);
        }
        hints.put(hint(&format!("{long}y"), 1), 0);
        assert_eq!(about(&hints, &format!("{long}y"), 0), None);
    }

    fn some_hint() -> impl Strategy<Value = Hint> {
        let path = prop::collection::vec(any::<u8>(), 0..=255);
        (path, any::<bool>(), any::<[u8; 8]>(), any::<Option<u64>>())
            .prop_map(|(path, exact, tag, end)| Hint { path, exact, cell: Tag(tag), end })
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn written_values_are_read_back(hints in prop::collection::vec(some_hint(), 0..24)) {
            let mut all = Hints::default();
            for hint in hints {
                all.put(hint, 0);
                prop_assert!(all.written().len() <= LONGEST);
            }
            prop_assert_eq!(Hints::read(&all.written()), Some(all));
        }

        #[test]
        fn any_bytes_are_accepted_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..80),
            path in "/.{0,9}",
        ) {
            let with_version = [&[VERSION], &bytes[..]].concat();
            for bytes in [bytes, with_version] {
                if let Some(hints) = Hints::read(&bytes) {
                    let _ = hints.about(&path, 0);
                    // Only one spelling is read.
                    prop_assert_eq!(hints.written(), bytes);
                }
            }
        }
    }
}
