//! git itself, while the organization of its repository moves to another cell.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use cell_fleet::{CellId, Fleet, FleetPlan, Listen, MovePhase, Protocol};
use tempfile::TempDir;
use tokio::process::Command;

/// Runs git without the machine's settings and without prompts.
async fn git(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder).kill_on_drop(true);
    for (name, value) in [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("NO_PROXY", "*"),
        ("GIT_AUTHOR_NAME", "Nina"),
        ("GIT_AUTHOR_EMAIL", "nina@example.com"),
        ("GIT_COMMITTER_NAME", "Nina"),
        ("GIT_COMMITTER_EMAIL", "nina@example.com"),
    ] {
        command.env(name, value);
    }
    let ended = tokio::time::timeout(Duration::from_secs(60), command.output()).await;
    let ended = ended.expect("git ends within a minute");
    ended.unwrap_or_else(|error| panic!("this test needs `git` on the PATH: {error}"))
}

/// Runs git, which has to succeed, and returns its output.
async fn done(folder: &Path, arguments: &[&str]) -> String {
    let ended = git(folder, arguments).await;
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "git {arguments:?}: {said}");
    String::from_utf8(ended.stdout).unwrap().trim().to_owned()
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
