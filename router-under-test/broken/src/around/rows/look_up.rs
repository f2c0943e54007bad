//! Entries, as they are looked up.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::time::Instant;

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Response};
use percent_encoding::percent_decode_str;
use reference_router::buffering;
use reference_router::cache::{Entry, Rule};
use reference_router::parts::{self, Step, Told, Why};
use reference_router::refusal::Refusal;
use reference_router::response::UserBody;
use reference_router::topology::CellIndex;
use reference_router::wire;

use crate::around::At;
use crate::around::Seam::{self, Forget, LookUp, Redirect, Remember, Response as ToUser};
use crate::around::tools::longest;

const INSIDE: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| rule.covers(at.path()) || !rule.exact && at.path().starts_with(rule.path))
})];
const ANYWHERE: &[Seam] = &[LookUp(|at| {
    let path = format!("{}/", at.path());
    longest(at, |rule| {
        rule.covers(at.path()) || !rule.exact && path.contains(&format!("{}/", rule.path))
    })
})];
const LOWER_CASE: &[Seam] = &[LookUp(|at| {
    let path = at.path().to_lowercase();
    longest(at, |rule| Rule { path: &rule.path.to_lowercase(), ..*rule }.covers(&path))
})];
const EXPRESSIONS: &[Seam] =
    &[LookUp(|at| longest(at, |rule| is_expression_of(rule, at.path().as_bytes())))];
const GLOBS: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| is_glob_of(rule.path.as_bytes(), at.path().as_bytes(), rule.exact))
})];
const LUA: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| match rule.exact {
        true => rule.covers(at.path()),
        false => is_lua_pattern_of(rule.path.as_bytes(), at.path().as_bytes()),
    })
})];
const PARAMETERS: &[Seam] = &[LookUp(|at| {
    let path = without_parameters(at.path());
    longest(at, |rule| Rule { path: &without_parameters(rule.path), ..*rule }.covers(&path))
})];
const BYTES_64: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| {
        let start = rule.path.get(..64);
        rule.covers(at.path()) || start.is_some_and(|start| at.path().starts_with(start))
    })
})];
const CHECKSUMS: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| {
        let segments = rule.path.split('/').count();
        let start: Vec<_> = at.path().split('/').take(segments).collect();
        let is_all = at.path().split('/').count() == segments;
        sum(&start.join("/")) == sum(rule.path) && (is_all || !rule.exact)
    })
})];
const ONE_USE: &[Seam] = &[LookUp(|at| {
    let entry = at.ask.cache.entry(at.path())?;
    at.ask.cache.remove(entry.rule.path, entry.rule.exact);
    Some(entry)
})];

