//! What is drawn: every kind of place, situation and deed, and only what can be played.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::*;

/// Journeys of fixed seeds, in both protocols.
fn journeys(count: u64) -> impl Iterator<Item = Journey> {
    (0..count).map(|seed| journey(Protocol::ALL[seed as usize % 2], seed))
}

/// Whether some of the journeys' steps contain each of the texts.
fn all_written(texts: &[&str]) {
    static WRITTEN: LazyLock<Vec<String>> = LazyLock::new(|| {
        journeys(2_000).map(|it| it.as_feature("a drawn journey is permitted", "RT-08")).collect()
    });
    let is_missing = |text: &&&str| !WRITTEN.iter().any(|feature| feature.contains(**text));
    let missing: Vec<_> = texts.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "no journey has {missing:?}");
}

#[test]
fn every_drawn_journey_is_a_case() {
    for journey in journeys(60) {
        assert!(journey.is_sound(), "{}", journey.as_feature("unsound", "RT-08"));
        let case = journey.as_case("a drawn journey is permitted", "RT-08");
        if let Err(why) = case.and_then(|case| conformance_suite::run::planned_for(&case).map(drop))
        {
            panic!("{why}");
        }
    }
}

#[test]
fn the_same_seed_draws_the_same_journey() {
    for seed in [1, 77] {
        let drawn = journey(Protocol::Learning, seed);
        assert_eq!(drawn, journey(Protocol::Learning, seed));
        assert_ne!(drawn, journey(Protocol::Learning, seed + 1));
    }
}

#[test]
fn every_situation_and_deed_is_drawn() {
    let scenes: Vec<_> = (0..600).flat_map(|seed| Draft::from_seed(seed).scenes).collect();
    for situation in Situation::VARIANTS {
        assert!(scenes.iter().any(|scene| scene.situation == *situation), "{situation:?}");
    }
    for deed in Deed::VARIANTS {
        assert!(scenes.iter().any(|scene| scene.deed == *deed), "{deed:?}");
    }
}

#[test]
fn worlds_have_one_to_three_regions_of_one_to_five_cells() {
    let (mut regions, mut cells, mut routers) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for world in journeys(500).map(|journey| journey.world) {
        let mut names: Vec<_> = world.cells.iter().map(CellId::region).collect();
        for region in &names {
            cells.insert(names.iter().filter(|other| *other == region).count());
        }
        names.dedup();
        regions.insert(names.len());
        routers.insert(world.routers.len());
    }
    assert_eq!(regions, BTreeSet::from([1, 2, 3]));
    assert_eq!(cells, BTreeSet::from([1, 2, 3, 4, 5]));
    assert_eq!(routers, BTreeSet::from([1, 2]));
}

#[test]
fn names_of_every_kind_are_drawn() {
    let paths: BTreeSet<_> =
        journeys(500).flat_map(|it| it.world.places).map(|place| place.path).collect();
    let any = |is: &dyn Fn(&str) -> bool| paths.iter().any(|path| is(path));
    for word in ["%20", "%C3%A4", "%2F", ".", "users2", "admin-x"] {
        assert!(any(&|path| path.contains(word)), "{word}");
    }
    for word in RESERVED {
        let nested = format!("/{word}");
        assert!(any(&|path| path[1..].contains(&nested)), "{word} is never below a name");
        assert!(!any(&|path| path[1..].split('/').next() == Some(word)), "{word} is at the top");
    }
    // In one world: prefixes of each other, one byte apart, other letters, one inside the other.
    let near = |is: &dyn Fn(&PlannedPlace, &PlannedPlace) -> bool| {
        journeys(500).any(|it| {
            let places = &it.world.places;
            places.iter().any(|a| places.iter().any(|b| a != b && is(a, b)))
        })
    };
    assert!(near(&|a, b| b.path.starts_with(&a.path) && !b.path[a.path.len()..].starts_with('/')));
    assert!(near(&|a, b| a.path.len() == b.path.len()
        && a.path.bytes().zip(b.path.bytes()).filter(|(a, b)| a != b).count() == 1));
    assert!(near(&|a, b| a.path.eq_ignore_ascii_case(&b.path)));
    let inside = |a: &PlannedPlace, b: &PlannedPlace| b.path.starts_with(&format!("{}/", a.path));
    assert!(near(&|a, b| inside(a, b) && a.kind == PlaceKind::Exact));
    assert!(near(&|a, b| inside(a, b) && b.kind == PlaceKind::Exact && a.cell != b.cell));
}

