//! Pushes and clones. A request that follows from the refs of the repository is sent only if they
//! were got.

use bytes::Bytes;
use cell_fleet::git::{self, Advertised, Service};

use super::ActionError;
use super::request::{last_response, send};
use crate::action::{GitAction, Person, Route};
use crate::literal::Request;
use crate::stage::Stage;

impl GitAction {
    pub(super) async fn perform(
        &self,
        person: &Person,
        route: &Route,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let (Self::Push { repository, .. } | Self::Clone { repository }) = self;
        let service = self.service();
        let refs = Request::get(format!("{repository}/info/refs?service={}", service.as_str()));
        send(person, refs, route, stage).await?;
        let (_, response) = last_response(person, stage)?;
        if response.status != 200 {
            return Ok(());
        }
        let refs = git::advertised(&response.body.beginning);
        let Some(body) = self.body(&refs) else { return Ok(()) };
        let kind = format!("application/x-{}-request", service.as_str());
        let request = Request {
            method: "POST".to_owned(),
            target: format!("{repository}/{}", service.as_str()),
            fields: vec![("Content-Type".to_owned(), kind)],
            body: Bytes::from(body),
        };
        send(person, request, route, stage).await
    }

    fn service(&self) -> Service {
        match self {
            Self::Push { .. } => Service::Receive,
            Self::Clone { .. } => Service::Upload,
        }
    }

    /// What is sent once the refs are known; nothing to clone an empty repository.
    fn body(&self, refs: &Advertised) -> Option<Vec<u8>> {
        match self {
            Self::Push { commit, .. } => Some(git::push_request(refs, commit).0),
            Self::Clone { .. } if refs.is_empty() => None,
            Self::Clone { .. } => Some(git::clone_request(refs)),
        }
    }
}