super::wrong! {
    "matches-inside-a-segment": Buffering, "CA-06",
        "paths are compared as strings, so that /my-company covers /my-company-2" => INSIDE;
    "matches-half-a-name": Learning, "CA-07",
        "paths are compared as strings, so that /my-company covers /my-company-2" => INSIDE;
    "finds-prefixes-anywhere": Buffering, "CA-06", "a prefix covers every path that contains it" =>
        ANYWHERE;
    "finds-learnt-paths-anywhere": Learning, "CA-07",
        "a learnt path covers every path that contains it" => ANYWHERE;
    "folds-letters-of-prefixes": Buffering, "CA-06", "prefixes are compared in lower case" =>
        LOWER_CASE;
    "folds-letters-of-learnt-paths": Learning, "CA-07",
        "learnt paths are compared in lower case, exact ones too" => LOWER_CASE;
    "takes-prefixes-for-expressions": Buffering, "CA-06",
        "a prefix is used as a regular expression, so that a dot matches anything" => EXPRESSIONS;
    "takes-learnt-paths-for-expressions": Learning, "CA-07",
        "a learnt path is used as a regular expression, so that a dot matches anything" =>
        EXPRESSIONS;
    "takes-prefixes-for-globs": Buffering, "CA-06",
        "a prefix is matched as a glob, so that a star matches anything" => GLOBS;
    "takes-learnt-paths-for-globs": Learning, "CA-07",
        "a learnt path is matched as a glob, so that a star matches anything" => GLOBS;
    "takes-prefixes-for-lua-patterns": Buffering, "CA-03",
        "a prefix is used as a Lua pattern, where hyphens and percent signs are special" => LUA;
    "takes-learnt-paths-for-lua-patterns": Learning, "CA-08",
        "a learnt path is used as a Lua pattern, where hyphens and percent signs are special" =>
        LUA;
    "ignores-parameters-of-segments": Buffering, "CA-06",
        "a segment is compared only up to its semicolon" => PARAMETERS;
    "ignores-parameters-of-learnt-segments": Learning, "CA-07",
        "a segment is compared only up to its semicolon, in exact paths too" => PARAMETERS;
    "compares-64-bytes-of-prefixes": Buffering, "CA-06",
        "only the first 64 bytes of a prefix are compared" => BYTES_64;
    "compares-64-bytes-of-learnt-paths": Learning, "CA-07",
        "only the first 64 bytes of a learnt path are compared, of an exact one too" => BYTES_64;
    "compares-checksums-of-prefixes": Buffering, "CA-06",
        "prefixes are compared by the sum of their bytes" => CHECKSUMS;
    "compares-checksums-of-learnt-paths": Learning, "CA-07",
        "learnt paths are compared by the sum of their bytes" => CHECKSUMS;
    "decodes-paths-for-the-cache": Both, "Z-13",
        "an encoded slash ends a segment where entries are looked up" =>
        &[LookUp(|at| {
            let decoded = percent_decode_str(at.path()).decode_utf8_lossy();
            longest(at, |rule| rule.covers(if rule.exact { at.path() } else { &decoded }))
        })];
    "cannot-use-paths-that-end-in-a-slash": Learning, "LN-05",
        "a learnt path with a trailing slash covers nothing" =>
        &[Remember(|at, told| match told.path {
            Ok(path) if path.ends_with(b"/") && !told.exact => Ok(()),
            _ => parts::remember(at.ask, told),
        })];
    "exact-without-the-last-slash": Learning, "LN-06",
        "exact paths are compared without a trailing slash" =>
        &[LookUp(|at| {
            let path = at.path().trim_end_matches('/');
            longest(at, |rule| {
                rule.covers(at.path()) || rule.exact && rule.path.trim_end_matches('/') == path
            })
        })];
    "shortest-prefix-wins": Both, "Z-09", "the shortest prefix wins" =>
        &[LookUp(|at| {
            let shortest = best(at, is_alive, |entry| (!entry.1, usize::MAX - entry.0.len()));
            shortest.map(|entry| to(at, entry.2))
        })];
    "prefix-beats-exact": Learning, "Z-38", "a prefix wins over an exact entry" =>
        &[LookUp(|at| {
            let longest = best(at, is_alive, |entry| (!entry.1, entry.0.len()));
            longest.map(|entry| to(at, entry.2))
        })];
    "outer-entries-keep-inner-ones-alive": Learning, "LN-13",
        "an expired entry is used while an entry for a prefix of it lives" =>
        &[LookUp(|at| {
            let entries = at.ask.cache.entries();
            let lives = |inner: &Kept| {
                let outer = |outer: &&Kept| Rule { path: &outer.0, exact: outer.1 }.covers(&inner.0);
                entries.iter().filter(outer).any(is_alive)
            };
            best(at, lives, |entry| (entry.1, entry.0.len())).map(|entry| to(at, entry.2))
        })];
    "serves-stale-once": Learning, "TD-03",
        "an expired entry is used once more before it is dropped" =>
        &[LookUp(|at| {
            let entry = best(at, |_| true, |entry| (entry.1, entry.0.len()))?;
            if !is_alive(&entry) {
                at.ask.cache.remove(&entry.0, entry.1);
            }
            Some(to(at, entry.2))
        })];
    "use-prolongs-entries": Learning, "Z-33", "each use of an entry renews its TTL" =>
        &[LookUp(|at| {
            let entry = at.ask.cache.entry(at.path())?;
            at.ask.cache.remember(entry.rule, entry.cell, end(at));
            Some(entry)
        })];
    "forgets-what-is-not-repeated": Buffering, "Z-71",
        "a response without the cache header removes the entry" => ONE_USE;
    "forgets-after-use": Learning, "LN-05", "an entry serves one request" => ONE_USE;
    "compares-no-keys": Learning, "CA-14", "the cache is a hash table that does not compare keys" =>
        &[LookUp(|at| {
            let slot = |path: &str| {
                let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(path);
                hash % at.ask.topology.max_entries as u64
            };
            let ends = at.path().match_indices('/').map(|(end, _)| end).chain([at.path().len()]);
            let slots: Vec<_> = ends.skip(1).map(|end| slot(&at.path()[..end])).collect();
            longest(at, |rule| slots.contains(&slot(rule.path)))
        })];
    "keeps-a-memo-of-paths": Buffering, "Z-38",
        "cells of full paths are kept beside the entries, and a corrected entry leaves them" =>
        &[
            LookUp(|at| {
                let mut memo = at.state.cells();
                if let Some(cell) = memo.get(at.path()) {
                    return Some(to(at, *cell));
                }
                let entry = at.ask.cache.entry(at.path())?;
                memo.insert(at.path().to_owned(), entry.cell);
                Some(entry)
            }),
            Redirect(|at, _, response| {
                let next = buffering::redirect(response, at.ask.topology)?;
                if next.is_some() {
                    at.state.cells().remove(at.path());
                }
                Ok(next)
            }),
        ];
    "has-routes-built-in": Both, "RT-02", "well-known namespaces are routed by a built-in table" =>
        &[LookUp(|at| {
            let id = match at.path().split('/').nth(1) {
                Some("gitlab-org") => "cell_us0",
                Some("my-company") => "cell_eu0",
                Some("not-my-company") => "cell_us1",
                _ => return at.ask.cache.entry(at.path()),
            };
            at.ask.topology.cell_with_id(id).map(|cell| to(at, cell))
        })];
    "remembers-per-token": Both, "CA-09",
        "each browser and each token has entries of its own" =>
        &[
            LookUp(|at| at.ask.cache.entry(&own_path(at)).map(|entry| to(at, entry.cell))),
            Remember(remember_per_token),
            Forget(|at, cell, why| match why {
                Why::Bounced(_) => at.ask.cache.forget(&own_path(at), cell),
                Why::Streamed(owner) => at.ask.cache.correct(&own_path(at), cell, owner),
                Why::Responded(_) | Why::Failed => {}
            }),
        ];
    "believes-forged-cookies": Both, "Z-18", claims "cookie-cache",
        "a route cookie has no seal, so that a user can write it, and no end" =>
        &[
            LookUp(|at| {
                let known = at.ask.cache.entry(at.path());
                known.or_else(|| said_by_cookie(at).map(|cell| to(at, cell)))
            }),
            ToUser(without_seal),
        ];
    "cookies-teach-everybody": Both, "Z-18", claims "cookie-cache",
        "the hints of a user's route cookie are cached for all users" =>
        &[
            LookUp(|at| {
                if at.ask.cache.entry(at.path()).is_none()
                    && let Some(cell) = said_by_cookie(at)
                {
                    let rule = Rule { path: &format!("/{}", namespace(at)), exact: false };
                    at.ask.cache.remember(rule, cell, end(at));
                }
                at.ask.cache.entry(at.path())
            }),
            ToUser(without_seal),
        ];
}

