//! Comparisons: only equal bytes are equal, unless a mutation is switched on
//! (`docs/comparisons.md`).

use http::{HeaderMap, HeaderName};
use percent_encoding::percent_decode_str;

use crate::base::config::Cell;
use crate::base::patterns::{Dialect, matches_whole};
use crate::base::spelling::{collapsed, with_upper_case_escapes, without_dots};
use crate::base::target::{prefixes, trimmed};
use crate::base::wire::{CACHE, REDIRECT};
use crate::kind::{Change, Mutation, Variation};

/// A request's path as the cache sees it.
pub(crate) fn seen(change: Change, path: &str) -> String {
    if change.has(Mutation::DecodesPathsForTheCache) {
        percent_decode_str(path).decode_utf8_lossy().into_owned()
    } else if change.differs(Variation::NormalisesForTheCache) {
        normalised(path)
    } else {
        path.to_owned()
    }
}

/// The key of a prefix.
pub(crate) fn key(change: Change, prefix: &str) -> String {
    match change.mutation() {
        Some(Mutation::FoldsLettersOfPrefixes) => prefix.to_lowercase(),
        Some(Mutation::IgnoresParametersOfSegments) => {
            let segments =
                prefix.split('/').map(|segment| segment.split(';').next().unwrap_or(segment));
            segments.collect::<Vec<_>>().join("/")
        }
        Some(Mutation::Compares64BytesOfPrefixes) => start(prefix, 64),
        Some(Mutation::Compares255BytesOfPrefixes) => start(prefix, 255),
        Some(Mutation::ComparesChecksumsOfPrefixes) => {
            let sum = prefix.bytes().fold(0_u32, |sum, byte| sum.wrapping_add(byte.into()));
            // The number of segments keeps `/a` and what is below it apart.
            format!("{sum} {}", prefix.matches('/').count())
        }
        _ if change.differs(Variation::NormalisesForTheCache) => {
            trimmed(&normalised(prefix)).to_owned()
        }
        _ => prefix.to_owned(),
    }
}

fn start(text: &str, length: usize) -> String {
    String::from_utf8_lossy(text.as_bytes().get(..length).unwrap_or(text.as_bytes())).into_owned()
}

/// The normalisation of RFC 3986 6.2.2: unnecessary escapes, case of escapes, dot segments; and
/// doubled slashes.
fn normalised(path: &str) -> String {
    let mut plain = with_upper_case_escapes(path);
    let unreserved =
        (0..=127_u8).filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte));
    for byte in unreserved {
        plain = plain.replace(&format!("%{byte:02X}"), &char::from(byte).to_string());
    }
    without_dots(&collapsed(&plain))
}

/// Whether the mutation scans the entries instead of looking one up.
pub(crate) fn is_pattern(change: Change) -> bool {
    matches!(
        change.mutation(),
        Some(
            Mutation::FindsPrefixesAnywhere
                | Mutation::TakesPrefixesForExpressions
                | Mutation::TakesPrefixesForGlobs
                | Mutation::TakesPrefixesForLuaPatterns
        )
    )
}

/// Whether an entry covers the path, for the mutations of `is_pattern`.
pub(crate) fn matches(change: Change, prefix: &str, path: &str) -> bool {
    let dialect = match change.mutation() {
        Some(Mutation::FindsPrefixesAnywhere) => {
            return format!("{path}/").contains(&format!("{prefix}/"));
        }
        Some(Mutation::TakesPrefixesForExpressions) => Dialect::Expression,
        Some(Mutation::TakesPrefixesForGlobs) => Dialect::Glob,
        Some(Mutation::TakesPrefixesForLuaPatterns) => Dialect::Lua,
        _ => return false,
    };
    prefixes(path).into_iter().any(|part| matches_whole(dialect, prefix, part))
}

