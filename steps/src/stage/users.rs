//! What people do on the stage beyond a plain request: raw bytes, uploads and downloads whose flow
//! is watched, WebSockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cell_fleet::Event;

use super::{Stage, Waits};
use crate::action::Route;
use crate::literal::Request;
use crate::people::{Framed, RawText, Streaming, Upload};

impl Stage {
    /// Sends raw bytes of a person to the default router.
    pub(crate) async fn send_bytes(
        &mut self,
        person: &str,
        text: &[u8],
        half_close: bool,
    ) -> Result<(), String> {
        let way = self.way(&Route::Default)?;
        let raw = RawText { text, half_close, surplus: self.launch.waits.still };
        self.people.send_bytes(person, way, raw).await;
        Ok(())
    }

    /// Sends requests of several people to the default router, on one connection.
    pub(crate) async fn share(
        &mut self,
        requests: &[(String, Request)],
        pipelined: bool,
    ) -> Result<(), String> {
        let way = self.way(&Route::Default)?;
        self.people.share(&way, requests, pipelined).await;
        Ok(())
    }

    /// Sends a request whose body is framed in this way.
    pub(crate) async fn upload(
        &mut self,
        person: &str,
        request: Request,
        upload: Upload,
        framed: Framed,
    ) -> Result<(), String> {
        let way = self.way(&Route::Default)?;
        self.people.stream(person, way, Streaming::unwatched(request, upload, framed)).await;
        Ok(())
    }

    /// Sends a request, and reads its response only once the cells can send no more of it.
    pub(crate) async fn visit_without_reading(
        &mut self,
        person: &str,
        target: &str,
    ) -> Result<(), String> {
        let way = self.way(&Route::Default)?;
        let (fleet, waits) = (&self.fleet, &self.launch.waits);
        let before = fleet.flow().sent;
        let still = async move {
            until_stalled(|| fleet.flow().sent, waits).await;
            fleet.flow().sent - before
        };
        let mut streaming =
            Streaming::unwatched(Request::get(target), Upload::Made(0), Framed::Length);
        streaming.before_reading = Some(Box::pin(still));
        self.people.stream(person, way, streaming).await;
        Ok(())
    }

    /// Uploads a body until the router takes no more of it, then releases what cells hold.
    pub(crate) async fn upload_without_reading(
        &mut self,
        person: &str,
        length: u64,
        target: &str,
    ) -> Result<(), String> {
        let way = self.way(&Route::Default)?;
        let (fleet, waits) = (&self.fleet, &self.launch.waits);
        let request = Request { method: "PUT".to_owned(), ..Request::get(target) };
        let mut streaming = Streaming::unwatched(request, Upload::Made(length), Framed::Length);
        let taken: Arc<AtomicU64> = streaming.taken.clone();
        streaming.meanwhile = Some(Box::pin(async move {
            until_stalled(|| taken.load(Ordering::Relaxed), waits).await;
            let seen = taken.load(Ordering::Relaxed);
            fleet.release_held();
            seen
        }));
        self.people.stream(person, way, streaming).await;
        // A response may come before the upload stalls.
        self.fleet.release_held();
        Ok(())
    }

    /// Opens a WebSocket of a person.
    pub(crate) async fn open_socket(
        &mut self,
        person: &str,
        route: &Route,
        target: &str,
    ) -> Result<(), String> {
        let way = self.way(route)?;
        self.people.open_socket(person, way, target).await;
        Ok(())
    }

    /// The users, for what they do other than requests.
    pub(crate) fn people_mut(&mut self) -> &mut crate::people::People {
        &mut self.people
    }

    /// Names of the cookies that cells have set so far and that signing in gave. All others come
    /// from the router.
    pub(crate) fn cookies_of_cells(&self) -> Vec<String> {
        let mut names = vec![cell_fleet::SESSION_COOKIE.to_owned()];
        for entry in self.fleet.journal().entries() {
            let Event::Response(response) = entry.event else { continue };
            for line in response.fields.iter().filter(|field| field.is("Set-Cookie")) {
                names.extend(
                    line.value.to_string().split_once('=').map(|(name, _)| name.trim().to_owned()),
                );
            }
        }
        names
    }
}

/// Waits until a count has grown and then stalls, or until it has not begun to grow for a while. On
/// a slow machine the wait may end early; the count is then only lower.
async fn until_stalled(count: impl Fn() -> u64, waits: &Waits) {
    let begin = count();
    let begins = async {
        while count() == begin {
            tokio::time::sleep(waits.ready_poll).await;
        }
    };
    if tokio::time::timeout(waits.flow, begins).await.is_err() {
        return;
    }
    loop {
        let seen = count();
        tokio::time::sleep(waits.still).await;
        if count() == seen {
            return;
        }
    }
}
