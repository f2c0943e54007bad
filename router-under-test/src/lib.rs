//! A reverse proxy in front of GitLab Cells: the reference implementation of both stateless-router
//! proposals, *buffering requests* and *routes learning*.
//!
//! # For an operator
//!
//! One process serves one region. It is told what to do by variables and the topology file that the
//! first of them names; there is no command line to parse and no state to keep.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `CELLS_TOPOLOGY` | path of the topology file (JSON); required |
//! | `CELLS_LISTEN` | address to listen on; must agree with `listen` of the file, if given |
//! | `CELLS_REGION` | the router's own region; must agree with `region` |
//! | `CELLS_PROTOCOL` | `buffering` or `learning`; must agree with `protocol` |
//! | `CELLS_LOG` | log level: `off`, `error`, `warn` (default), `info`, `debug`, `trace` |
//! | `CELLS_MAX_REQUESTS` | requests that may be under way (10000); see *Under load* |
//! | `CELLS_MAX_CONNECTIONS` | connections of users that may be open (20000) |
//! | `CELLS_MAX_REQUESTS_PER_CELL` | requests that one cell may have under way (half of all) |
//! | `CELLS_MAX_PREFLIGHTS_PER_CELL` | pre-flights that one cell may have (a quarter of that) |
//! | `CELLS_MAX_CONNECTIONS_PER_CELL` | connections to one cell, tunnels too (half of the users') |
//! | `CELLS_HALF_CLOSED_MS` | how long a user who has closed one half waits for bytes (10000) |
//! | `CELLS_MAX_CONNECTIONS_PER_ADDRESS` | connections of one address (all) |
//! | `CELLS_HEAD_TIMEOUT_MS` | how long a head may take from its first byte (20000) |
//! | `CELLS_BODY_GRACE_MS` | how long a body may keep the router waiting in all (20000) ... |
//! | `CELLS_BODY_RATE` | ... and a second more for so many bytes (500) |
//! | `CELLS_MAX_BUFFERED_BYTES` | bytes that users' bodies may take at once (1073741824) |
//! | `CELLS_TUNNEL_IDLE_MS` | how long neither side of a WebSocket may say anything (600000) |
//! | `CELLS_TRUSTED_PROXIES` | addresses and networks of proxies that speak for users (none) |
//! | `CELLS_PROXY_PROTOCOL` | `v2`: these proxies say in front of each connection whose it is (`off`) |
//! | `CELLS_ACCESS_LOG` | `stdout` or `stderr`: a line for each request (`off`) |
//! | `CELLS_REQUEST_ID` | `on`: each request has an id, `X-Request-Id` (`off`) |
//! | `CELLS_METRICS` | address of the metrics (`127.0.0.1:9090`); without it there are none |
//! | `CELLS_COOKIE_KEY` | secret of the route cookie, at least 16 bytes without blanks; it needs one |
//!
//! A file or variable that cannot be used ends the process with status 2 and a message that names
//! it; an address that cannot be bound ends it with status 1. The router is ready as soon as it
//! listens. SIGTERM or SIGINT stops it: it accepts connections for a tenth of a second more, gives
//! users who have just connected one response, closes idle ones at once and gives requests under
//! way up to [`DRAIN_LIMIT`]; a second signal ends it at once.
//!
//! SIGHUP reads the topology file again. Requests under way come to their end as they began, and
//! those that follow, on old connections too, see the new file. Cells are known by their ids: one
//! that stays keeps its entries, its metrics, and unless its address changed its connections;
//! entries for one that has gone are forgotten, and not learnt again. A file that cannot be used,
//! is no regular one or is not read within ten seconds changes nothing, and the log says what is
//! wrong. `listen` and `protocol` change with a new start only, as do variables. Tell routers of a
//! new cell before other cells name it, because a request that began before the signal does not
//! know it.
//!
//! # What it does with a request
//!
//! Read `route`; the rest is transport. Both protocols share the way in and the way out. In
//! between:
//!
//! * **buffering**: the body is kept (in memory, above 256 KiB in an unnamed temporary file) and
//!   the request goes to the cell that the cache names, else to a random cell of the region. A 302
//!   with `X-Gitlab-Cell-Redirect` sends the same request on to the named cell, at most `max_hops`
//!   times in all. `X-Gitlab-Cell-Cache` on the response that the user gets is remembered.
//! * **learning**: where the cache names no cell, a random cell of the region is asked on the learn
//!   path; its response is remembered for `ttl_ms`. The request itself is sent once, its body
//!   streamed. Learning takes no longer than two cells may take to respond; then the user has a
//!   504. Users of one thread who wait for the same path and method share one pre-flight.
//!
//! What the router itself refuses is a short `text/plain` response that names no cell: 400, 414,
//! 431 and 501 (a request that cannot be forwarded), 404 (the learn path), 413 (a body beyond the
//! limit), 502 (a cell that broke the protocol or the connection), 503 (no cell reachable, or too
//! much to do), 504 (no response in time), 508 (too many hops). The reason in full is in the log.
//!
//! With `not_found_delay_ms`, each 404 of a cell waits for a random time from zero to that, under
//! both protocols and whatever the cache knows. The router's own 404, for the learn path, depends
//! on no cell and is given at once.
//!
//! Cells get the user's `Host`, and again as `X-Forwarded-Host`, the user's address in
//! `X-Forwarded-For`, `X-Forwarded-Proto` and `Via`. What a user says about the way here is
//! dropped, because they could have written anything: other fields of that family, `Forwarded`,
//! `X-Real-IP` and the like, and `X-Original-URL` (the contract lists the names). What a proxy of
//! `CELLS_TRUSTED_PROXIES` (`127.0.0.1,10.0.0.0/8`) says of address, host and scheme in these
//! fields is kept, and its own address added.
//!
//! With `CELLS_PROXY_PROTOCOL=v2` each connection begins with a header of that protocol (version 2,
//! at most 4 KiB, within `CELLS_HEAD_TIMEOUT_MS`), and only proxies of `CELLS_TRUSTED_PROXIES` may
//! connect. The address in it is the user's, for cells, the access log and
//! `CELLS_MAX_CONNECTIONS_PER_ADDRESS`; where it says that the user speaks TLS, the scheme is
//! `https`. A connection without such a header is closed, and so is one with version 1 or for
//! datagrams. `LOCAL` connections, with which a proxy looks whether the router is there, and those
//! whose user the proxy does not know are the proxy's own. Behind such a proxy the fields that tell
//! of the way here are the user's, and dropped, unless the address in the header is trusted too.
//!
//! With `CELLS_REQUEST_ID=on` each request has an id, 32 hexadecimal digits, which cells get as
//! `X-Request-Id`, as do users whom the router itself refuses. A proxy of `CELLS_TRUSTED_PROXIES`
//! may give it (1 to 255 letters, digits, `-`, `_` and `.`); what others send is replaced.
//!
//! # The cookie
//!
//! With `cookie_cache`, users get what was learnt for them in a cookie, `__Host-route`: at most 16
//! paths and less than 2 KiB, with responses of the 2xx class that are not for shared caches, and
//! only where it changes. A router that knows nothing of a path, because it was just started, say,
//! believes the cookie and saves the bounce or the pre-flight. Its own cache comes first, and what
//! a cookie says is never put into it. Cells do not see the cookie. Users need HTTPS in front of
//! the router, because browsers keep such a cookie for that alone.
//!
//! The cookie is encrypted (AES-256-GCM-SIV), so that users can neither write hints nor read which
//! cell owns a path. Under learning a hint ends when what was learnt ends.
//!
//! All routers of a fleet need the same secret, `CELLS_COOKIE_KEY`, at best 32 random bytes in hex.
//! There is no default, which somebody could guess: without one a router with `cookie_cache` does
//! not start. One that has less than 5 different bytes is refused. Whoever knows it can forge
//! hints; at worst their own requests then get a 404 of a cell that does not own the path.
//!
//! # Under load
//!
//! More than `CELLS_MAX_REQUESTS` requests under way, each from its head to the last byte of its
//! response, are refused at once: 503 with `Retry-After: 1`. Under buffering a request counts once
//! its body is there, so that slow users keep nobody out; what bodies take, kept in memory and in
//! files or passed on in parts of up to 64 KiB, has a budget of its own
//! (`CELLS_MAX_BUFFERED_BYTES`, then 503). A body that is too slow is given up: in all the router
//! waits for it 20 s, and a second more for each 500 bytes.
//!
//! A user who reads slowly keeps a place for as long as nobody else needs it. Where a request would
//! be refused for want of one, among all or among its cell's, the response ends that has been read
//! for longest at less than 500 bytes a second, if that is 20 s or more (`CELLS_BODY_RATE` and
//! `CELLS_BODY_GRACE_MS`, as for bodies of requests).
//!
//! Where `CELLS_MAX_CONNECTIONS` are open and one more comes, the router closes the one that has
//! waited for its user for longest, idle or within a head; where none waits, the new one waits.
//! `CELLS_MAX_CONNECTIONS_PER_ADDRESS` does the same for each address; it is for routers without a
//! proxy in front. Each thread has an equal share of both, so with few users an unlucky spread over
//! the threads can make the limits felt a little early. A connection is a file descriptor, and a
//! request under way is up to another one and up to `max_buffered_body_bytes` on the temporary file
//! system: `ulimit -n` and the disk set what is sensible.
//!
//! No cell has more than its share: `CELLS_MAX_REQUESTS_PER_CELL` and its siblings, half of
//! everything unless there is only one cell. Where the owner has its share, the user gets 503 with
//! `Retry-After: 1`; where any cell will do, another one of the region is asked. So one cell that
//! hangs leaves half of the router to the users of the others. A user who resets a connection frees
//! what the request holds within a second. The end of what a user sends tells less: who closes one
//! half alone still waits for the response. So after it the router goes on, until it had nothing to
//! write for `CELLS_HALF_CLOSED_MS`; within ten seconds nearly all responses begin, and users who
//! leave in a crowd hold their places no longer than that.
//!
//! At start the router raises `RLIMIT_NOFILE` as far as it may, and lets users have no more than
//! half of it, so that there is a descriptor at a cell for whoever is accepted. With too few for
//! that it ends with status 1. Where a connection to a cell fails for want of descriptors or
//! memory, kept connections are closed; if that does not help, the user gets 503 and no cell is
//! blamed.
//!
//! Lines of the log wait for nobody: where standard error is not read, they are lost, and their
//! number is logged as soon as it is read again. Of warnings from one line of the code, ten a
//! second are written. Control characters are escaped.
//!
//! `CELLS_HALF_CLOSED_MS=1` is what HAProxy calls `abortonclose`: a user who closes one half has
//! gone.
//!
//! The access log has a line of JSON for each request, when its response is over: `time` (seconds
//! since 1970), `client`, `method`, `path` (without the query, which may hold secrets), `status`,
//! `bytes` of the body that were sent, `duration_ms`, `cell` (the one that was asked last), `cache`
//! (`hit`, `miss`, or `hint` of the cookie), `request_id`, and `outcome`: `responded`, `broken`
//! where the response was not sent as a whole, `abandoned` before there was one, or the reason of a
//! refusal. What is unknown is `null`. It waits for nobody either: `{"lost":N}` stands for lines
//! that were not taken in time.
//!
//! The cache takes less than 100 bytes for each entry beyond its path, however many threads there
//! are: about 10 MB for 100,000 entries with paths of 30 bytes.
//!
//! # Metrics
//!
//! `GET /metrics` on `CELLS_METRICS` returns the text format of Prometheus (version 0.0.4). All
//! scrapers read it, those that prefer OpenMetrics too. `GET /ready` returns 200, or 503 once the
//! router stops. Every client that can reach that address can read it, so bind it in a network that
//! users cannot reach.
//!
//! | name (`cells_router_...`) | what |
//! | --- | --- |
//! | `requests_total{outcome}` | `responded`, `abandoned`, or the reason of a refusal |
//! | `request_duration_seconds`, `requests_in_flight` | from head to last byte of the response |
//! | `preflights_total{outcome}` | `owner`, `unknown` (404), `failed` or `unreachable` |
//! | `preflight_duration_seconds` | what it took to learn where a path belongs |
//! | `hops_total{cell}`, `bounces_total{cell}` | requests sent to a cell; its bounces |
//! | `cache_lookups_total{result}`, `cache_entries`, `cache_evictions_total` | the cache |
//! | `cookie_hints_used_total`, `cookies_rejected_total`, `cookies_given_total` | the cookie |
//! | `upstream_connections_total{kind}` | connections to cells, `new` or `reused` |
//! | `upstream_retries_total` | requests that a closed connection did not take |
//! | `connections` | connections of users |
//! | `reloads_total{outcome}` | SIGHUPs, by whether the file could be used |
//!
//! A request is `responded` by a cell, `abandoned` with its connection, or refused; `overloaded` is
//! among the reasons of refusals. The buckets of durations end at 0.0005 to 60 seconds, and `le`
//! has a decimal point always (`1.0`), as in OpenMetrics.
//!
//! # What it leaves out
//!
//! TLS and HTTP/2 towards users, which a proxy in front of it speaks, and cells over anything but
//! plain HTTP/1.1. Of all protocols that a connection can change to it passes on WebSocket alone.
//! Trailers are discarded. Informational responses of cells (103) are not passed on.
//! The router itself responds to `Expect: 100-continue`, when it starts to read the body. Cells
//! are not asked for their health: one that cannot be reached is found out by the request that
//! meets it. Threads share what they have learnt, but not the pre-flights that are under way.
//!
//! # How it is built
//!
//! A thread for each core, each with a runtime and connections to the cells of its own. All accept
//! from one socket, and hand on what another thread has more room for. They share one cache: what
//! one core learns is in it before the user has the response that taught it. Its entries are spread
//! over locks by hash, each held for one probe of a table, so that two threads seldom meet.
//!
//! A task for each connection of a user reads a head, sends the request to a cell and writes the
//! response; connections to cells have none. Connections that wait hold no buffer.
#![doc = include_str!("faults.md")]

