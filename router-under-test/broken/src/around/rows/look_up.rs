//! Entries, as they are looked up.

use percent_encoding::percent_decode_str;

use crate::around::prelude::*;

const INSIDE: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| rule.covers(at.path()) || !rule.exact && at.path().starts_with(rule.path))
})];
const LOWER_CASE: &[Seam] = &[LookUp(|at| longest_as(at, |path| path.to_lowercase()))];
const LUA: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| match rule.exact {
        true => rule.covers(at.path()),
        false => is_lua_pattern_of(rule.path.as_bytes(), at.path().as_bytes()),
    })
})];
const PARAMETERS: &[Seam] = &[LookUp(|at| longest_as(at, without_parameters))];
const BYTES_64: &[Seam] = &[LookUp(|at| {
    longest(at, |rule| {
        let start = rule.path.get(..64);
        rule.covers(at.path()) || start.is_some_and(|start| at.path().starts_with(start))
    })
})];
const MARKS: &[Seam] = &[LookUp(|at| {
    longest_as(at, |path| path.replace("%2B", "+").replace("%40", "@").replace("%3B", ";"))
})];
const FORM: &[Seam] = &[LookUp(|at| longest_as(at, |path| path.replace("%20", "+")))];
const COMPOSED: &[Seam] = &[LookUp(|at| {
    longest_as(at, |path| path.replace("e%CC%81", "%C3%A9").replace("a%CC%88", "%C3%A4"))
})];
const AS_TEXT: &[Seam] = &[LookUp(|at| {
    longest_as(at, |path| match percent_decode_str(path).decode_utf8() {
        Ok(_) => path.to_owned(),
        Err(_) => percent_decode_str(path).decode_utf8_lossy().into_owned(),
    })
})];
const LAST_DOTS: &[Seam] = &[LookUp(|at| {
    longest_as(at, |path| path.strip_suffix('.').unwrap_or(path).replace("./", "/"))
})];

