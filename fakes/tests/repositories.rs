//! Git repositories on the cells, used with git itself: those on disk, and at the end one in memory
//! whose organization moves.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use cell_fleet::{CellId, Fleet, FleetPlan, Listen, MovePhase, Protocol, Repository};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;

const PATH: &str = "/my-company/my-project.git";
const LARGEST_PUSH: u64 = 4 << 20;

/// Runs git without the machine's settings and without prompts.
async fn git(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null");
    command
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_TRACE_PACKET", "1")
        .env("NO_PROXY", "*")
        .kill_on_drop(true);
    for who in ["AUTHOR", "COMMITTER"] {
        command
            .env(format!("GIT_{who}_NAME"), "Anna")
            .env(format!("GIT_{who}_EMAIL"), "anna@example.com");
    }
    let ended = tokio::time::timeout(Duration::from_secs(60), command.output())
        .await
        .expect("git ends within a minute");
    ended.unwrap_or_else(|error| panic!("this test needs `git` on the PATH: {error}"))
}

/// Runs git, which has to succeed, and returns its output.
async fn done(folder: &Path, arguments: &[&str]) -> String {
    let ended = git(folder, arguments).await;
    assert!(
        ended.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&ended.stderr)
    );
    String::from_utf8(ended.stdout).unwrap().trim().to_owned()
}

/// A fleet with one repository on Cell EU0, and a working folder.
struct Site {
    fleet: Fleet,
    folder: TempDir,
    bare: PathBuf,
}

impl Site {
    async fn new(protocol: Protocol) -> Self {
        let folder = TempDir::new().unwrap();
        let bare = folder.path().join("bare.git");
        done(folder.path(), &["init", "--bare", "--initial-branch", "main", "bare.git"]).await;
        let repositories =
            vec![Repository { path: PATH.to_owned(), cell: CellId::eu(0), folder: bare.clone() }];
        let mut plan = FleetPlan { repositories, ..FleetPlan::documents(protocol) };
        plan.largest_push = LARGEST_PUSH;
        let fleet = Fleet::start(plan, Listen::Ephemeral).await.unwrap();
        Self { fleet, folder, bare }
    }

    fn address(&self, cell: &CellId) -> SocketAddr {
        self.fleet.cell(cell).unwrap().address
    }

    fn url(&self) -> String {
        format!("http://{}{PATH}", self.address(&CellId::eu(0)))
    }

    /// A clone with one more commit, of random bytes.
    async fn clone_with_commit(&self, name: &str, bytes: usize) -> PathBuf {
        done(self.folder.path(), &["clone", &self.url(), name]).await;
        let clone = self.folder.path().join(name);
        let random: Vec<u8> = std::iter::repeat_with(rand::random::<u8>).take(bytes).collect();
        std::fs::write(clone.join(name), random).unwrap();
        done(&clone, &["checkout", "-B", "main"]).await;
        done(&clone, &["add", "."]).await;
        done(&clone, &["commit", "--message", name]).await;
        clone
    }

    /// Sends a request to a cell without git.
    async fn get(&self, cell: &CellId, target: &str) -> String {
        self.get_with(cell, target, "Host: localhost\r\n").await
    }

    async fn get_with(&self, cell: &CellId, target: &str, fields: &str) -> String {
        let asked = async {
            let mut stream = TcpStream::connect(self.address(cell)).await.unwrap();
            stream
                .write_all(
                    format!("GET {target} HTTP/1.1\r\n{fields}Connection: close\r\n\r\n")
                        .as_bytes(),
                )
                .await
                .unwrap();
            let mut response = Vec::new();
            stream.read_to_end(&mut response).await.unwrap();
            String::from_utf8_lossy(&response).into_owned()
        };
        tokio::time::timeout(Duration::from_secs(30), asked).await.unwrap()
    }
}