#[test]
fn worlds_have_organizations_groups_projects_people_and_limits() {
    all_written(&[
        "the organization \"org\" on",
        "the group \"",
        "\" of the organization \"",
        "the private group \"",
        "the project \"",
        "the private project \"",
        "apart from its group",
        "is a member of",
        "anna is signed in",
        "nina is signed in",
        "cache entries live",
        "the cache holds about",
        "the hop limit is 3",
        "the body buffer limit is",
        "the replicas lag",
        "region lag until they are released",
        "runs an older version",
        "that only the latest version knows",
        "      302\n",
        "after 15 ms",
        "resets the connection",
        "closes the connection",
        "every cell holds its response to a pre-flight",
    ]);
}

#[test]
fn every_kind_of_action_is_drawn() {
    all_written(&[
        "/api/v4/projects/9",
        "%2F",
        "/api/graphql",
        "/graphql\" with the JSON",
        "/assets/",
        "/admin/cells/",
        "sends OPTIONS",
        "sends PROPFIND",
        "sends LINK",
        "sends FROBNICATE",
        "X-CSRF-Token: csrf-2",
        "Private-Token: glpat-1",
        "Job-Token: glcbt-2",
        "X-Next-Page: 2",
        "random bytes after 100 Continue",
        "several users share a connection, in turns",
        "several users share a connection, pipelining",
        "starts to send",
        "\"/api/v4/internal/cells/learn",
        "sends PATCH",
        "sends DELETE",
        "sends HEAD",
        "with 1999 random bytes",
        "with 2000 random bytes",
        "with 2001 random bytes",
        "with 1999 random bytes in chunks",
        "with 2000 random bytes in chunks",
        "with 2001 random bytes in chunks",
        "uploads 400 bytes",
        "signs in",
        "signs out",
        "creates the group",
        "is created on",
        "/made-",
        "is renamed to",
        "moves to",
        "restarts",
        "router restarts",
        "130 ms pass",
        "paths with different cold prefixes",
        "goes down",
        "region goes down",
        "comes back",
        "the replicas are released",
        "times at once",
        "starts to visit",
        "as well",
        "the held response to",
        "leaves",
        "then half-closes",
        "GET http://{host}",
        "HTTP/1.0",
        " bytes}",
        "router\n",
    ]);
}

#[test]
fn worlds_have_cells_and_places_that_are_nearly_the_same() {
    let worlds: Vec<_> = journeys(300).map(|journey| journey.world).collect();
    let names =
        |world: &World| world.cells.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let begins = |world: &World| {
        let names = names(world);
        names.iter().any(|one| names.iter().any(|other| one != other && other.starts_with(one)))
    };
    assert!(worlds.iter().any(begins));
    let regions = |world: &World| {
        let mine = world.routers[0].as_str();
        let mut others = world.cells.iter().map(|cell| cell.region().as_str());
        others.any(|other| other != mine && other.starts_with(mine))
    };
    assert!(worlds.iter().any(regions));
    let nests = |world: &World| {
        let inside = |a: &PlannedPlace, b: &PlannedPlace| {
            b.path.starts_with(&format!("{}/", a.path)) && a.cell != b.cell
        };
        let places = &world.places;
        places.iter().any(|a| {
            places
                .iter()
                .any(|b| inside(a, b) && places.iter().any(|c| inside(b, c) && a.cell != c.cell))
        })
    };
    assert!(worlds.iter().any(nests));
    all_written(&[
        "twin-",
        "Exact-",
        "/dashboard",
        "redirect_to=%2Fx%3Fy",
        "Authorization: Bearer",
        "application/x-www-form-urlencoded",
        "with 70000 random bytes",
        "every cell responds to a pre-flight about",
        "sets on its response to",
        "X-GITLAB-CELL-REDIRECT: ",
        "\\/odd",
        "\"exact\":false",
        "Set-Cookie: flavor",
        "31 times",
    ]);
}
