use cell_fleet::Protocol;

use super::super::sample;
use super::*;
use crate::verdict::OutcomeWord;

fn written() -> Vec<(String, String)> {
    let mut other = sample::report();
    other.router.name = "Gateway <b>".to_owned();
    other.router.protocols = vec![Protocol::Learning];
    other.scenarios.retain(|one| one.outcome.word == OutcomeWord::Passed);
    let reports = [("a", sample::report()), ("b", sample::report()), ("c", other)]
        .map(|(name, report)| (name.to_owned(), report));
    pages(&reports, Ledger::embedded(), Some("../spec"))
}

#[test]
fn each_router_has_a_page_of_its_own_and_badges() {
    let files = written();
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names.iter().copied().filter(|name| name.ends_with(".html")).collect::<Vec<_>>(),
        ["index.html", "waypoint-2.1.html", "waypoint-2.1-2.html", "gateway-b-2.1.html"]
    );
    assert_eq!(names.len(), 1 + 3 * 3);
    let mut unnamed = sample::report();
    unnamed.router.name = "index".to_owned();
    unnamed.router.version = None;
    assert_eq!(file_names(&[("a".to_owned(), unnamed.clone())]), ["index-2"]);
    unnamed.router.name = "../..".to_owned();
    assert_eq!(file_names(&[("a".to_owned(), unnamed)]), ["router"]);
}

#[test]
fn a_long_name_of_a_router_is_cut_and_told_from_others() {
    let named = |end: &str| {
        let mut report = sample::report();
        report.router.name = format!("{}{end}", "gate ".repeat(100));
        ("a".to_owned(), report)
    };
    let names = file_names(&[named("a"), named("b"), named("a")]);
    let distinct: BTreeSet<_> = names.iter().collect();
    assert!(distinct.len() == 3 && names[2] == format!("{}-2", names[0]), "{names:?}");
    assert!(names.iter().all(|name| name.len() < 120), "{names:?}");
}

#[test]
fn every_link_of_the_matrix_has_a_target() {
    let files = written();
    let (_, index) = &files[0];
    let links: Vec<_> = index
        .split("href=\"")
        .skip(1)
        .map(|rest| &rest[..rest.find('"').unwrap()])
        .filter(|link| link.contains(".html") && !link.starts_with("../spec/"))
        .collect();
    assert!(links.len() > 12, "{links:?}");
    for link in links {
        let (file, id) = link.split_once('#').unwrap_or((link, ""));
        let page = files.iter().find(|(name, _)| name == file);
        let (_, page) = page.unwrap_or_else(|| panic!("no page {file}"));
        assert!(id.is_empty() || page.contains(&format!("id=\"{id}\"")), "{link}");
    }
}
