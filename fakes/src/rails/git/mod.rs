//! Git repositories: `git http-backend` as a CGI program (RFC 3875), for clones and pushes by real
//! clients.
//!
//! Bodies are streamed in both directions, since a pack may be larger than memory.

mod cgi;
pub(in crate::rails) mod repositories;
mod same_site;

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, Stream};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use self::cgi::CgiHeadError;
use crate::FleetPlan;
use crate::git::on_disk::Repository;
use crate::streamed::Streamed;
use crate::wire::segments::is_plain_segment;

/// The number of response bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// The number of bytes that are kept of the program's standard error.
const KEPT_STDERR: u64 = 8 * 1024;

/// Settings that replace those of the machine, which could forbid pushes. Maintenance is off
/// because it would continue after the response.
const SETTINGS: [(&str, &str); 5] = [
    ("http.receivepack", "true"),
    ("safe.directory", "*"),
    ("gc.auto", "0"),
    ("receive.autogc", "false"),
    ("maintenance.auto", "false"),
];

/// Responds to a request for a repository of a fleet.
pub(super) async fn serve(repository: &Repository, plan: &FleetPlan, request: Request) -> Response {
    if let Some(why) = same_site::refusal(request.headers(), &plan.advertised) {
        return (StatusCode::FORBIDDEN, format!("not for this request: {why}\n")).into_response();
    }
    // The program gives no response where a path could lead out of the repository.
    let rest = request.uri().path().strip_prefix(&repository.path).unwrap_or_default();
    if !rest.split('/').skip(1).all(is_plain_segment) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match run(repository, plan.largest_push, request).await {
        Ok(response) => response,
        Err(failure) => {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("git http-backend: {failure}\n"))
                .into_response()
        }
    }
}

/// Why the program gave no response.
#[derive(Debug)]
enum GitError {
    /// It cannot be started.
    Start(io::Error),
    /// Its output is not a response; with its standard error.
    Response(CgiHeadError, String),
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) if error.kind() == io::ErrorKind::NotFound => f.write_str(
                "git, or this part of it, is not installed; a fleet with repositories needs it",
            ),
            Self::Start(error) => write!(f, "it cannot be started: {error}"),
            Self::Response(error, stderr) => write!(f, "{error}: {}", stderr.trim()),
        }
    }
}

async fn run(
    repository: &Repository,
    largest_push: u64,
    request: Request,
) -> Result<Response, GitError> {
    let (head, body) = request.into_parts();
    let rest = head.uri.path().strip_prefix(&repository.path).unwrap_or_default();
    let mut command = command(
        &program().await?,
        &repository.folder,
        rest,
        head.uri.query().unwrap_or_default(),
        &head.headers,
        largest_push,
    );
    let mut child =
        command.env("REQUEST_METHOD", head.method.as_str()).spawn().map_err(GitError::Start)?;
    let (Some(input), Some(output), Some(errors)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(GitError::Start(io::Error::other("it has no pipes")));
    };
    let (cut, is_cut) = oneshot::channel();
    let (needed, not_needed) = oneshot::channel();
    tokio::spawn(feed(body, input, cut));
    let end = tokio::spawn(watch_over(child, is_cut, not_needed));
    let stderr = tokio::spawn(read_stderr(errors));
    let mut running =
        Running { output: BufReader::with_capacity(PIECE, output), end, stderr, needed };
    match cgi::read_head(&mut running.output).await {
        Ok(head) => {
            let mut response =
                (head.status, head.fields, Body::from_stream(running.pieces())).into_response();
            response.extensions_mut().insert(Streamed::default());
            Ok(response)
        }
        Err(error) => {
            let Running { stderr, needed, .. } = running;
            // The program may still run, and then its standard error does not end.
            drop(needed);
            Err(GitError::Response(error, stderr.await.unwrap_or_default()))
        }
    }
}

/// The path of the program. It is not started as `git http-backend`: killing `git` would leave its
/// child running.
async fn program() -> Result<PathBuf, GitError> {
    let found = Command::new("git")
        .arg("--exec-path")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(GitError::Start)?;
    let folder = PathBuf::from(OsStr::from_bytes(found.stdout.trim_ascii_end()));
    Ok(folder.join("git-http-backend"))
}

