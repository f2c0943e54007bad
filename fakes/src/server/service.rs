//! The service of one connection: it enters each request in the journal and serves it.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::header::CONNECTION;
use http::{HeaderValue, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::service::Service;

use super::body::ResponseBody;
use super::connection_log::{ConnectionLog, Unclaimed};
use super::errors::CellError;
use super::node::Node;
use super::request_in_flight::{NoResponse, RequestInFlight, RequestLabel};
use super::socket::Socket;

/// A cell on one connection.
#[derive(Debug)]
pub(super) struct ConnectionService {
    pub(super) node: Arc<Node>,
    pub(super) connection_log: Arc<ConnectionLog>,
    pub(super) socket: Arc<Socket>,
}

impl Service<Request<Incoming>> for ConnectionService {
    type Response = Response<ResponseBody>;
    type Error = NoResponse;
    type Future = BoxFuture<'static, Result<Self::Response, NoResponse>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        // Entered here, not in the future: the journal has a request that was read even if the
        // connection breaks before the future runs.
        let claimed = self.connection_log.claim(request.method());
        self.socket.request_begins();
        let (node, connection_log, socket) =
            (self.node.clone(), self.connection_log.clone(), self.socket.clone());
        async move {
            match claimed {
                Ok(hop) => {
                    RequestInFlight {
                        node: &node,
                        connection_log: &connection_log,
                        socket: &socket,
                        hop,
                        label: RequestLabel::of(&request),
                    }
                    .serve(request)
                    .await
                }
                Err(unclaimed @ Unclaimed::Malformed(_)) => {
                    connection_log.refused(StatusCode::BAD_REQUEST.as_u16());
                    Ok(bad_request(&unclaimed))
                }
                Err(unclaimed) => {
                    let request = RequestLabel::of(&request).to_string();
                    node.errors.record(CellError::Unrecorded { cell: node.id.clone(), request });
                    Err(NoResponse::Unclaimed(unclaimed))
                }
            }
        }
        .boxed()
    }
}

/// The refusal of what HTTP forbids and the server in front accepts. The connection ends with it.
fn bad_request(why: &Unclaimed) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::new(Bytes::from(format!("{why}\n")), None));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}
