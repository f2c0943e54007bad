//! The git server of `fleet --git`: `git http-backend` as a CGI program (RFC 3875), for clones and
//! pushes by real clients.
//!
//! Bodies are streamed in both directions, since a pack may be larger than memory.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, Stream};
use http_body_util::BodyExt;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::git::on_disk::Repository;
use crate::streamed::Streamed;
use crate::wire::segments::is_plain_segment;
use crate::{CellId, FleetPlan};

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
pub(in crate::rails) async fn serve(
    repository: &Repository,
    plan: &FleetPlan,
    request: Request,
) -> Response {
    if let Some(why) = refusal(request.headers(), &plan.advertised) {
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
    match read_head(&mut running.output).await {
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

/// The largest head that is read, in bytes. That of `git http-backend` has about 200.
const LARGEST_HEAD: u64 = 16 * 1024;

/// The field that carries the status of the response (RFC 3875 6.3.3).
const STATUS: HeaderName = HeaderName::from_static("status");

/// The status and the field lines of a response.
#[derive(PartialEq, Eq, Debug)]
struct CgiHead {
    status: StatusCode,
    fields: HeaderMap,
}

/// An output that is not a valid CGI response.
#[derive(Debug, thiserror::Error)]
enum CgiHeadError {
    /// The output cannot be read.
    #[error("its output cannot be read: {0}")]
    Read(io::Error),
    /// The output ended before the empty line, or the head is too large.
    #[error("its output ended before its response began")]
    Unfinished,
    /// A line is not a valid field line, or not a valid status.
    #[error("its response has the line {0:?} where a field was expected")]
    Line(String),
}

/// Reads up to the empty line, and leaves the body in the reader.
async fn read_head(output: &mut (impl AsyncBufRead + Unpin)) -> Result<CgiHead, CgiHeadError> {
    let mut head = CgiHead { status: StatusCode::OK, fields: HeaderMap::new() };
    let mut output = output.take(LARGEST_HEAD);
    let mut line = Vec::new();
    loop {
        line.clear();
        output.read_until(b'\n', &mut line).await.map_err(CgiHeadError::Read)?;
        let Some(text) = line.strip_suffix(b"\n") else { return Err(CgiHeadError::Unfinished) };
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.is_empty() {
            return Ok(head);
        }
        head.add(text)
            .ok_or_else(|| CgiHeadError::Line(String::from_utf8_lossy(text).into_owned()))?;
    }
}

impl CgiHead {
    fn add(&mut self, line: &[u8]) -> Option<()> {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = line[colon + 1..].trim_ascii();
        if name == STATUS {
            // The reason phrase after the code is ignored.
            let code = value.split(|byte| *byte == b' ').next()?;
            self.status =
                StatusCode::from_bytes(code).ok().filter(|status| !status.is_informational())?;
        } else {
            self.fields.append(name, HeaderValue::from_bytes(value).ok()?);
        }
        Some(())
    }
}

/// Why a request is refused, in words; `None` for git, and for a page of the fleet.
///
/// Everyone may read and write these repositories, so a page of another site could do it in the
/// name of whoever looks at it.
///
/// A name in `Host` must be `localhost` or one that the fleet advertises: any other may be that of a
/// page that lets its name lead to this machine. An address cannot.
fn refusal(fields: &HeaderMap, advertised: &BTreeMap<CellId, String>) -> Option<&'static str> {
    let is_known = |host: &str| {
        let name = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let name = name.map_or(host, |(name, _)| name).to_ascii_lowercase();
        let v6 = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        name == "localhost"
            || name.parse::<Ipv4Addr>().is_ok()
            || v6.is_some_and(|name| name.parse::<Ipv6Addr>().is_ok())
            || advertised.values().any(|host| host.eq_ignore_ascii_case(&name))
    };
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let hosts: Vec<_> = fields.get_all(header::HOST).iter().map(text).collect();
    if !hosts.iter().all(|host| is_known(host)) {
        return Some("its Host is no address, not localhost, and not advertised");
    }
    let is_of = |origin: String| {
        let host = origin.split_once("://").map(|(_, host)| host.to_owned());
        host.is_some_and(|host| hosts.contains(&host))
    };
    if !fields.get_all(header::ORIGIN).iter().map(text).all(is_of) {
        return Some("its Origin is another site");
    }
    let mut sites = fields.get_all("sec-fetch-site").iter().map(text);
    let is_foreign = |site: String| !matches!(site.as_str(), "same-origin" | "none");
    sites.any(is_foreign).then_some("its Sec-Fetch-Site says that another site sent it")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        let set: BTreeMap<_, _> = command
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

    fn read(mut output: &[u8]) -> (Result<CgiHead, CgiHeadError>, &[u8]) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let head = runtime.block_on(read_head(&mut output));
        (head, output)
    }

    #[test]
    fn a_head_has_a_status_and_fields() {
        let (head, body) =
            read(b"Status: 404 Not Found\r\nContent-Type: text/plain\r\n\r\nno such thing");
        let head = head.unwrap();
        assert_eq!((head.status, body), (StatusCode::NOT_FOUND, &b"no such thing"[..]));
        assert_eq!(head.fields["content-type"], "text/plain");
        assert_eq!(head.fields.len(), 1);
    }

    #[test]
    fn without_a_status_all_is_well() {
        let (head, body) = read(b"X-A: 1\nX-A:2\n\n\n");
        let head = head.unwrap();
        assert_eq!((head.status, body), (StatusCode::OK, &b"\n"[..]));
        assert_eq!(head.fields.get_all("x-a").iter().collect::<Vec<_>>(), ["1", "2"]);
    }

    #[test]
    fn an_invalid_head_is_refused() {
        let error_of = |output: &[u8]| read(output).0.unwrap_err().to_string();
        assert_eq!(error_of(b""), "its output ended before its response began");
        assert_eq!(error_of(b"Status: 200 OK\r\n"), "its output ended before its response began");
        assert_eq!(error_of(&[b'a'; 20_000]), "its output ended before its response began");
        for line in ["fatal", "Status: fine", "Status: 100 Continue", "a b: c", "Status:", ": x"] {
            assert!(error_of(format!("{line}\n\n").as_bytes()).contains(line), "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_output_is_too_strange(output in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&output);
        }

        #[test]
        fn a_body_stays_as_it_is(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let output = [b"A: b\r\n\r\n", body.as_slice()].concat();
            let (head, left) = read(&output);
            prop_assert!(head.is_ok());
            prop_assert_eq!(left, body.as_slice());
        }
    }

    #[test]
    fn git_and_pages_of_the_fleet_may_ask_and_no_other_page() {
        let advertised = BTreeMap::from([(CellId::eu(0), "suite.example".to_owned())]);
        let asks = |fields: &[(&'static str, &'static str)]| {
            let pairs = fields
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
            refusal(&pairs.collect(), &advertised)
        };
        for host in ["127.0.0.1:22000", "10.1.2.3", "[::1]:22000", "[::1]", "LOCALHOST:1"] {
            assert_eq!(asks(&[("host", host)]), None, "{host}");
        }
        assert_eq!(asks(&[("host", "Suite.Example:22000")]), None);
        for host in ["evil.example:22000", "127.0.0.1.evil.example", "[evil]", "", "localhost."] {
            assert!(asks(&[("host", host)]).is_some_and(|why| why.contains("Host")), "{host}");
        }
        let own = ("host", "127.0.0.1:22000");
        assert_eq!(asks(&[own, ("origin", "http://127.0.0.1:22000")]), None);
        for origin in ["null", "http://evil.example", "http://127.0.0.1:80", "http://127.0.0.1"] {
            let why = asks(&[own, ("origin", origin)]);
            assert!(why.is_some_and(|why| why.contains("Origin")), "{origin}");
        }
        assert_eq!(asks(&[own, ("sec-fetch-site", "same-origin")]), None);
        assert_eq!(asks(&[own, ("sec-fetch-site", "none")]), None);
        assert!(asks(&[own, ("sec-fetch-site", "same-site")]).is_some());
        assert!(asks(&[own, ("sec-fetch-site", "cross-site")]).is_some());
    }
}
