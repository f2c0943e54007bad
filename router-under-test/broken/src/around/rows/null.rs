//! Programs that do not route: the null baseline of the suite.

use std::net::TcpListener;

use crate::around::prelude::*;

const NO_CACHE: Seam = LookUp(|_| None);
const NO_PRE_FLIGHTS: Seam = Knows(|_| Some(Destination::Anywhere));
const NO_BOUNCES: Seam = Redirect(|_, _, _| Ok(None));

super::wrong! {
    "always-502": Both, "RT-01", "every request gets 502" =>
        &[Refuse(|_, _, _| Some(page(502, "bad gateway\n")))];
    "always-404": Both, "RT-01", "every request gets 404" =>
        &[Refuse(|_, _, _| Some(page(404, "not found\n")))];
    "empty-200": Both, "RT-01", "every request gets an empty 200" =>
        &[Refuse(|_, _, _| Some(page(200, "")))];
    "echo": Both, "RT-01", "the head of every request is sent back as its response" =>
        &[Refuse(|at, _, _| Some(page(200, format!("{:#?}\n", at.note()))))];
    "hangs-up": Both, "RT-01", "every connection is closed without a response" =>
        &[Start(|| {
            let own = std::env::var("CELLS_LISTEN").ok();
            let listener = own.and_then(|own| TcpListener::bind(own).ok());
            listener.iter().flat_map(TcpListener::incoming).for_each(drop);
        })];
    "first-cell-only": Both, "RT-08",
        "every request goes to the first cell of the region, and its response is forwarded \
         unchanged" =>
        &[
            Pick(|at, _| Some(ColdPick::in_order(vec![at.own()[0]], Vec::new()))),
            NO_CACHE,
            NO_PRE_FLIGHTS,
            NO_BOUNCES,
            Unchanged,
        ];
    "load-balancer": Both, "RT-08",
        "requests go to all cells in turn, and each response is forwarded unchanged" =>
        &[
            Pick(|at, purpose| match purpose {
                Purpose::PreFlight => None,
                Purpose::Request => {
                    let round = at.state.round() as usize % at.ask.topology.cells.len();
                    Some(ColdPick::in_order(vec![CellIndex::nth(round)], Vec::new()))
                }
            }),
            NO_CACHE,
            NO_PRE_FLIGHTS,
            NO_BOUNCES,
            Unchanged,
        ];
    "redirects-the-user-to-the-cell": Both, "RT-01",
        "the user is redirected to the address of a cell" =>
        &[Refuse(|at, _, _| {
            let cell = ColdPick::new(at.ask.topology).next()?;
            let authority = at.ask.topology.cell(cell).url.authority();
            let mut response = page(307, "");
            let location = format!("http://{authority}{}", at.ask.arrival.target);
            set(response.headers_mut(), "location", location);
            Some(response)
        })];
}
