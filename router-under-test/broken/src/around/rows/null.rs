//! Programs that do not route: the null baseline of the suite.

use std::net::TcpListener;

use reference_router::learning::Destination;
use reference_router::parts::{Purpose, Question};
use reference_router::pick::ColdPick;
use reference_router::topology::CellIndex;

use crate::around::Seam::{self, LookUp, Pick, PreFlight, Redirect, Refusal, ResponseLater, Start};
use crate::around::tools::{page, set};

super::wrong! {
    "always-502": Both, "RT-01", "every request gets 502" =>
        &[Refusal(|_, _, _| Some(page(502, "bad gateway\n")))];
    "always-404": Both, "RT-01", "every request gets 404" =>
        &[Refusal(|_, _, _| Some(page(404, "not found\n")))];
    "empty-200": Both, "RT-01", "every request gets an empty 200" =>
        &[Refusal(|_, _, _| Some(page(200, "")))];
    "echo": Both, "RT-01", "the head of every request is sent back as its response" =>
        &[Refusal(|at, _, _| Some(page(200, format!("{:#?}\n", at.note()))))];
    "hangs-up": Both, "RT-01", "every connection is closed without a response" =>
        &[Start(hang_up)];
    "first-cell-only": Both, "RT-08",
        "every request goes to the first cell of the region, and its response is forwarded \
         unchanged" =>
        &[
            Pick(|at, _| ColdPick::in_order(vec![at.ask.topology.own[0]], Vec::new())),
            NO_CACHE,
            NO_PRE_FLIGHTS,
            NO_BOUNCES,
            UNCHANGED,
        ];
    "load-balancer": Both, "RT-08",
        "requests go to all cells in turn, and each response is forwarded unchanged" =>
        &[
            Pick(|at, purpose| match purpose {
                Purpose::PreFlight => ColdPick::new(at.ask.topology),
                Purpose::Request => {
                    let round = at.state.round() as usize % at.ask.topology.cells.len();
                    ColdPick::in_order(vec![CellIndex::nth(round)], Vec::new())
                }
            }),
            NO_CACHE,
            NO_PRE_FLIGHTS,
            NO_BOUNCES,
            UNCHANGED,
        ];
    "redirects-the-user-to-the-cell": Both, "RT-01",
        "the user is redirected to the address of a cell" =>
        &[Refusal(|at, _, _| {
            let cell = ColdPick::new(at.ask.topology).next()?;
            let authority = at.ask.topology.cell(cell).url.authority();
            let mut response = page(307, "");
            let location = format!("http://{authority}{}", at.ask.arrival.target);
            set(response.headers_mut(), "location", location);
            Some(response)
        })];
}

const NO_CACHE: Seam = LookUp(|_| None);
const NO_PRE_FLIGHTS: Seam = PreFlight(|_, _| Question::Known(Destination::Anywhere));
const NO_BOUNCES: Seam = Redirect(|_, _, _| Ok(None));
const UNCHANGED: Seam = ResponseLater(|_, _, response| Box::pin(async { response }));

/// Serves without a router, until it is killed.
fn hang_up() {
    let listener = std::env::var("CELLS_LISTEN").ok().and_then(|own| TcpListener::bind(own).ok());
    for stream in listener.iter().flat_map(TcpListener::incoming) {
        drop(stream);
    }
}
