//! The cache against a naive model, and between threads.

use proptest::prelude::*;

use super::*;

/// One shard, and as many as there can be.
const SIZES: [usize; 2] = [100, SHARD_ENTRIES * MOST_SHARDS];

fn exact<'a>(path: &'a str) -> Rule<'a> {
    Rule::exact(path.as_bytes(), path).unwrap()
}

fn prefix<'a>(path: &'a str) -> Rule<'a> {
    Rule::prefix(path.as_bytes(), path).unwrap()
}

fn cell(index: u16) -> CellIndex {
    CellIndex::at(index)
}

fn find(cache: &Cache, path: &str) -> Option<usize> {
    cache.owner(path, Instant::now()).map(CellIndex::index)
}

#[test]
fn few_entries_are_in_one_shard_and_many_in_no_more_than_they_may() {
    for (max_entries, shards) in [(1, 1), (4096, 1), (10_000, 2), (100_000, 32), (10_000_000, 64)] {
        let cache = Cache::new(max_entries);
        assert_eq!(cache.shards.len(), shards, "{max_entries}");
    }
    let cache = Cache::new(10_000);
    for number in 0..30_000 {
        cache.remember(prefix(&format!("/group/p{number}")), cell(1), None);
    }
    // One large group has both shards to itself.
    assert_eq!(cache.size(), (10_000, 20_000));
    let cache = Cache::new(10_000_000);
    for number in 0..100 * MOST_SHARDS {
        cache.remember(prefix(&format!("/group/p{number}")), cell(1), None);
    }
    for shard in &cache.shards {
        assert!((1..=200).contains(&lock(&shard.0).size().0), "all have about a hundred");
    }
}

#[test]
fn a_reload_changes_the_number_of_entries() {
    let cache = Cache::new(10_000);
    let fill = |cache: &Cache| {
        for number in 0..20_000 {
            cache.remember(prefix(&format!("/p{number}")), cell(1), None);
        }
        cache.size().0
    };
    assert_eq!(fill(&cache), 10_000);
    cache.renew(HashSet::new(), 100, Instant::now());
    assert_eq!(fill(&cache), 100);
    cache.renew(HashSet::new(), 1, Instant::now());
    assert_eq!(fill(&cache), 2);
}

#[test]
fn exact_beats_prefix_and_longer_beats_shorter() {
    for size in SIZES {
        let cache = Cache::new(size);
        cache.remember(prefix("/a"), cell(1), None);
        cache.remember(prefix("/a/b"), cell(2), None);
        cache.remember(exact("/a/b/c"), cell(3), None);
        cache.remember(exact("/a/b"), cell(4), None);
        assert_eq!(find(&cache, "/a"), Some(1));
        assert_eq!(find(&cache, "/a/"), Some(1));
        assert_eq!(find(&cache, "/a/b"), Some(4));
        assert_eq!(find(&cache, "/a/b/"), Some(2));
        assert_eq!(find(&cache, "/a/b/c"), Some(3));
        assert_eq!(find(&cache, "/a/b/c/"), Some(2));
        assert_eq!(find(&cache, "/a/bc"), Some(1));
        assert_eq!(find(&cache, "/ab"), None);
        assert_eq!(find(&cache, "/"), None);
        assert_eq!(find(&cache, "*"), None);
    }
}

#[test]
fn an_entry_expires_although_it_is_used() {
    for ttl in [1, 100, 60_000, 1 << 40].map(Duration::from_millis) {
        expires_after(ttl);
    }
}

fn expires_after(ttl: Duration) {
    let cache = Cache::new(10);
    let start = Instant::now();
    let end = start + ttl;
    cache.remember(prefix("/a"), cell(1), None);
    cache.remember(prefix("/a/b"), cell(2), Some(end));
    let at = |instant| cache.owner("/a/b/c", instant).map(CellIndex::index);
    assert_eq!(at(start), Some(2));
    assert_eq!(at(end - Duration::from_millis(1)), Some(2));
    assert_eq!(at(end), Some(1));
    // Never later than said, and less than a millisecond earlier.
    let entry = cache.entry("/a/b/c", start).unwrap();
    assert_eq!((entry.path(), entry.is_exact()), (b"/a/b".as_slice(), false));
    let said = entry.expires().unwrap();
    assert!(said <= end && end - said < Duration::from_millis(1));
    assert_eq!(cache.entry("/a/x", start).unwrap().expires(), None);
    // Without an end it replaces the one with an end.
    cache.remember(prefix("/a/b"), cell(2), None);
    assert_eq!(at(end), Some(2));
}

#[test]
fn an_entry_is_shared_by_all_threads() {
    for size in SIZES {
        let cache = Cache::new(size);
        let (ask, asked) = std::sync::mpsc::channel::<String>();
        let (told, tell) = std::sync::mpsc::channel();
        let other = Arc::clone(&cache);
        let thread = std::thread::spawn(move || {
            for path in asked {
                told.send(find(&other, &path)).unwrap();
            }
        });
        for number in 0..1000 {
            let path = format!("/p{number}{}", "/x".repeat(number % 9));
            let rule = if number % 2 == 0 { prefix(&path) } else { exact(&path) };
            cache.remember(rule, cell(number as u16), None);
            ask.send(path).unwrap();
            assert_eq!(tell.recv().unwrap(), Some(number));
        }
        drop(ask);
        thread.join().unwrap();
    }
}

