//! Git repositories: `git http-backend` as a CGI program (RFC 3875), for clones and pushes by real
//! clients.
//!
//! Unlike all else, nothing is collected here: a pack may be larger than memory. What a sender
//! sends goes to the program as it arrives, and what the program says leaves as it says it.

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

use super::cgi::{self, CgiHeadError};
use crate::repository::Repository;
use crate::streamed::Streamed;

/// Bytes of a response that are read at once.
const PIECE: usize = 64 * 1024;

/// Of what the program says on its standard error, how many bytes are kept to be told.
const KEPT_COMPLAINT: u64 = 8 * 1024;

/// Settings in place of the machine's own, which could forbid what the fleet promises. Maintenance
/// would run on after the response.
const SETTINGS: [(&str, &str); 5] = [
    ("http.receivepack", "true"),
    ("safe.directory", "*"),
    ("gc.auto", "0"),
    ("receive.autogc", "false"),
    ("maintenance.auto", "false"),
];

/// Responses a request for a repository.
pub(super) async fn serve(repository: &Repository, request: Request) -> Response {
    match run(repository, request).await {
        Ok(response) => response,
        Err(failure) => {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("git http-backend: {failure}\n"))
                .into_response()
        }
    }
}

/// Why there is no response of the program.
#[derive(Debug)]
enum Failure {
    /// It cannot be started.
    Start(io::Error),
    /// It said nothing that is a response; what it complained about.
    Response(CgiHeadError, String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) if error.kind() == io::ErrorKind::NotFound => f.write_str(
                "git, or this part of it, is not installed; a fleet with repositories needs it",
            ),
            Self::Start(error) => write!(f, "it cannot be started: {error}"),
            Self::Response(error, complaint) => write!(f, "{error}: {}", complaint.trim()),
        }
    }
}

async fn run(repository: &Repository, request: Request) -> Result<Response, Failure> {
    let (head, body) = request.into_parts();
    let rest = head.uri.path().strip_prefix(&repository.path).unwrap_or_default();
    let mut command = command(
        &program().await?,
        &repository.folder,
        rest,
        head.uri.query().unwrap_or_default(),
        &head.headers,
    );
    let mut child =
        command.env("REQUEST_METHOD", head.method.as_str()).spawn().map_err(Failure::Start)?;
    let (Some(input), Some(output), Some(complaints)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(Failure::Start(io::Error::other("it has no pipes")));
    };
    let (cut, is_cut) = oneshot::channel();
    let (needed, not_needed) = oneshot::channel();
    tokio::spawn(feed(body, input, cut));
    let end = tokio::spawn(watch_over(child, is_cut, not_needed));
    let complaint = tokio::spawn(listen(complaints));
    let mut answer =
        Running { output: BufReader::with_capacity(PIECE, output), end, complaint, needed };
    match cgi::read_head(&mut answer.output).await {
        Ok(head) => {
            let mut response =
                (head.status, head.fields, Body::from_stream(answer.pieces())).into_response();
            response.extensions_mut().insert(Streamed::default());
            Ok(response)
        }
        Err(error) => {
            let Running { complaint, needed, .. } = answer;
            // It may still run, and then its complaints would not end.
            drop(needed);
            Err(Failure::Response(error, complaint.await.unwrap_or_default()))
        }
    }
}

/// Where the program is. It is not started by way of `git`: that would be a parent, whose end the
/// program outlives.
async fn program() -> Result<PathBuf, Failure> {
    let asked = Command::new("git")
        .arg("--exec-path")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .map_err(Failure::Start)?;
    let folder = PathBuf::from(OsStr::from_bytes(asked.stdout.trim_ascii_end()));
    Ok(folder.join("git-http-backend"))
}

/// The program with the variables of RFC 3875 4.1 that it reads, and with nothing of the
/// environment in which the fleet runs.
fn command(program: &Path, folder: &Path, path: &str, query: &str, fields: &HeaderMap) -> Command {
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
    // Whoever pushes is taken to be known: the repositories of a fleet ask nobody for a password.
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
        .env("GIT_CONFIG_COUNT", SETTINGS.len().to_string());
    for (place, (name, value)) in SETTINGS.iter().enumerate() {
        command
            .env(format!("GIT_CONFIG_KEY_{place}"), name)
            .env(format!("GIT_CONFIG_VALUE_{place}"), value);
    }
    command
}

/// Gives the program what the sender sends. What it does not want is read all the same, so that the
/// connection can be used again.
async fn feed(mut body: Body, input: ChildStdin, cut: oneshot::Sender<()>) {
    let mut input = Some(input);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            // That nobody waits for it any more is no matter.
            let _ = cut.send(());
            return;
        };
        let (Some(wanted), Ok(piece)) = (&mut input, frame.into_data()) else { continue };
        if wanted.write_all(&piece).await.is_err() {
            input = None;
        }
    }
}

/// Waits for the program's end, and brings it about where the request has been cut off (the program
/// itself would wait for the rest without end) or nobody needs the response.
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

/// How the program ended.
#[derive(Debug)]
enum Ended {
    ByItself(ExitStatus),
    Stopped,
}

/// What the program says on its standard error, to its end.
async fn listen(mut complaints: ChildStderr) -> String {
    let mut kept = Vec::new();
    let _ = (&mut complaints).take(KEPT_COMPLAINT).read_to_end(&mut kept).await;
    let _ = tokio::io::copy(&mut complaints, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&kept).into_owned()
}

/// A program that responds. It is killed where this is dropped before the end.
#[derive(Debug)]
struct Running {
    output: BufReader<ChildStdout>,
    end: JoinHandle<io::Result<Ended>>,
    complaint: JoinHandle<String>,
    /// Its drop tells that nobody needs the response.
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

    /// A program that says itself that it failed has told the client why, in git's own protocol.
    /// One that was stopped had a client that cut its request off. One that was killed by others
    /// has not finished its response.
    async fn ended(self) -> io::Result<()> {
        let ended = self.end.await??;
        drop(self.needed);
        match ended {
            Ended::ByItself(status) if status.code().is_none() => {
                Err(io::Error::other(format!("git http-backend ended: {status}")))
            }
            Ended::ByItself(status) if !status.success() => {
                let complaint = self.complaint.await.unwrap_or_default();
                tracing::debug!(%status, complaint, "git http-backend failed");
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
    fn a_machine_without_git_is_told_what_is_missing() {
        let missing = Failure::Start(io::ErrorKind::NotFound.into());
        assert_eq!(
            missing.to_string(),
            "git, or this part of it, is not installed; a fleet with repositories needs it"
        );
        let silent = Failure::Response(CgiHeadError::Unfinished, "fatal: no\n".to_owned());
        assert_eq!(silent.to_string(), "its output ended before its response began: fatal: no");
    }

    #[test]
    fn the_program_sees_nothing_of_the_environment_and_of_other_fields() {
        let mut fields = HeaderMap::new();
        fields.insert("git-protocol", "version=2".parse().unwrap());
        fields.insert("proxy", "http://evil.example".parse().unwrap());
        let command = command(
            Path::new("git-http-backend"),
            Path::new("/srv/a.git"),
            "/info/refs",
            "service=git-upload-pack",
            &fields,
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
