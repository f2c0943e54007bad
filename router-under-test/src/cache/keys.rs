//! Hashes of paths that only this process can predict.

use std::hash::{BuildHasher as _, DefaultHasher, Hasher as _, RandomState};

/// The key of the hashes.
///
/// A path is hashed once, segment by segment, and the hash taken at each boundary. So a look-up
/// takes time in proportion to the path's length however many slashes it has.
#[derive(Debug, Default)]
pub(super) struct Keys(RandomState);

impl Keys {
    /// The prefixes of a path that end at a boundary, the shortest first, each with its hash.
    pub(super) fn prefixes<'a>(&self, path: &'a [u8]) -> impl Iterator<Item = (u64, &'a [u8])> {
        let mut hasher = self.0.build_hasher();
        Segments::of(path).map(move |segment| {
            hasher.write(&path[segment.start..segment.end]);
            (hasher.finish(), &path[..segment.end])
        })
    }

    /// The hash of an entry.
    pub(super) fn hash(&self, path: &[u8], exact: bool) -> u64 {
        if exact { self.exact(path) } else { self.prefix(path) }
    }

    fn prefix(&self, path: &[u8]) -> u64 {
        let mut hasher = self.0.build_hasher();
        for segment in Segments::of(path) {
            hasher.write(&path[segment.start..segment.end]);
        }
        hasher.finish()
    }

    /// Another hash than that of the prefix with the same bytes.
    fn exact(&self, path: &[u8]) -> u64 {
        let mut hasher: DefaultHasher = self.0.build_hasher();
        hasher.write_u8(0);
        hasher.write(path);
        hasher.finish()
    }
}

/// How many segments a path has.
pub(super) fn depth(path: &[u8]) -> usize {
    Segments::of(path).count()
}

/// The segments of a path, each with the slash before it: of `/a/b` these are `/a` and `/b`.
struct Segments<'a> {
    path: &'a [u8],
    start: usize,
}

struct Segment {
    start: usize,
    end: usize,
}

impl<'a> Segments<'a> {
    fn of(path: &'a [u8]) -> Self {
        Self { path, start: 0 }
    }
}

impl Iterator for Segments<'_> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        let start = self.start;
        if start >= self.path.len() {
            return None;
        }
        let length = self.path[start + 1..].iter().position(|&byte| byte == b'/');
        self.start = length.map_or(self.path.len(), |length| start + 1 + length);
        Some(Segment { start, end: self.start })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn segments_are_the_whole_path(path in "/[a/]{0,12}") {
            let joined: Vec<u8> = Segments::of(path.as_bytes())
                .flat_map(|segment| path.as_bytes()[segment.start..segment.end].to_vec())
                .collect();
            prop_assert_eq!(joined, path.as_bytes());
        }

        #[test]
        fn a_boundary_has_the_hash_of_its_prefix(path in "/[a/]{0,12}") {
            let keys = Keys::default();
            let mut count = 0;
            for (hash, prefix) in keys.prefixes(path.as_bytes()) {
                prop_assert_eq!(hash, keys.hash(prefix, false));
                prop_assert_ne!(hash, keys.hash(prefix, true));
                count += 1;
            }
            prop_assert_eq!(count, depth(path.as_bytes()));
        }
    }
}
