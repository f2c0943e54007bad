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
    let pages: Vec<_> = names.iter().filter(|name| name.ends_with(".html")).collect();
    assert_eq!(
        pages,
        [&"index.html", &"waypoint-2.1.html", &"waypoint-2.1-2.html", &"gateway-b-2.1.html"]
    );
    assert_eq!(names.len(), 1 + 3 * 3);
    let long = |end: &str| format!("{}{end}", "gate ".repeat(100));
    let routers = ["index", "../..", &long("a"), &long("b"), &long("a")].map(|name| {
        let mut report = sample::report();
        (report.router.name, report.router.version) = (name.to_owned(), None);
        ("a".to_owned(), report)
    });
    let names = file_names(&routers);
    assert_eq!(names[..2], ["index-2", "router"]);
    // A long name is cut and told from others.
    let distinct: BTreeSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "{names:?}");
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