#[test]
fn what_names_a_cell_that_has_gone_is_forgotten_and_not_learnt_again() {
    for size in SIZES {
        let cache = Cache::new(size);
        let (now, [stays, goes]) = (Instant::now(), [1, 2].map(cell));
        let [a, b, c] = ["/a", "/b", "/c"].map(exact);
        cache.remember(a, stays, None);
        cache.remember(b, goes, None);
        cache.renew(HashSet::from([goes]), size, now);
        cache.remember(c, goes, None);
        cache.correct("/a", stays, goes, now);
        let owners = ["/a", "/b", "/c"].map(|path| cache.owner(path, now));
        assert_eq!(owners, [Some(stays), None, None]);
        cache.renew(HashSet::new(), size, now);
        cache.remember(c, goes, None);
        assert_eq!(cache.owner("/c", now), Some(goes));
    }
}

#[test]
fn what_led_astray_is_forgotten_or_corrected() {
    for size in SIZES {
        let cache = Cache::new(size);
        let (now, [one, two, three]) = (Instant::now(), [1, 2, 3].map(cell));
        for (path, cell) in [("/a", one), ("/a/b", two), ("/a/b/c", two)] {
            cache.remember(prefix(path), cell, None);
        }
        // Another cell than the one that the path leads to: nothing changes.
        cache.forget("/a/b/c/d", one, now);
        assert_eq!(cache.owner("/a/b/c/d", now), Some(two));
        cache.forget("/a/b/c/d", two, now);
        assert_eq!(cache.owner("/a/b/c/d", now), Some(one));
        assert_eq!(cache.owner("/a/b/x", now), Some(one));
        cache.correct("/a/b", one, three, now);
        assert_eq!(cache.owner("/a/x", now), Some(three));
    }
}

/// The definition of a match, written naively.
fn model(entries: &[(String, bool, u16)], path: &str) -> Option<usize> {
    let covers = |prefix: &str, exact: bool| {
        path == prefix || (!exact && path.starts_with(&format!("{prefix}/")))
    };
    entries
        .iter()
        .enumerate()
        .filter(|(_, (prefix, exact, _))| covers(prefix, *exact))
        .max_by_key(|(order, (prefix, exact, _))| (*exact, prefix.len(), *order))
        .map(|(_, (_, _, cell))| usize::from(*cell))
}

#[test]
fn the_longest_of_many_prefixes_is_found() {
    let cache = Cache::new(SIZES[1]);
    let path = "/x".repeat(5 * PREFIXES_AT_ONCE);
    let prefixes: Vec<_> = (1..=path.len() / 2).map(|depth| &path[..2 * depth]).collect();
    for (index, path) in prefixes.iter().enumerate() {
        cache.remember(prefix(path), cell(index as u16), None);
        for (known, path) in prefixes.iter().enumerate() {
            assert_eq!(find(&cache, path), Some(known.min(index)), "{index}: {path}");
        }
    }
    for (index, path) in prefixes.iter().enumerate().skip(1).rev() {
        cache.forget(path, cell(index as u16), Instant::now());
        assert_eq!(find(&cache, &prefixes.concat()), Some(index - 1));
    }
}

/// None of these is `/`, which no rule covers, nor ends with a slash, which a prefix loses.
fn some_path() -> impl Strategy<Value = String> {
    (prop::collection::vec("[ab%]{0,2}", 0..4), "[ab%]{1,2}")
        .prop_map(|(segments, last)| format!("/{}", [segments, vec![last]].concat().join("/")))
}

proptest! {
    #[test]
    fn the_cache_agrees_with_the_model(
        entries in prop::collection::vec((some_path(), any::<bool>(), 0u16..4), 0..12),
        paths in prop::collection::vec(some_path(), 1..12),
        slash: bool,
    ) {
        for size in SIZES {
            let cache = Cache::new(size);
            for (path, is_exact, index) in &entries {
                let rule = if *is_exact { exact(path) } else { prefix(path) };
                cache.remember(rule, cell(*index), None);
            }
            for path in &paths {
                let path = if slash { format!("{path}/") } else { path.clone() };
                prop_assert_eq!(find(&cache, &path), model(&entries, &path), "{}", path);
            }
        }
    }
}

/// What the cache takes and how fast it is, in figures: a measurement, with no bound to fail at.
/// Resident memory has other things in it too, which count for a thousand prefixes.
#[test]
#[ignore = "prints figures of this machine; takes 3 GB"]
#[expect(clippy::print_stdout, reason = "it is there to print them")]
fn figures() {
    // What is given back would be taken again unseen.
    let mut kept = Vec::new();
    for count in [1_000, 100_000, 1_000_000, 10_000_000_usize] {
        let path = |number: usize| format!("/group-{:04}/project-{number:08}/x", number % 10_000);
        let cache = Cache::new(2 * count);
        let (before, mut text) = (resident(), 0);
        for number in 0..count {
            let path = path(number);
            let prefix = &path[..path.len() - 2];
            text += prefix.len();
            cache.remember(Rule::prefix(prefix.as_bytes(), &path).unwrap(), cell(1), None);
        }
        let beyond = resident().saturating_sub(before + text) / count;
        assert_eq!(cache.size(), (count, 0));
        // In random order: one after the other of a generator that visits all numbers.
        let (asked, now) = (1_000_000, Instant::now());
        let mut number = 1;
        let paths: Vec<_> = (0..asked)
            .map(|_| {
                number = (number * 6_364_136_223_846_793_005_u128 + 1_442_695_040_888_963_407)
                    % (1 << 64);
                path((number >> 33) as usize % count)
            })
            .collect();
        let start = Instant::now();
        let found = paths.iter().filter(|path| cache.owner(path, now).is_some()).count();
        let each = start.elapsed().as_nanos() / asked;
        assert_eq!(found as u128, asked);
        println!("{count:>8} prefixes: {beyond} bytes each beyond the text, look-up {each} ns");
        kept.push((cache, paths));
    }
}

/// Resident memory of this process in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}
