//! Headless Chromium, by way of its own driver.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A page that the program writes: a report of its reference router, or of the broken one that is
/// named.
pub(crate) fn report(
    folder: &Path,
    name: &str,
    selection: &[&str],
    broken: Option<&str>,
) -> PathBuf {
    let program = env!("CARGO_BIN_EXE_cells-conformance");
    let page = folder.join(format!("{name}.html"));
    let mut command = Command::new(program);
    command.arg("run").args(selection).arg(format!("--report=html={}", page.display()));
    if let Some(broken) = broken {
        command.args(["--", env!("CARGO_BIN_EXE_cells-lab"), "broken", broken]);
    }
    let ended = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert_eq!(ended.expect("the program runs").code(), Some(i32::from(broken.is_some())));
    page
}

/// Lets what a test does in a browser come to its end.
pub(crate) fn block_on(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work);
}

/// The driver's process, which ends with the test.
pub(crate) struct Driver {
    process: Child,
    address: String,
    http: reqwest::Client,
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Driver {
    /// Starts the driver on a port that it chooses.
    pub(crate) fn start() -> Self {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed: ci/browser does so");
        let lines =
            BufReader::new(process.stdout.take().expect("standard output is piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, rest) = line.split_once("successfully on port ")?;
            rest.trim_end_matches('.').parse::<u16>().ok()
        });
        let address =
            format!("http://127.0.0.1:{}", port.expect("the driver says on which port it listens"));
        let http = reqwest::Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(60))
            .build()
            .expect("a client");
        Self { process, address, http }
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.address);
        let response = self
            .http
            .post(url)
            .header("content-type", "application/json")
            .body(body.to_string())
            .send()
            .await;
        let text = response.expect("the driver responds").text().await.expect("a text");
        let mut response: Value = serde_json::from_str(&text).expect("JSON");
        assert!(response["value"]["error"].is_null(), "{path}: {text}");
        response["value"].take()
    }
}

/// A browser window.
pub(crate) struct Window<'a> {
    driver: &'a Driver,
    session: String,
}

impl<'a> Window<'a> {
    pub(crate) async fn open(driver: &'a Driver, profile: &Path, width: u32, height: u32) -> Self {
        let arguments = [
            "--headless".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--no-first-run".to_owned(),
            format!("--user-data-dir={}", profile.display()),
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": { "args": arguments },
        } } });
        let opened = driver.post("/session", &capabilities).await;
        let window =
            Self { driver, session: opened["sessionId"].as_str().expect("a session").to_owned() };
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        window.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        window
    }

    pub(crate) async fn call(&self, command: &str, body: Value) -> Value {
        self.driver.post(&format!("/session/{}{command}", self.session), &body).await
    }

    pub(crate) async fn devtools(&self, command: &str, parameters: Value) {
        self.call("/goog/cdp/execute", json!({ "cmd": command, "params": parameters })).await;
    }

    /// Opens the page again: an address that differs only behind `#` would not load it again.
    pub(crate) async fn visit(&self, page: &Path, fragment: &str) {
        self.call("/url", json!({ "url": "about:blank" })).await;
        self.call("/url", json!({ "url": format!("file://{}{fragment}", page.display()) })).await;
    }

    pub(crate) async fn evaluate(&self, expression: &str) -> Value {
        self.call("/execute/sync", json!({ "script": format!("return {expression};"), "args": [] }))
            .await
    }

    /// What an expression comes to that is a promise.
    pub(crate) async fn eventually(&self, expression: &str) -> Value {
        let script =
            format!("({expression}).then(arguments[0], (why) => arguments[0](`${{why}}`));");
        self.call("/execute/async", json!({ "script": script, "args": [] })).await
    }

    /// Opens everything on the page, and waits until all packed scenarios are there.
    pub(crate) async fn open_everything(&self) {
        let left = self
            .eventually(
                r"(async () => {
                  const all = () => document.querySelectorAll('details:not([open])');
                  while (all().length || document.querySelector('details[data-z]')) {
                    for (const one of all()) one.open = true;
                    await new Promise((next) => setTimeout(next, 10));
                  }
                  return 0;
                })()",
            )
            .await;
        assert_eq!(left, json!(0));
    }

    /// By how many pixels the page is wider than the window.
    pub(crate) async fn too_wide(&self) -> Value {
        let root = "document.documentElement";
        self.evaluate(&format!("{root}.scrollWidth - {root}.clientWidth")).await
    }

    pub(crate) async fn log(&self, kind: &str) -> Vec<Value> {
        self.call("/se/log", json!({ "type": kind })).await.as_array().cloned().unwrap_or_default()
    }

    pub(crate) async fn close(self) {
        let url = format!("{}/session/{}", self.driver.address, self.session);
        let _ = self.driver.http.delete(url).send().await;
    }
}