/// The program with the variables of RFC 3875 4.1 that it reads, and without the environment of the
/// fleet.
fn command(
    program: &Path,
    folder: &Path,
    path: &str,
    query: &str,
    fields: &HeaderMap,
    largest_push: u64,
) -> Command {
    let mut command = Command::new(program);
    command.kill_on_drop(true).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for kept in ["PATH", "TMPDIR"] {
        command.envs(std::env::var_os(kept).map(|value| (kept, value)));
    }
    command
        .env("GATEWAY_INTERFACE", "CGI/1.1")
        .env("SERVER_PROTOCOL", "HTTP/1.1")
        .env("GIT_HTTP_EXPORT_ALL", "1");
    command
        .env("GIT_PROJECT_ROOT", std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
    command.env("PATH_INFO", path).env("QUERY_STRING", query);
    // A push is authorized without a password: every user may write to the repositories of a fleet.
    command.env("REMOTE_USER", "somebody").env("REMOTE_ADDR", "127.0.0.1");
    let passed = [
        ("CONTENT_TYPE", header::CONTENT_TYPE.as_str()),
        ("CONTENT_LENGTH", header::CONTENT_LENGTH.as_str()),
        ("HTTP_CONTENT_ENCODING", header::CONTENT_ENCODING.as_str()),
        ("HTTP_GIT_PROTOCOL", "git-protocol"),
    ];
    for (variable, field) in passed {
        command.envs(fields.get(field).and_then(|value| Some((variable, value.to_str().ok()?))));
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_COUNT", (SETTINGS.len() + 1).to_string());
    let settings = SETTINGS.map(|(name, value)| (name, value.to_owned()));
    let largest = ("receive.maxInputSize", largest_push.to_string());
    for (place, (name, value)) in settings.into_iter().chain([largest]).enumerate() {
        command
            .env(format!("GIT_CONFIG_KEY_{place}"), name)
            .env(format!("GIT_CONFIG_VALUE_{place}"), value);
    }
    command
}

/// Sends the request body to the program. The rest of a body that the program does not read is read
/// too, so that the connection can be reused.
async fn feed(mut body: Body, input: ChildStdin, cut: oneshot::Sender<()>) {
    let mut input = Some(input);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            // The receiver may be gone already.
            let _ = cut.send(());
            return;
        };
        let (Some(wanted), Ok(piece)) = (&mut input, frame.into_data()) else { continue };
        if wanted.write_all(&piece).await.is_err() {
            input = None;
        }
    }
}

/// Waits for the program to exit. Kills it when the request is cut off, since it would wait for the
/// rest forever, or when the response is no longer needed.
async fn watch_over(
    mut child: Child,
    is_cut: oneshot::Receiver<()>,
    not_needed: oneshot::Receiver<()>,
) -> io::Result<Ended> {
    let stop = async {
        tokio::select! {
            Ok(()) = is_cut => {}
            _ = not_needed => {}
        }
    };
    tokio::select! {
        ended = child.wait() => return ended.map(Ended::ByItself),
        () = stop => {}
    }
    child.kill().await?;
    Ok(Ended::Stopped)
}

/// How the program exited.
#[derive(Debug)]
enum Ended {
    ByItself(ExitStatus),
    Stopped,
}

/// The program's standard error, up to its end.
async fn read_stderr(mut errors: ChildStderr) -> String {
    let mut kept = Vec::new();
    let _ = (&mut errors).take(KEPT_STDERR).read_to_end(&mut kept).await;
    let _ = tokio::io::copy(&mut errors, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&kept).into_owned()
}

/// A program that sends its response. Dropping this before the end kills it.
#[derive(Debug)]
struct Running {
    output: BufReader<ChildStdout>,
    end: JoinHandle<io::Result<Ended>>,
    stderr: JoinHandle<String>,
    /// Dropping this says that the response is no longer needed.
    needed: oneshot::Sender<()>,
}

impl Running {
    fn pieces(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::try_unfold(self, |mut running| async {
            let mut piece = BytesMut::with_capacity(PIECE);
            if running.output.read_buf(&mut piece).await? > 0 {
                return Ok(Some((piece.freeze(), running)));
            }
            running.ended().await.map(|()| None)
        })
    }

    /// A program that exits with a code has told the client why, in git's own protocol. A program
    /// that the fleet stopped had a client that cut its request off. A program that another signal
    /// killed did not finish its response.
    async fn ended(self) -> io::Result<()> {
        let ended = self.end.await??;
        drop(self.needed);
        match ended {
            Ended::ByItself(status) if status.code().is_none() => {
                Err(io::Error::other(format!("git http-backend ended: {status}")))
            }
            Ended::ByItself(status) if !status.success() => {
                let stderr = self.stderr.await.unwrap_or_default();
                tracing::debug!(%status, stderr, "git http-backend failed");
                Ok(())
            }
            Ended::ByItself(_) | Ended::Stopped => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_that_git_is_not_installed() {
        let missing = GitError::Start(io::ErrorKind::NotFound.into());
        assert_eq!(
            missing.to_string(),
            "git, or this part of it, is not installed; a fleet with repositories needs it"
        );
        let silent = GitError::Response(CgiHeadError::Unfinished, "fatal: no\n".to_owned());
        assert_eq!(silent.to_string(), "its output ended before its response began: fatal: no");
    }

    #[test]
    fn the_program_gets_neither_the_environment_nor_other_fields() {
        let mut fields = HeaderMap::new();
        fields.insert("git-protocol", "version=2".parse().unwrap());
        fields.insert("proxy", "http://evil.example".parse().unwrap());
        let command = command(
            Path::new("git-http-backend"),
            Path::new("/srv/a.git"),
            "/info/refs",
            "service=git-upload-pack",
            &fields,
            1,
        );
        let set: std::collections::BTreeMap<_, _> = command
            .as_std()
            .get_envs()
            .filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?)))
            .collect();
        assert_eq!(set["GIT_PROJECT_ROOT"], "/srv/a.git");
        assert_eq!(set["HTTP_GIT_PROTOCOL"], "version=2");
        assert!(
            !set.contains_key("HTTP_PROXY")
                && !set.contains_key("HOME")
                && !set.contains_key("CONTENT_LENGTH")
        );
    }
}