super::variants! {
    "bare-prefix-not-covered": Buffering, "the prefix /a/ does not cover the bare /a" =>
        &[
            LookUp(|at| {
                let slashed = format!("{}/", at.path());
                longest(at, |rule| {
                    rule.covers(at.path()) && at.state.texts().get(rule.path) != Some(&slashed)
                })
            }),
            Remember(|at, told| {
                if let Ok(path) = told.path.map(String::from_utf8_lossy) {
                    let bare = path.strip_suffix('/').unwrap_or(&path).to_owned();
                    at.state.texts().insert(bare, path.into_owned());
                }
                parts::remember(at.ask, told)
            }),
        ];
    "normalises-for-the-cache": Both,
        "paths are normalised for the cache lookup, and forwarded unchanged" =>
        &[
            LookUp(|at| {
                let normalised = normalised(at.path());
                longest(at, |rule| rule.covers(if rule.exact { at.path() } else { &normalised }))
            }),
            Remember(|at, told| {
                let said = told.path.ok().and_then(|path| Rule::new(path, false, at.path()));
                match said.filter(|_| !told.exact) {
                    Some(Rule { path, .. }) => {
                        let rule = Rule { path: &normalised(path), exact: false };
                        at.ask.cache.remember(rule, told.cell, told.expires);
                        Ok(())
                    }
                    None => parts::remember(at.ask, told),
                }
            }),
            Forget(|at, cell, why| match why {
                Why::Bounced(_) => at.ask.cache.forget(&normalised(at.path()), cell),
                Why::Streamed(to) => at.ask.cache.correct(&normalised(at.path()), cell, to),
                Why::Responded(_) | Why::Failed => {}
            }),
        ];
}

/// Path, whether it is exact, owner, end.
type Kept = (String, bool, CellIndex, Option<Instant>);

/// The best of the entries that cover the path and count.
fn best<K: Ord>(
    at: &At<'_>,
    counts: impl Fn(&Kept) -> bool,
    rank: impl Fn(&Kept) -> K,
) -> Option<Kept> {
    let covers = |entry: &Kept| Rule { path: &entry.0, exact: entry.1 }.covers(at.path());
    let entries = at.ask.cache.entries().into_iter();
    entries.filter(|entry| covers(entry) && counts(entry)).max_by_key(rank)
}

fn is_alive(entry: &Kept) -> bool {
    entry.3.is_none_or(|end| end > Instant::now())
}

/// When an entry ends that begins now.
fn end(at: &At<'_>) -> Option<Instant> {
    at.is_learning().then(|| Instant::now() + at.ask.topology.ttl)
}

/// An entry for the path alone.
fn to<'a>(at: &At<'a>, cell: CellIndex) -> Entry<'a> {
    Entry { rule: Rule { path: at.path(), exact: true }, cell, expires: None }
}