mod body;
mod cache;
mod config;
mod connection;
mod cookie;
#[cfg(test)]
mod fuzzing;
mod headers;
mod http1;
mod logging;
mod metrics;
mod respond;
mod route;
mod server;
mod shed;
mod tcp;
mod upstream;
mod user;
mod wire;

use std::process::ExitCode;

use config::Source;
use logging::{Lines, access};

pub use config::{Environment, ProcessEnvironment};
pub use server::DRAIN_LIMIT;

/// Exit status for a topology file or variable that cannot be used.
const BAD_CONFIGURATION: u8 = 2;

/// Serves according to the process's own environment until a signal asks it to stop.
///
/// See [`run`].
pub fn main() -> ExitCode {
    run(&ProcessEnvironment)
}

/// Serves according to `environment` until SIGTERM or SIGINT, drains, and gives the exit status.
///
/// The status is 0 after a signal, 2 where the topology file or a variable cannot be used, and 1
/// where the address cannot be bound or the threads cannot be started. The arguments of the process
/// are not looked at, so another program can offer the router as one of its subcommands.
pub fn run(environment: &dyn Environment) -> ExitCode {
    let lines = logging::start(environment);
    // Tells the operator why the router does not serve, at any log level.
    let complain = |error: &dyn std::error::Error| lines.say(&format!("reference-router: {error}"));
    let configured = Source::new(environment).and_then(|source| Ok((source.load()?, source)));
    let status = match configured {
        Err(error) => {
            complain(&error);
            ExitCode::from(BAD_CONFIGURATION)
        }
        Ok((topology, source)) => {
            if let Some(stream) = topology.settings.access_log {
                access::start(Lines::of_json(stream));
            }
            match server::serve(topology, &source) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    complain(&error);
                    ExitCode::FAILURE
                }
            }
        }
    };
    access::finish();
    lines.finish();
    status
}