super::wrong! {
    "matches-inside-a-segment": Buffering, "CA-06",
        "paths are compared as strings, so that /my-company covers /my-company-2" => INSIDE;
    "matches-half-a-name": Learning, "CA-07",
        "paths are compared as strings, so that /my-company covers /my-company-2" => INSIDE;
    "folds-letters-of-prefixes": Buffering, "CA-06", "prefixes are compared in lower case" =>
        LOWER_CASE;
    "folds-letters-of-learned-paths": Learning, "CA-07",
        "learned paths are compared in lower case, exact ones too" => LOWER_CASE;
    "takes-prefixes-for-lua-patterns": Buffering, "CA-03",
        "a prefix is used as a Lua pattern, where hyphens and percent signs are special" => LUA;
    "takes-learned-paths-for-lua-patterns": Learning, "CA-08",
        "a learned path is used as a Lua pattern, where hyphens and percent signs are special" =>
        LUA;
    "ignores-parameters-of-segments": Buffering, "CA-06",
        "a segment is compared only up to its semicolon" => PARAMETERS;
    "ignores-parameters-of-learned-segments": Learning, "CA-07",
        "a segment is compared only up to its semicolon, in exact paths too" => PARAMETERS;
    "compares-64-bytes-of-prefixes": Buffering, "CA-06",
        "only the first 64 bytes of a prefix are compared" => BYTES_64;
    "compares-64-bytes-of-learned-paths": Learning, "CA-07",
        "only the first 64 bytes of a learned path are compared, of an exact one too" => BYTES_64;
    "decodes-paths-for-the-cache": Both, "Z-13",
        "an encoded slash ends a segment where entries are looked up" =>
        &[LookUp(|at| {
            let decoded = percent_decode_str(at.path()).decode_utf8_lossy();
            longest(at, |rule| rule.covers(if rule.exact { at.path() } else { &decoded }))
        })];
    "cannot-use-paths-that-end-in-a-slash": Learning, "LN-05",
        "a learned path with a trailing slash covers nothing" =>
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
            best(at, |kept| counts(at, kept), |kept| (!kept.1, usize::MAX - kept.0.len()))
        })];
    "prefix-beats-exact": Learning, "Z-38", "a prefix wins over an exact entry" =>
        &[LookUp(|at| best(at, |kept| counts(at, kept), |kept| (!kept.1, kept.0.len())))];
    "outer-entries-keep-inner-ones-alive": Learning, "LN-13",
        "an expired entry is used while an entry for a prefix of it lives" =>
        &[LookUp(|at| {
            let entries = at.ask.cache.entries();
            let lives = |inner: &Kept| {
                entries.iter().filter(|outer| rule_of(outer).covers(&inner.0)).any(is_alive)
            };
            let counts = |kept: &Kept| rule_of(kept).covers(at.path()) && lives(kept);
            best(at, counts, |kept| (kept.1, kept.0.len()))
        })];
    "serves-stale-once": Learning, "TD-03",
        "an expired entry is used once more before it is dropped" =>
        &[LookUp(|at| {
            let covers = |kept: &Kept| rule_of(kept).covers(at.path());
            let entry = best(at, covers, |kept| (kept.1, kept.0.len()))?;
            let entries = at.ask.cache.entries();
            for kept in entries.iter().filter(|kept| covers(kept) && !is_alive(kept)) {
                at.ask.cache.remove(&kept.0, kept.1);
            }
            Some(entry)
        })];
    "use-prolongs-entries": Learning, "Z-33", "each use of an entry renews its TTL" =>
        &[LookUp(|at| {
            let entry = at.ask.cache.entry(at.path())?;
            at.ask.cache.remember(entry.rule, entry.cell, at.end());
            Some(entry)
        })];
    "forgets-what-is-not-repeated": Buffering, "Z-71",
        "a response without the cache header removes the entry" =>
        &[LookUp(|at| {
            let entry = at.ask.cache.entry(at.path())?;
            at.ask.cache.remove(entry.rule.path, entry.rule.exact);
            Some(entry)
        })];
    "compares-no-keys": Learning, "CA-14", "the cache is a hash table that does not compare keys" =>
        &[LookUp(|at| {
            let slot = |path: &str| hash(path) % at.ask.topology.cache.max_entries as u64;
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
            Redirected(|at, _, _, next| {
                at.state.cells().remove(at.path());
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
            Remember(|at, told| {
                if let Some(Rule { path, exact }) = rule(at, told) {
                    let own = own_path(at);
                    let length = own.len() - at.path().len() + path.len();
                    let rule = Rule { path: &own[..length], exact };
                    at.ask.cache.remember(rule, told.cell, told.expires);
                }
                Ok(())
            }),
            Forget(|at, cell, why| parts::forget(at.ask.cache, &own_path(at), cell, why)),
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
    "decodes-marks-of-prefixes": Buffering, "CA-06",
        "%2B, %40 and %3B of a path are decoded before it is compared" => MARKS;
    "decodes-marks-of-learned-paths": Learning, "CA-07",
        "%2B, %40 and %3B of a path are decoded before it is compared" => MARKS;
    "reads-prefixes-as-forms": Buffering, "CA-06", "a plus in a path is a blank" => FORM;
    "reads-learned-paths-as-forms": Learning, "CA-07", "a plus in a path is a blank" => FORM;
    "composes-letters-of-prefixes": Buffering, "CA-06",
        "letters and accents of a path are composed before it is compared" => COMPOSED;
    "composes-letters-of-learned-paths": Learning, "CA-07",
        "letters and accents of a path are composed before it is compared" => COMPOSED;
    "reads-prefixes-as-text": Buffering, "CA-06",
        "paths that are no UTF-8 are compared with all invalid bytes alike" => AS_TEXT;
    "reads-learned-paths-as-text": Learning, "CA-07",
        "paths that are no UTF-8 are compared with all invalid bytes alike" => AS_TEXT;
    "ignores-last-dots-of-prefixes": Buffering, "CA-06",
        "a dot at the end of a segment is left out, as in names of files" => LAST_DOTS;
    "ignores-last-dots-of-learned-paths": Learning, "CA-07",
        "a dot at the end of a segment is left out, as in names of files" => LAST_DOTS;
    "folds-umlauts": Learning, "CA-07", "umlauts are compared in small letters" =>
        &[LookUp(|at| longest_as(at, |path| {
            path.replace("%C3%84", "%C3%A4").replace("%C3%96", "%C3%B6")
        }))];
    "takes-backslashes-for-slashes": Buffering, "CA-06", "%5C ends a segment" =>
        &[LookUp(|at| longest_as(at, |path| path.replace("%5C", "/")))];
    "asks-anew-for-fresh-content": Both, "Z-71",
        "a user who wants fresh content makes the router ask anew" =>
        &[LookUp(|at| {
            let fields = &at.note().headers;
            let wish = [text(fields, "cache-control"), text(fields, "pragma")].concat();
            let wishes = ["no-cache", "no-store", "max-age=0"];
            let is_none = |one: &&str| !wish.contains(*one);
            at.ask.cache.entry(at.path()).filter(|_| wishes.iter().all(is_none))
        })];
    "believes-forwarded-targets": Both, "Z-72",
        "X-Forwarded-Uri or X-Envoy-Original-Path of a user is the path that is looked up" =>
        &[LookUp(|at| {
            let names = ["x-forwarded-uri", "x-envoy-original-path"];
            let claimed = names.map(|name| text(&at.note().headers, name)).concat();
            let entry = at.ask.cache.entry(&claimed).map(|entry| to(at, entry.cell));
            entry.or_else(|| at.ask.cache.entry(at.path()))
        })];
    "believes-named-destinations": Both, "Z-72",
        "a field of a user that names a destination chooses the cell" =>
        &[LookUp(|at| {
            let claimed = text(&at.note().headers, "l5d-dst-override");
            let cell = at.ask.topology.cell_with_id(claimed).map(|cell| to(at, cell));
            cell.or_else(|| at.ask.cache.entry(at.path()))
        })];
    "remembers-per-claimed-address": Both, "CA-09",
        "an entry serves those alone who claim the same X-Forwarded-For" =>
        &[
            LookUp(|at| {
                let entry = at.ask.cache.entry(at.path())?;
                let address = at.state.texts().get(entry.rule.path).cloned();
                (address? == text(&at.note().headers, "x-forwarded-for")).then_some(entry)
            }),
            Remember(|at, told| {
                if let Some(Rule { path, .. }) = rule(at, told) {
                    let address = text(&at.note().headers, "x-forwarded-for").to_owned();
                    at.state.texts().insert(path.to_owned(), address);
                }
                parts::remember(at.ask, told)
            }),
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
    "normalizes-for-the-cache": Both,
        "paths are normalized for the cache lookup, and forwarded unchanged" =>
        &[
            LookUp(|at| {
                let normalized = normalized(at.path());
                longest(at, |rule| rule.covers(if rule.exact { at.path() } else { &normalized }))
            }),
            Remember(|at, told| match rule(at, told) {
                Some(Rule { path, exact: false }) => {
                    let rule = Rule { path: &normalized(path), exact: false };
                    at.ask.cache.remember(rule, told.cell, told.expires);
                    Ok(())
                }
                _ => parts::remember(at.ask, told),
            }),
            Forget(|at, cell, why| parts::forget(at.ask.cache, &normalized(at.path()), cell, why)),
        ];
}

/// The entry for a path, where both are compared as this makes them.
fn longest_as<'a>(at: &At<'a>, made: fn(&str) -> String) -> Option<Entry<'a>> {
    let path = made(at.path());
    longest(at, |rule| Rule { path: &made(rule.path), ..*rule }.covers(&path))
}

/// Whether an entry covers the path, and is not over.
fn counts(at: &At<'_>, kept: &Kept) -> bool {
    is_alive(kept) && rule_of(kept).covers(at.path())
}

/// An entry for the path alone.
fn to<'a>(at: &At<'a>, cell: CellIndex) -> Entry<'a> {
    Entry { rule: Rule { path: at.path(), exact: true }, cell, expires: None }
}

/// A hyphen repeats what precedes it, and a percent sign escapes what follows it.
fn is_lua_pattern_of(pattern: &[u8], path: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) => path.is_empty() || path.starts_with(b"/"),
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

fn without_parameters(path: &str) -> String {
    let segments = path.split('/').map(|segment| segment.split(';').next().unwrap_or_default());
    segments.collect::<Vec<_>>().join("/")
}

/// The path below what tells the user's browser and token.
fn own_path(at: &At<'_>) -> String {
    let names = ["user-agent", "accept", "accept-language", "authorization", "private-token"];
    let fields = names.map(|name| at.note().headers.get(name));
    format!("/{:x}{}", hash(fields), at.path())
}

fn namespace<'a>(at: &At<'a>) -> &'a str {
    at.path().split('/').nth(1).unwrap_or_default()
}

/// The cell whose place in the topology the user's cookie has for the namespace.
fn said_by_cookie(at: &At<'_>) -> Option<CellIndex> {
    let start = format!("{}={}.", wire::COOKIE, namespace(at));
    let cookies = cookies(&at.note().headers);
    let place = cookies.iter().find_map(|cookie| cookie.strip_prefix(&start)?.parse().ok());
    place.filter(|place| *place < at.ask.topology.cells.len()).map(CellIndex::nth)
}

/// In place of the sealed cookie the user gets one with the namespace and the cell.
fn without_seal(at: &At<'_>, step: Step, _: &HeaderMap, response: &mut Response<UserBody>) {
    let (name, namespace, cell) = (wire::COOKIE, namespace(at), step.cell.index());
    change_cookies(response.headers_mut(), |line| match line.starts_with(name) {
        true => format!("{name}={namespace}.{cell}; Path=/; Secure; HttpOnly; SameSite=Lax"),
        false => line.to_owned(),
    });
}

/// Without dot segments, empty ones, and escapes of what needs none (RFC 3986 6.2.2).
fn normalized(path: &str) -> String {
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