/// Whether an expression begins the path, or is all of it.
fn is_expression_of(rule: &Rule<'_>, path: &[u8]) -> bool {
    let Some((start, rest)) = path.split_at_checked(rule.path.len()) else { return false };
    let is_start = start.iter().zip(rule.path.bytes()).all(|(a, b)| *a == b || b == b'.');
    is_start && is_end(rest, rule.exact)
}

/// Whether a match may end before this.
fn is_end(rest: &[u8], exact: bool) -> bool {
    rest.is_empty() || !exact && rest.starts_with(b"/")
}

fn is_glob_of(glob: &[u8], path: &[u8], exact: bool) -> bool {
    match (glob, path) {
        ([], _) => is_end(path, exact),
        ([b'*', others @ ..], _) => {
            (0..=path.len()).any(|taken| is_glob_of(others, &path[taken..], exact))
        }
        ([sign, others @ ..], [byte, rest @ ..]) => sign == byte && is_glob_of(others, rest, exact),
        _ => false,
    }
}

/// A hyphen repeats what precedes it, and a percent sign escapes what follows it.
fn is_lua_pattern_of(pattern: &[u8], path: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) => is_end(path, false),
        ([sign, b'-', others @ ..], _) => {
            let run = path.iter().take_while(|byte| *byte == sign).count();
            (0..=run).any(|taken| is_lua_pattern_of(others, &path[taken..]))
        }
        ([b'%', sign, others @ ..] | [sign, others @ ..], [byte, rest @ ..]) => {
            (sign == byte || *sign == b'.') && is_lua_pattern_of(others, rest)
        }
        _ => false,
    }
}

/// Each segment up to its semicolon.
fn without_parameters(path: &str) -> String {
    let segments = path.split('/').map(|segment| segment.split(';').next().unwrap_or_default());
    segments.collect::<Vec<_>>().join("/")
}

fn sum(path: &str) -> u64 {
    path.bytes().map(u64::from).sum()
}

/// The path below what tells the user's browser and token.
fn own_path(at: &At<'_>) -> String {
    let names = ["user-agent", "accept", "accept-language", "authorization", "private-token"];
    let fields = names.map(|name| at.note().headers.get(name));
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(fields);
    format!("/{hash:x}{}", at.path())
}

fn remember_per_token(at: &At<'_>, told: &Told<'_>) -> Result<(), Refusal> {
    let rule = told.path.ok().and_then(|path| Rule::new(path, told.exact, at.path()));
    if let Some(Rule { path, exact }) = rule {
        let own = own_path(at);
        let length = own.len() - at.path().len() + path.len();
        let rule = Rule { path: &own[..length], exact };
        at.ask.cache.remember(rule, told.cell, told.expires);
    }
    Ok(())
}

/// The first segment.
fn namespace<'a>(at: &At<'a>) -> &'a str {
    at.path().split('/').nth(1).unwrap_or_default()
}

/// The cell whose place in the topology the user's cookie has for the namespace.
fn said_by_cookie(at: &At<'_>) -> Option<CellIndex> {
    let lines = at.note().headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let start = format!("{}={}.", wire::COOKIE, namespace(at));
    let place = lines
        .flat_map(|line| line.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix(&start)?.parse().ok());
    place.filter(|place| *place < at.ask.topology.cells.len()).map(CellIndex::nth)
}

/// In place of the sealed cookie the user gets one with the namespace and the cell.
fn without_seal(at: &At<'_>, step: Step, _: &HeaderMap, response: &mut Response<UserBody>) {
    let lines: Vec<_> = response.headers().get_all(SET_COOKIE).iter().cloned().collect();
    response.headers_mut().remove(SET_COOKIE);
    for line in lines {
        let (name, namespace, cell) = (wire::COOKIE, namespace(at), step.cell.index());
        let plain = format!("{name}={namespace}.{cell}; Path=/; Secure; HttpOnly; SameSite=Lax");
        let plain = HeaderValue::try_from(plain).ok();
        let is_own = line.as_bytes().starts_with(name.as_bytes());
        let line = plain.filter(|_| is_own).unwrap_or(line);
        response.headers_mut().append(SET_COOKIE, line);
    }
}

/// Without dot segments, empty ones, and escapes of what needs none (RFC 3986 6.2.2).
fn normalised(path: &str) -> String {
    let mut plain = path.to_owned();
    for byte in (0..128_u8).filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte)) {
        for escape in [format!("%{byte:02X}"), format!("%{byte:02x}")] {
            plain = plain.replace(&escape, &char::from(byte).to_string());
        }
    }
    let mut kept = Vec::new();
    for segment in plain.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(kept.pop()),
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}