#[tokio::test]
async fn a_push_has_a_limit_and_a_page_of_another_site_gets_nothing() {
    let site = Site::new(Protocol::Buffering).await;
    let large = site.clone_with_commit("large", 5 << 20).await;
    let refused = git(&large, &["push", "origin", "main"]).await;
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && why.contains("maximum allowed size"), "{why}");
    let refs = format!("{PATH}/info/refs?service=git-upload-pack");
    for (fields, status) in [
        ("Host: localhost\r\n", "200"),
        ("Host: evil.example\r\n", "403"),
        ("Host: localhost\r\nOrigin: http://evil.example\r\n", "403"),
        ("Host: localhost\r\nSec-Fetch-Site: cross-site\r\n", "403"),
    ] {
        let response = site.get_with(&CellId::eu(0), &refs, fields).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{fields}: {response}");
    }
}

#[tokio::test]
async fn git_pushes_clones_and_fetches() {
    for protocol in [Protocol::Buffering, Protocol::Learning] {
        let site = Site::new(protocol).await;
        // More than git sends at once, so that it pushes in chunks.
        let first = site.clone_with_commit("first", 3 << 20).await;
        done(&first, &["push", "origin", "main", "main:refs/heads/other"]).await;
        let head = done(&first, &["rev-parse", "HEAD"]).await;
        assert_eq!(done(&site.bare, &["rev-parse", "main"]).await, head);
        assert_eq!(done(&site.bare, &["rev-parse", "other"]).await, head);

        let second = site.clone_with_commit("second", 1 << 10).await;
        assert_eq!(done(&second, &["rev-parse", "HEAD~"]).await, head);
        done(&second, &["push", "origin", "main"]).await;
        let ended = git(&first, &["-c", "protocol.version=2", "fetch", "origin"]).await;
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success() && said.contains("version 2"), "{said}");
        assert_eq!(
            done(&first, &["rev-parse", "origin/main"]).await,
            done(&second, &["rev-parse", "HEAD"]).await
        );

        done(site.folder.path(), &["clone", "--depth", "1", &site.url(), "shallow"]).await;
        assert_eq!(
            done(&site.folder.path().join("shallow"), &["rev-list", "--count", "HEAD"]).await,
            "1"
        );
        done(&site.bare, &["fsck", "--strict"]).await;
        site.fleet.stop().await.unwrap();
    }
}

