//! Several people on one connection.

use cell_fleet::{BodySeen, Text, wire::CONFORMANCE_ID};

use super::jar::host;
use super::raw::{self, SharedConnection};
use super::{People, Way, browser, end_to_end, fields};
use crate::literal::Request;
use crate::trace::{NoResponse, ReceivedResponse, UserRequest};

impl People {
    /// Sends requests of several people on one connection: each when the one before has its
    /// response, or all at once. What a closed connection leaves unanswered is sent again on
    /// another, as a separate request.
    pub(crate) async fn share(
        &mut self,
        way: &Way,
        requests: &[(String, Request)],
        pipelined: bool,
    ) {
        let mut connection = SharedConnection::new(way.at);
        for together in requests.chunks(if pipelined { requests.len() } else { 1 }) {
            let mut left = together;
            loop {
                let was_used = connection.is_open();
                let done = self.carry(&mut connection, way, left).await;
                left = &left[done..];
                // A further connection would be closed without any response, as this new one was.
                if left.is_empty() || (done == 0 && !was_used) {
                    break;
                }
            }
        }
    }

    /// Sends requests at once, and returns how many were dealt with.
    async fn carry(
        &mut self,
        connection: &mut SharedConnection,
        way: &Way,
        requests: &[(String, Request)],
    ) -> usize {
        let (mut bytes, mut notes, mut methods) = (Vec::new(), Vec::new(), Vec::new());
        for (person, request) in requests {
            let id = self.next_id(person);
            let cookies = self.jar(person).header(&request.target);
            let mut lines = vec![("Host".to_owned(), host(way.at))];
            lines.extend(cookies.map(|cookies| ("Cookie".to_owned(), cookies)));
            lines.extend(request.fields.iter().cloned());
            browser::complete(person, &mut lines);
            lines.push((CONFORMANCE_ID.to_owned(), id.0.clone()));
            let body = raw::fill(&request.body, "", "", String::new).bytes;
            if !body.is_empty() {
                lines.push(("Content-Length".to_owned(), body.len().to_string()));
            }
            bytes.extend(raw::head(&request.method, &request.target, &lines));
            bytes.extend(&body);
            methods.push(request.method.clone());
            notes.push(self.begin(UserRequest {
                id,
                method: request.method.clone(),
                target: Text::from(request.target.as_str()),
                fields: end_to_end(fields(&lines)),
                body: BodySeen::of(&body.into()),
                ..way.entry(person)
            }));
        }
        let jars: Vec<_> = requests.iter().map(|(person, _)| self.jar(person)).collect();
        let saw = |number: usize, event: &raw::Event| notes[number].saw(event);
        let ended = |number: usize, got: Result<ReceivedResponse, NoResponse>| {
            if let Ok(response) = &got {
                jars[number].keep(way.at, &requests[number].1.target, response);
            }
            notes[number].end(got);
        };
        connection.carry(&bytes, &methods, self.idle_timeout, saw, ended).await
    }
}
