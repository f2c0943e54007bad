//! Large reports: when they are painted, and scenarios that are unpacked when somebody opens them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::chromium::{Driver, Window, block_on, report};

/// The longest time until something is painted, in milliseconds.
const FIRST_PAINT: f64 = 1000.0;

/// The first packed scenario of the page: its id, and that of its anchor.
async fn packed(window: &Window<'_>) -> (String, String) {
    let found = window
        .evaluate(
            "[document.querySelector('details[data-z]').id, \
              document.querySelector('details[data-z] .sb').id]",
        )
        .await;
    let word = |place: usize| found[place].as_str().expect("an id").to_owned();
    (word(0), word(1))
}

/// Waits until a scenario is unpacked; says how many requests and responses it shows.
async fn unpacked(window: &Window<'_>, id: &str) -> Value {
    let wait = format!(
        r"(async () => {{
          const one = document.getElementById('{id}');
          while (one.dataset.z) await new Promise((next) => setTimeout(next, 10));
          return one.querySelectorAll('.m').length;
        }})()"
    );
    window.eventually(&wait).await
}

async fn a_click_unpacks_a_scenario(window: &Window<'_>, page: &Path) {
    window.visit(page, "").await;
    let (id, _) = packed(window).await;
    let before =
        window.evaluate(&format!("document.getElementById('{id}').textContent.length")).await;
    window.evaluate(&format!("document.querySelector('#{id}>summary').click()")).await;
    assert!(unpacked(window, &id).await.as_u64() > Some(0));
    let after =
        window.evaluate(&format!("document.getElementById('{id}').textContent.length")).await;
    assert!(after.as_u64() > before.as_u64().map(|before| before + 200), "{before} {after}");
    let drawn = format!("document.querySelectorAll('#{id} svg.q').length");
    assert!(window.evaluate(&drawn).await.as_u64() > Some(0));
}

/// A link leads to a packed scenario, and to a message in one. What it leads to stands below the
/// bar that stays at the top.
async fn links_lead_into_packed_scenarios(window: &Window<'_>, page: &Path) {
    window.visit(page, "").await;
    let (id, anchor) = packed(window).await;
    let number = id.trim_start_matches('s').to_owned();
    for target in [anchor, format!("m{number}.0"), id.clone()] {
        window.visit(page, &format!("#{target}")).await;
        assert!(unpacked(window, &id).await.as_u64() > Some(0), "{target}");
        let place = window
            .eventually(&format!(
                r"new Promise((done) => setTimeout(() => {{
                  const target = document.getElementById('{target}');
                  const bar = document.querySelector('form');
                  const sticks = getComputedStyle(bar).position === 'sticky';
                  const summary = target.closest('details.s').firstElementChild;
                  done([
                    summary.parentElement.open,
                    target.getBoundingClientRect().top - (sticks ? bar.offsetHeight : 0),
                    innerHeight - target.getBoundingClientRect().top,
                  ]);
                }}, 100))"
            ))
            .await;
        assert_eq!(place[0], json!(true), "{target}");
        for distance in [&place[1], &place[2]] {
            assert!(distance.as_f64() >= Some(0.0), "{target}: {place}");
        }
    }
}

/// Nothing is wider than the page, whatever is open.
async fn fits_the_window(window: &Window<'_>, page: &Path) {
    window.visit(page, "").await;
    window.open_everything().await;
    assert_eq!(window.too_wide().await, json!(0), "{}", page.display());
}

async fn is_painted_soon(window: &Window<'_>, page: &Path) {
    window.visit(page, "").await;
    let painted = window
        .eventually(
            r"new Promise((done) => {
              const seen = () => performance.getEntriesByName('first-contentful-paint')[0];
              const look = () => seen() ? done(seen().startTime) : setTimeout(look, 10);
              look();
            })",
        )
        .await;
    let painted = painted.as_f64().expect("a time");
    eprintln!("{}: first painted after {painted} ms", page.display());
    assert!(painted < FIRST_PAINT, "{painted} ms");
}

#[test]
#[ignore = "needs Chromium: ci/browser runs it"]
fn a_large_report_opens_at_once_and_unpacks_what_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    // Somebody who has a whole report may name it: CELLS_REPORT=report.html.
    let large = std::env::var_os("CELLS_REPORT").map_or_else(
        || report(folder.path(), "large", &["journeys", "protocol::buffering"], None),
        PathBuf::from,
    );
    let failing =
        report(folder.path(), "failing", &["journeys::project"], Some("passes-the-bounce-on"));
    block_on(async {
        let driver = Driver::start();
        for (name, width, height) in [("phone", 400, 844), ("desk", 1400, 900)] {
            let window = Window::open(&driver, &folder.path().join(name), width, height).await;
            is_painted_soon(&window, &large).await;
            for page in [&large, &failing] {
                a_click_unpacks_a_scenario(&window, page).await;
                links_lead_into_packed_scenarios(&window, page).await;
            }
            fits_the_window(&window, &failing).await;
            let said = window.log("browser").await;
            assert!(said.is_empty(), "the console: {said:?}");
            window.close().await;
        }
    });
}