#[tokio::test]
async fn a_repository_on_another_cell_than_its_namespace_is_cached_alone() {
    let folder = TempDir::new().unwrap();
    let repositories = vec![Repository {
        path: PATH.to_owned(),
        cell: CellId::us(1),
        folder: folder.path().join("none.git"),
    }];
    let fleet = Fleet::start(
        FleetPlan { repositories, ..FleetPlan::documents(Protocol::Learning) },
        Listen::Ephemeral,
    )
    .await
    .unwrap();
    let site = Site { fleet, bare: folder.path().to_owned(), folder };
    let learned = site
        .get(
            &CellId::eu(0),
            &format!("/api/v4/internal/cells/learn?method=GET&path_info={PATH}/info/refs"),
        )
        .await;
    assert!(
        learned.contains(r#""cell":"cell_us1""#)
            && learned.contains(&format!(r#""path":"{PATH}""#)),
        "{learned}"
    );
    // The folder is empty: git itself reports that there is no repository.
    assert!(
        site.get(&CellId::us(1), &format!("{PATH}/info/refs?service=git-upload-pack"))
            .await
            .starts_with("HTTP/1.1 404 ")
    );
    site.fleet.stop().await.unwrap();
}

#[tokio::test]
async fn a_plan_with_an_invalid_repository_is_refused() {
    let refused = async |path: &str, cell: CellId| {
        let repositories =
            vec![Repository { path: path.to_owned(), cell, folder: PathBuf::from("x") }];
        let plan = FleetPlan { repositories, ..FleetPlan::documents(Protocol::Learning) };
        Fleet::start(plan, Listen::Ephemeral).await.map(|_| ()).unwrap_err().to_string()
    };
    assert!(refused(PATH, CellId::eu(7)).await.contains("a repository names cell_eu7"));
    for path in ["my-company/a.git", "/", "/a//b", "/a b.git", "/../a.git", "/users/a.git"] {
        assert!(
            refused(path, CellId::eu(0))
                .await
                .contains(&format!("`{path}` is not a valid repository path")),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_path_that_leads_out_of_a_repository_is_not_found() {
    let site = Site::new(Protocol::Learning).await;
    for rest in ["/../a", "/..", "/info/../../a", "//info/refs", "/HEAD/.", "/%2e%2e/a"] {
        let response = site.get(&CellId::eu(0), &format!("{PATH}{rest}")).await;
        assert!(response.starts_with("HTTP/1.1 404"), "{rest}: {response}");
    }
    site.fleet.stop().await.unwrap();
}

/// The number of processes that serve this repository.
#[cfg(target_os = "linux")]
fn programs(bare: &Path) -> usize {
    let root = format!("GIT_PROJECT_ROOT={}\0", bare.display());
    let environments = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .flat_map(|process| std::fs::read(process.path().join("environ")));
    environments.filter(|environment| String::from_utf8_lossy(environment).contains(&root)).count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_git_process_ends_when_its_client_disconnects() {
    let site = Site::new(Protocol::Learning).await;
    let mut stream = TcpStream::connect(site.address(&CellId::eu(0))).await.unwrap();
    let head = format!(
        "POST {PATH}/git-receive-pack HTTP/1.1\r\nHost: localhost\r\n\
         Content-Type: application/x-git-receive-pack-request\r\nContent-Length: 900\r\n\r\n0000"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let bounded = |wanted: bool| {
        let bare = site.bare.clone();
        tokio::time::timeout(Duration::from_secs(30), async move {
            while (programs(&bare) > 0) != wanted {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        })
    };
    bounded(true).await.expect("a process is started");
    drop(stream);
    bounded(false).await.expect("it ends when its client disconnects");
    site.fleet.stop().await.unwrap();
}

/// Commits a new file on the branch `main`.
async fn commit(clone: &Path, title: &str) {
    std::fs::write(clone.join(title), title).unwrap();
    done(clone, &["add", "."]).await;
    done(clone, &["commit", "--quiet", "--message", title]).await;
}

#[tokio::test]
async fn a_clone_before_a_push_during_and_a_fetch_after_a_move() {
    for protocol in Protocol::ALL {
        let folder = TempDir::new().unwrap();
        let fleet = Fleet::start(FleetPlan::documents(protocol), Listen::Ephemeral).await.unwrap();
        let (slug, old, new) = ("not-my-organization", CellId::us(1), CellId::eu(0));
        let url = |cell: &CellId| {
            let address = fleet.cell(cell).unwrap().address;
            format!("http://nina:glpat-nina@{address}/not-my-company/not-my-project.git")
        };
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        done(folder.path(), &["clone", "--quiet", &url(&old), "first"]).await;
        done(&first, &["checkout", "--quiet", "-B", "main"]).await;
        commit(&first, "before").await;
        done(&first, &["push", "--quiet", "origin", "main"]).await;
        done(folder.path(), &["clone", "--quiet", "--branch", "main", &url(&old), "second"]).await;

        fleet.run_move(slug, &new, MovePhase::Copy).await.unwrap();
        commit(&first, "during").await;
        done(&first, &["push", "--quiet", "origin", "main"]).await;
        fleet.run_move(slug, &new, MovePhase::Freeze).await.unwrap();
        commit(&first, "frozen").await;
        let refused = git(&first, &["push", "--quiet", "origin", "main"]).await;
        assert!(!refused.status.success());
        assert!(String::from_utf8_lossy(&refused.stderr).contains("503"));
        // What is there can be read all the time.
        done(&second, &["fetch", "--quiet", "origin"]).await;
        fleet.run_move(slug, &new, MovePhase::CleanUp).await.unwrap();

        for clone in [&first, &second] {
            done(clone, &["remote", "set-url", "origin", &url(&new)]).await;
        }
        done(&first, &["push", "--quiet", "origin", "main"]).await;
        done(&second, &["pull", "--quiet", "--ff-only", "origin", "main"]).await;
        let titles = done(&second, &["log", "--format=%s", "--reverse"]).await;
        assert_eq!(titles, "before\nduring\nfrozen");
        done(&second, &["fsck", "--full", "--strict"]).await;
        fleet.stop().await.unwrap();
    }
}
