//! Applies the plan's scripts to the application's responses.

use std::collections::BTreeSet;

use axum::body::Body;
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use tokio::sync::watch;

use super::active_faults::asked_about;
use crate::plan::{Protocol, Script, ScriptError, ScriptedAction, ScriptedResponse};
use crate::{Casting, CellId};

/// The scripts of a plan, checked and prepared.
#[derive(Debug, Default)]
pub(crate) struct Scripts {
    protocol: Option<Protocol>,
    prepared: Vec<PreparedScript>,
    /// The held responses that have been released.
    released: watch::Sender<Released>,
}

/// The released responses.
#[derive(Debug, Default)]
struct Released {
    all: bool,
    paths: BTreeSet<String>,
}

/// A script with what it sends.
#[derive(Debug)]
struct PreparedScript {
    role: Option<CellId>,
    path: String,
    /// Whether it is for pre-flights about the path.
    learn: bool,
    response: Option<Response<String>>,
    fields: Option<(HeaderName, Vec<HeaderValue>)>,
    holds: bool,
}

/// What the scripts do to one request.
#[derive(Debug, Default)]
pub(crate) struct RequestScripts<'s> {
    response: Option<&'s Response<String>>,
    fields: Vec<&'s (HeaderName, Vec<HeaderValue>)>,
    held: Option<(watch::Receiver<Released>, &'s str)>,
}

impl Scripts {
    /// Checks the scripts of a plan.
    pub(crate) fn new(protocol: Protocol, scripts: &[Script]) -> Result<Self, ScriptError> {
        let prepared = scripts.iter().enumerate().map(|(index, script)| {
            let path = script.path.clone();
            prepare(script).map_err(|problem| ScriptError { index, path, problem })
        });
        Ok(Self {
            protocol: Some(protocol),
            prepared: prepared.collect::<Result<_, _>>()?,
            released: watch::Sender::default(),
        })
    }

    /// Releases all held responses, and holds none from now on.
    pub(crate) fn release(&self) {
        self.released.send_modify(|released| released.all = true);
    }

    /// Releases the held responses of one path, and holds none of it from now on.
    pub(crate) fn release_path(&self, path: &str) {
        self.released.send_modify(|released| _ = released.paths.insert(path.to_owned()));
    }

    /// What the scripts do to this request at the cell `node`. The node's role is looked up only
    /// where a script for this path names a cell: the lookup binds a cast.
    pub(crate) fn for_request<B>(
        &self,
        request: &Request<B>,
        node: &CellId,
        casting: &Casting,
    ) -> RequestScripts<'_> {
        let mut role = None;
        let mut request_scripts = RequestScripts::default();
        let asked_about = self.protocol.and_then(|protocol| asked_about(protocol, request.uri()));
        for script in &self.prepared {
            let concerned = match script.learn {
                true => asked_about.as_deref() == Some(&script.path),
                false => request.uri().path() == script.path,
            };
            if !concerned
                || script
                    .role
                    .as_ref()
                    .is_some_and(|named| named != role.get_or_insert_with(|| casting.role_of(node)))
            {
                continue;
            }
            request_scripts.response = request_scripts.response.or(script.response.as_ref());
            request_scripts.fields.extend(&script.fields);
            if script.holds {
                request_scripts.held = Some((self.released.subscribe(), &script.path));
            }
        }
        request_scripts
    }
}

impl RequestScripts<'_> {
    /// The scripted response; that of the first script that has one.
    pub(crate) fn response(&self) -> Option<Response<Body>> {
        self.response.map(|response| response.clone().map(Body::from))
    }

    /// Waits for the release, where the response is held.
    pub(crate) async fn held(&self) {
        if let Some((held, path)) = &self.held {
            let is_over = |released: &Released| released.all || released.paths.contains(*path);
            // The sender lives as long as the cells; without it, nothing is held.
            let _ = held.clone().wait_for(is_over).await;
        }
    }

    /// Replaces the headers that the scripts name.
    pub(crate) fn edit<B>(&self, response: &mut Response<B>) {
        for (name, lines) in &self.fields {
            response.headers_mut().remove(name);
            for line in lines {
                response.headers_mut().append(name, line.clone());
            }
        }
    }
}

fn prepare(script: &Script) -> Result<PreparedScript, String> {
    use ScriptedAction::{Fields, Hold, HoldLearn, LearnResponse, Response};

    Ok(PreparedScript {
        role: script.cell.clone(),
        path: script.path.clone(),
        learn: matches!(script.action, LearnResponse(_) | HoldLearn),
        response: match &script.action {
            Response(scripted) | LearnResponse(scripted) => Some(response(scripted)?),
            _ => None,
        },
        fields: match &script.action {
            Fields { name, lines } => {
                let values: Result<_, _> = lines.iter().map(|line| field_value(line)).collect();
                Some((field_name(name)?, values?))
            }
            _ => None,
        },
        holds: matches!(script.action, Hold | HoldLearn),
    })
}

fn response(scripted: &ScriptedResponse) -> Result<Response<String>, String> {
    let status =
        StatusCode::from_u16(scripted.status).ok().filter(|status| !status.is_informational());
    let mut response = Response::new(scripted.body.clone());
    *response.status_mut() = status.ok_or_else(|| {
        format!("{} is not the status of a final response; use 200 to 999", scripted.status)
    })?;
    for (name, value) in &scripted.fields {
        response.headers_mut().append(field_name(name)?, field_value(value)?);
    }
    Ok(response)
}

fn field_name(text: &str) -> Result<HeaderName, String> {
    match HeaderName::from_bytes(text.as_bytes()) {
        // The framing stays correct, since the server adds what says it.
        Ok(http::header::CONTENT_LENGTH | http::header::TRANSFER_ENCODING) => {
            Err(format!("the server adds `{text}` itself; leave it out"))
        }
        name => name.map_err(|_| format!("`{}` is not a valid header name", text.escape_default())),
    }
}

fn field_value(text: &str) -> Result<HeaderValue, String> {
    HeaderValue::from_bytes(text.as_bytes())
        .map_err(|_| format!("`{}` is not a valid header value", text.escape_default()))
}
