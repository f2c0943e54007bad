//! The report and the specification: looked at in the widths of a phone and of a desk, in light and
//! in dark, and used as people do.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::chromium::{Driver, Window, block_on, report};

/// What the reports are of.
const SELECTION: [&str; 2] =
    ["journeys::project_signed_in", "protocol::buffering::internal_redirect"];

const SHOWN: &str = "document.querySelectorAll('details.s:not([hidden])').length";
/// Elements whose text contrast is below 4.5 to 1 (WCAG 2.2, 1.4.3).
const TOO_FAINT: &str = r"(() => {
  const light = (color) => {
    const linear = (part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const parts = color.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255);
    const [red, green, blue] = parts.map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!/, 0\)$/.test(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = new Set();
  for (const element of [...document.querySelectorAll('main *')].slice(0, 4000)) {
    const isText = (node) => node.nodeType === 3 && node.data.trim();
    if (element.closest('svg') || ![...element.childNodes].some(isText)) continue;
    const colors = [getComputedStyle(element).color, behind(element)];
    const [one, other] = colors.map(light).sort((a, b) => b - a);
    if ((one + 0.05) / (other + 0.05) < 4.5) found.add(element.tagName + '.' + element.className);
  }
  return [...found];
})()";

async fn looks_right(window: &Window<'_>, page: &Path) {
    window.visit(page, "").await;
    window.open_everything().await;
    let too_wide = window.too_wide().await;
    assert!(
        too_wide.as_i64().is_some_and(|pixels| pixels <= 0),
        "{} is {too_wide} pixels too wide",
        page.display()
    );
    for scheme in ["light", "dark"] {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        window.devtools("Emulation.setEmulatedMedia", features).await;
        assert_eq!(window.evaluate(TOO_FAINT).await, json!([]), "{}, {scheme}", page.display());
    }
}

async fn filters_work(window: &Window<'_>, page: &Path) {
    window.visit(page, "").await;
    let all = window.evaluate("document.querySelectorAll('details.s').length").await;
    assert_eq!(window.evaluate(SHOWN).await, all);
    let failed =
        window.evaluate("document.querySelectorAll('details.s[data-o=failed]').length").await;
    assert!(failed.as_u64() > Some(0) && failed != all);

    window.visit(page, "#outcome=failed").await;
    assert_eq!(window.evaluate(SHOWN).await, failed);
    assert_eq!(
        window.evaluate("document.querySelector('[name=outcome][value=failed]').checked").await,
        json!(true)
    );
    let headings = window
        .evaluate("[...document.querySelectorAll('section.g:not([hidden])>h3')].length")
        .await;
    assert_eq!(headings, json!(1), "headings without scenarios are gone");

    // As a user does it: with the boxes and fields.
    window.evaluate("document.querySelector('[type=reset]').click()").await;
    window
        .call("/execute/async", json!({ "script": "setTimeout(arguments[0], 50);", "args": [] }))
        .await;
    assert_eq!(window.evaluate(SHOWN).await, all);
    let write = |name: &str, text: &str| {
        format!(
            "(() => {{ const field = document.forms[0].elements['{name}']; field.value = '{text}'; \
             field.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
        )
    };
    window.evaluate(&write("requirement", "bf-12")).await;
    let cited = window
        .evaluate(
            "[...document.querySelectorAll('details.s')] \
             .filter((one) => one.dataset.r.split(' ').includes('BF-12')).length",
        )
        .await;
    assert_eq!(window.evaluate(SHOWN).await, cited);
    assert_eq!(window.evaluate("location.hash").await, json!("#requirement=bf-12"));
    window.evaluate(&write("requirement", "")).await;
    window.evaluate(&write("text", "three cells")).await;
    assert!(
        window.evaluate(SHOWN).await.as_u64().is_some_and(|count| count > 0 && json!(count) != all)
    );
    window.evaluate(&write("text", "no scenario is called like this")).await;
    assert_eq!(window.evaluate("document.getElementById('nothing').hidden").await, json!(false));

    // A link opens its target, even if the target was filtered out.
    let id = window.evaluate("document.querySelector('details.s[data-o=passed] .sb').id").await;
    window.visit(page, &format!("#{}", id.as_str().expect("an id"))).await;
    assert_eq!(
        window.evaluate("document.getElementById(location.hash.slice(1)).parentElement.open").await,
        json!(true)
    );
}

async fn nothing_was_fetched(window: &Window<'_>) {
    let requests = window.log("performance").await.into_iter().filter_map(|entry| {
        let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
        let (kind, parameters) = (&message["message"]["method"], &message["message"]["params"]);
        // The start page of the browser itself does not count.
        let is_ours =
            parameters["documentURL"].as_str().is_some_and(|page| !page.starts_with("chrome:"));
        (kind == "Network.requestWillBeSent" && is_ours)
            .then(|| parameters["request"]["url"].as_str().unwrap_or_default().to_owned())
    });
    let requests: Vec<_> = requests.collect();
    assert!(requests.iter().any(|url| url.starts_with("file:")), "the log of requests is empty");
    let foreign: Vec<_> = requests
        .iter()
        .filter(|url| !["file:", "about:", "data:"].iter().any(|own| url.starts_with(own)))
        .collect();
    assert_eq!(foreign, Vec::<&String>::new());
    let said = window.log("browser").await;
    assert!(said.is_empty(), "the console: {said:?}");
}

#[test]
#[ignore = "needs Chromium: ci/browser runs it"]
fn the_pages_work_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let reference = report(folder.path(), "reference", &SELECTION, None);
    let broken = report(folder.path(), "broken", &SELECTION, Some("passes-the-bounce-on"));
    let run = |words: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_cells-lab"));
        let ended = program.args(words).current_dir(&folder).output().expect("the program runs");
        assert!(ended.status.success(), "{words:?}");
        ended.stdout
    };
    let costs = run(&["flows", "--reference", "--json"]);
    std::fs::write(folder.path().join("flows.json"), costs).expect("a file in the folder");
    run(&["spec", "--out", "spec", "--flows", "flows.json"]);
    block_on(async {
        let driver = Driver::start();
        for (name, width, height) in [("phone", 390, 844), ("desk", 1280, 900)] {
            let window = Window::open(&driver, &folder.path().join(name), width, height).await;
            looks_right(&window, &reference).await;
            looks_right(&window, &broken).await;
            filters_work(&window, &broken).await;
            for page in [
                "findings",
                "index",
                "documents",
                "requirements",
                "review",
                "choices",
                "flows",
                "journeys-02_project_signed_out",
            ] {
                looks_right(&window, &folder.path().join("spec").join(page).with_extension("html"))
                    .await;
            }
            nothing_was_fetched(&window).await;
            window.close().await;
        }
    });
}