/// Whether an exact entry of another path matches this path.
pub(crate) fn is_exactly(change: Change, kept: &str, path: &str) -> bool {
    let plain = |path: &str| path.split(';').next().unwrap_or(path).to_owned();
    match change.mutation() {
        Some(Mutation::TakesExactPathsForBeginnings) => path.starts_with(kept),
        Some(Mutation::TakesExactPathsForExpressions) => {
            matches_whole(Dialect::Expression, kept, path)
        }
        Some(Mutation::IgnoresParametersOfExactPaths) => plain(kept) == plain(path),
        Some(Mutation::Compares64BytesOfExactPaths) => start(kept, 64) == start(path, 64),
        _ => false,
    }
}

/// Whether a word in a response names this cell.
pub(crate) fn is_cell(mutation: Option<Mutation>, called: &str, said: &str) -> bool {
    let letters = |name: &str| name.trim_end_matches(|sign: char| sign.is_ascii_digit()).to_owned();
    match mutation {
        Some(Mutation::KnowsCellsByHowTheyBegin) => said.starts_with(called),
        Some(Mutation::TakesTheFirstCellThatBeginsAlike) => called.starts_with(said),
        Some(Mutation::KnowsCellsByTheirLastDigit) => {
            letters(called) == letters(said) && called.bytes().last() == said.bytes().last()
        }
        Some(Mutation::ComparesEightBytesOfCells) => start(called, 8) == start(said, 8),
        _ => called == said,
    }
}

/// Whether a word is one of the cell's spellings, in any case: more than is required, and harmless.
pub(crate) fn is_any_spelling(cell: &Cell, word: &str) -> bool {
    let slug = cell.id.replace('_', "");
    [&cell.id, &cell.name, &slug].iter().any(|spelling| spelling.eq_ignore_ascii_case(word))
}

/// Whether a name is in title case.
pub(crate) fn is_title_case(name: &str) -> bool {
    name.split('-').all(|word| {
        let rest = word.get(1..).unwrap_or_default();
        !word.starts_with(|letter: char| letter.is_ascii_lowercase())
            && rest == rest.to_ascii_lowercase()
    })
}

/// Whether a name is spelt as in documents or in lower case: some mutants ignore other spellings.
pub(crate) fn is_plainly(spelling: &str, name: &HeaderName) -> bool {
    spelling.eq_ignore_ascii_case(name.as_str())
        && (spelling == name.as_str() || is_title_case(spelling))
}

/// The mutations of field names in a response: a known field in another spelling is ignored, or
/// another field is read as a known one.
pub(crate) fn respell_fields(
    mutation: Option<Mutation>,
    names: &[String],
    headers: &mut HeaderMap,
) {
    let overlooked = match mutation {
        Some(Mutation::KnowsTheRedirectFieldInOneSpelling) => REDIRECT,
        Some(Mutation::KnowsTheCacheFieldInOneSpelling) => CACHE,
        Some(Mutation::TakesFieldsThatBeginAlike) => {
            let alike =
                headers.iter().find(|(name, _)| name.as_str().starts_with(REDIRECT.as_str()));
            let value = alike.map(|(_, value)| value.clone());
            return headers.extend(
                value.filter(|_| !headers.contains_key(REDIRECT)).map(|value| (REDIRECT, value)),
            );
        }
        _ => return,
    };
    let written = names.iter().find(|name| name.eq_ignore_ascii_case(overlooked.as_str()));
    if written.is_some_and(|name| !is_title_case(name)) {
        headers.remove(overlooked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised() {
        assert_eq!(normalised("/my%2dcompany//a/./b/../c%2fd"), "/my-company/a/c%2Fd");
        assert_eq!(normalised("/a"), "/a");
    }

    #[test]
    fn title_case_is_recognised() {
        assert!(is_title_case("X-Gitlab-Cell-Redirect") && is_title_case("Host"));
        assert!(!is_title_case("X-GITLAB") && !is_title_case("x-gitlab"));
    }
}
