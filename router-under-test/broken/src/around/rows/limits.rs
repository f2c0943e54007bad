//! Limits and timers.

use crate::around::bytes::{head_of, lines, outgoing};
use crate::around::prelude::*;

const HOUR: Duration = Duration::from_secs(3600);

super::wrong! {
    "delays-404s-far-longer": Both, "Z-80", claims "not-found-delay",
        "a 404 is delayed by up to twenty times the configured limit" =>
        &[Limits(|config| config.topology.capabilities.not_found_delay *= 20)];
    "bounces-only-once": Buffering, "UN-03", "no request is sent more than twice" =>
        &[Limits(|config| config.topology.limits.max_hops = 2)];
    "bounces-forty-times": Buffering, "Z-01", "a request is sent up to forty times" =>
        &[Limits(|config| config.topology.limits.max_hops = 40)];
    "waits-forever-for-pre-flights": Learning, "Z-14",
        "responses are waited for without a limit, those to pre-flights too" =>
        &[Limits(|config| config.topology.limits.response_timeout = HOUR)];
    "cuts-long-polls": Both, "Z-24", "the response timeout is a third of the configured one" =>
        &[Limits(|config| config.topology.limits.response_timeout /= 3)];
    "waits-forever-to-connect": Both, "Z-35",
        "an attempt to connect that gets no answer is waited for without a limit" =>
        &[Limits(|config| config.topology.limits.connect_timeout = HOUR)];
    "takes-twice-the-time-to-connect": Both, "Z-16",
        "an attempt to connect may take twice the time" =>
        &[Limits(|config| config.topology.limits.connect_timeout *= 2)];
    "one-limit-for-all-cells": Both, "Z-91",
        "64 requests may be under way, whichever cells they wait for" =>
        &[Limits(|config| {
            config.settings.max_requests = 64;
            config.settings.max_cell_requests = 64;
        })];
    "loads-its-own-region-only": Both, "RT-06", "cells of other regions are ignored" =>
        &[Limits(|config| {
            let region = config.topology.region.clone();
            config.topology.cells.retain(|cell| cell.region == region);
        })];
    "never-evicts": Both, "Z-70", "the cache has no size limit" =>
        &[Limits(|config| config.topology.cache.max_entries = usize::MAX)];
    "ttl-in-seconds": Learning, "CA-16", "the TTL is read as seconds instead of milliseconds" =>
        &[Limits(|config| config.topology.cache.ttl *= 1000)];
    "claims-a-delay-and-has-none": Both, "Z-80", claims "not-found-delay",
        "a 404 is not delayed" =>
        &[Limits(|config| config.topology.capabilities.not_found_delay = Duration::ZERO)];
    "adds-50-ms-to-warm-requests": Both, "Z-29", "a request to the cell of an entry waits 50 ms" =>
        &[ToCellLater(|_, step, _, _| {
            let time = if step.known { Duration::from_millis(50) } else { Duration::ZERO };
            Box::pin(tokio::time::sleep(time))
        })];
}

super::variants! {
    "delays-404s": Both, claims "not-found-delay",
        "a cell's 404 reaches the user after a random delay" => &[];
    "delays-404s-unasked": Both,
        "a cell's 404 is delayed by up to half a second, though the topology asks for no delay" =>
        &[Limits(|config| {
            config.topology.capabilities.not_found_delay = Duration::from_millis(500);
        })];
    "keeps-routes-in-cookies": Both, claims "cookie-cache",
        "routes of a user are kept in a cookie, as hints for a cold router" => &[];
    "serves-old-users": Both, claims "http10-clients", "users may speak HTTP/1.0" => &[];
    "title-case-names": Both, "field names are written in title case" =>
        &[UserBytes(|| outgoing(title_case)), CellBytes(|| outgoing(title_case))];
}

fn title_case(head: Vec<u8>) -> Vec<u8> {
    let mut lines = lines(&head);
    for line in lines.iter_mut().skip(1) {
        let mut before = b'-';
        for byte in line.iter_mut().take_while(|byte| **byte != b':') {
            if before == b'-' {
                byte.make_ascii_uppercase();
            }
            before = *byte;
        }
    }
    head_of(&lines)
}
