//! Both: wrong comparisons. `docs/comparisons.md` has the whole table.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    // Paths and cache entries.
    buffering(
        "folds-letters-of-prefixes",
        "CA-06",
        Mutation::FoldsPathCase,
        "prefixes are compared in lower case",
    ),
    learning(
        "folds-letters-of-learnt-paths",
        "CA-07",
        Mutation::FoldsPathCase,
        "learnt paths are compared in lower case",
    ),
    buffering(
        "finds-prefixes-anywhere",
        "CA-06",
        Mutation::PrefixAnywhere,
        "a prefix covers every path that contains it",
    ),
    learning(
        "finds-learnt-paths-anywhere",
        "CA-07",
        Mutation::PrefixAnywhere,
        "a learnt path covers every path that contains it",
    ),
    buffering(
        "takes-prefixes-for-expressions",
        "CA-06",
        Mutation::PrefixIsExpression,
        "a prefix is used as a regular expression without escapes",
    ),
    learning(
        "takes-learnt-paths-for-expressions",
        "CA-07",
        Mutation::PrefixIsExpression,
        "a learnt path is used as a regular expression without escapes",
    ),
    buffering(
        "takes-prefixes-for-globs",
        "CA-06",
        Mutation::PrefixIsGlob,
        "a prefix is matched as a glob, so that a star matches anything",
    ),
    learning(
        "takes-learnt-paths-for-globs",
        "CA-07",
        Mutation::PrefixIsGlob,
        "a learnt path is matched as a glob, so that a star matches anything",
    ),
    buffering(
        "takes-prefixes-for-lua-patterns",
        "CA-03",
        Mutation::PrefixIsLuaPattern,
        "a prefix is used as a Lua pattern, where hyphens and percent signs are special",
    ),
    learning(
        "takes-learnt-paths-for-lua-patterns",
        "CA-08",
        Mutation::PrefixIsLuaPattern,
        "a learnt path is used as a Lua pattern, where hyphens and percent signs are special",
    ),
    buffering(
        "ignores-parameters-of-segments",
        "CA-06",
        Mutation::IgnoresParameters,
        "a segment is compared only up to its semicolon",
    ),
    learning(
        "ignores-parameters-of-learnt-segments",
        "CA-07",
        Mutation::IgnoresParameters,
        "a segment is compared only up to its semicolon",
    ),
    buffering(
        "compares-64-bytes-of-prefixes",
        "CA-06",
        Mutation::Compares64Bytes,
        "only the first 64 bytes of a prefix are kept",
    ),
    learning(
        "compares-64-bytes-of-learnt-paths",
        "CA-07",
        Mutation::Compares64Bytes,
        "only the first 64 bytes of a learnt path are kept",
    ),
    buffering(
        "compares-255-bytes-of-prefixes",
        "CA-06",
        Mutation::Compares255Bytes,
        "only the first 255 bytes of a prefix are kept",
    ),
    learning(
        "compares-255-bytes-of-learnt-paths",
        "CA-07",
        Mutation::Compares255Bytes,
        "only the first 255 bytes of a learnt path are kept",
    ),
    buffering(
        "compares-checksums-of-prefixes",
        "CA-06",
        Mutation::ComparesChecksums,
        "prefixes are compared by the sum of their bytes",
    ),
    learning(
        "compares-checksums-of-learnt-paths",
        "CA-07",
        Mutation::ComparesChecksums,
        "learnt paths are compared by the sum of their bytes",
    ),
    both(
        "decodes-paths-for-the-cache",
        "Z-13",
        Mutation::DecodesForTheCache,
        "an encoded slash ends a segment in the lookup",
    ),
    buffering(
        "needs-the-slash-of-a-prefix",
        "CA-03",
        Mutation::NeedsTheSlash,
        "a prefix without a trailing slash is not cached",
    ),
    learning(
        "cannot-use-paths-that-end-in-a-slash",
        "LN-05",
        Mutation::SlashCoversNothing,
        "a learnt path with a trailing slash covers nothing",
    ),
    learning(
        "folds-letters-of-exact-paths",
        "LN-06",
        Mutation::ExactFoldsCase,
        "exact paths are compared in lower case",
    ),
    learning(
        "takes-exact-paths-for-beginnings",
        "LN-06",
        Mutation::ExactBeginsPath,
        "an exact entry covers every path that begins with its path",
    ),
    learning(
        "takes-exact-paths-for-expressions",
        "LN-06",
        Mutation::ExactIsExpression,
        "an exact path is used as a regular expression without escapes",
    ),
    learning(
        "ignores-parameters-of-exact-paths",
        "LN-06",
        Mutation::ExactIgnoresParameters,
        "an exact path is compared only up to its semicolon",
    ),
    learning(
        "compares-64-bytes-of-exact-paths",
        "LN-06",
        Mutation::ExactCompares64Bytes,
        "only the first 64 bytes of an exact path are compared",
    ),
    learning(
        "exact-with-an-empty-query",
        "LN-06",
        Mutation::ExactWithEmptyQuery,
        "an empty query makes another exact path",
    ),
    learning(
        "cuts-at-the-last-question-mark",
        "LN-03",
        Mutation::CutsAtTheLastQuestionMark,
        "path_info ends at the last question mark, so that it includes a part of the query",
    ),
    // Names and ids of cells.
    buffering(
        "knows-cells-by-how-they-begin",
        "BF-10",
        Mutation::CellBeginsWord,
        "Cell US11 is read as Cell US1",
    ),
    learning(
        "knows-ids-by-how-they-begin",
        "LN-18",
        Mutation::CellBeginsWord,
        "cell_us11 is read as cell_us1",
    ),
    buffering(
        "takes-the-first-cell-that-begins-alike",
        "BF-10",
        Mutation::WordBeginsCell,
        "Cell US1 is read as Cell US10",
    ),
    learning(
        "takes-the-first-id-that-begins-alike",
        "LN-18",
        Mutation::WordBeginsCell,
        "cell_us1 is read as cell_us10",
    ),
    buffering(
        "knows-cells-by-their-last-digit",
        "BF-10",
        Mutation::LastDigitOfCells,
        "only the last digit of a cell's number is compared",
    ),
    learning(
        "knows-ids-by-their-last-digit",
        "LN-18",
        Mutation::LastDigitOfCells,
        "only the last digit of a cell's number is compared",
    ),
    buffering(
        "compares-eight-bytes-of-cells",
        "BF-10",
        Mutation::EightBytesOfCells,
        "only the first eight bytes of a cell's name are compared",
    ),
    learning(
        "compares-eight-bytes-of-ids",
        "LN-18",
        Mutation::EightBytesOfCells,
        "only the first eight bytes of a cell's id are compared",
    ),
    buffering(
        "takes-regions-that-begin-alike",
        "RG-01",
        Mutation::RegionsThatBeginAlike,
        "a cell of the region euw counts as one of eu",
    ),
    // Members, statuses and types in a cell's response.
    learning(
        "folds-letters-of-learn-members",
        "Z-40",
        Mutation::FoldsMemberNames,
        "member names of a learn response ignore case, so that Cell replaces cell",
    ),
    learning(
        "finds-learn-members-by-pattern",
        "Z-40",
        Mutation::LearnsByPattern,
        "a learn response is searched for its members as text, at any depth",
    ),
    learning(
        "wants-learn-members-in-order",
        "LN-04",
        Mutation::LearnMembersInOrder,
        "a learn response is read by an expression that wants path, cell and source in this order",
    ),
    learning(
        "wants-learn-responses-without-blanks",
        "LN-04",
        Mutation::LearnResponsesWithoutBlanks,
        "a learn response is read by an expression that allows no whitespace",
    ),
    learning(
        "keeps-escapes-of-learn-responses",
        "LN-04",
        Mutation::KeepsEscapesOfJson,
        "JSON escapes in a learn response are not decoded",
    ),
    buffering(
        "finds-header-members-anywhere",
        "Z-40",
        Mutation::MembersAnywhere,
        "the text cell: is found anywhere in the header",
    ),
    buffering(
        "splits-members-at-the-last-colon",
        "CA-03",
        Mutation::MembersByLastColon,
        "a member is split at its last colon instead of its first",
    ),
    buffering(
        "reads-the-first-header-member-only",
        "Z-40",
        Mutation::FirstMemberOnly,
        "only the first member in the braces is read",
    ),
    buffering(
        "bounces-on-every-redirect",
        "Z-37",
        Mutation::BouncesOnRedirects,
        "the redirect header is followed on every 3xx",
    ),
    learning(
        "takes-client-errors-for-nobody",
        "Z-35",
        Mutation::ClientErrorsAreNobody,
        "every 4xx of a pre-flight means that no cell owns the path",
    ),
    learning(
        "wants-the-plain-type-of-json",
        "LN-04",
        Mutation::WantsPlainJsonType,
        "a learn response needs exactly the Content-Type application/json",
    ),
    // Names and words of fields.
    buffering(
        "knows-the-redirect-field-in-one-spelling",
        "BF-03",
        Mutation::RedirectFieldInOneSpelling,
        "the name of the redirect header is matched with case",
    ),
    buffering(
        "knows-the-cache-field-in-one-spelling",
        "CA-03",
        Mutation::CacheFieldInOneSpelling,
        "the name of the cache header is matched with case",
    ),
    buffering(
        "takes-fields-that-begin-alike",
        "BF-09",
        Mutation::FieldsThatBeginAlike,
        "a field whose name begins like the redirect header's is read as it",
    ),
    both(
        "strips-spoofed-fields-in-one-spelling",
        "Z-04",
        Mutation::StripsInOneSpelling,
        "internal fields are removed from a user's request in one spelling only",
    ),
    both(
        "knows-listed-fields-in-one-spelling",
        "Z-22",
        Mutation::ListedInOneSpelling,
        "names that Connection lists are matched with case",
    ),
    both(
        "reads-the-first-connection-line",
        "Z-22",
        Mutation::FirstConnectionLine,
        "of several Connection lines only the first is read",
    ),
    both(
        "stops-at-empty-members-of-connection",
        "Z-22",
        Mutation::StopsAtEmptyMembers,
        "an empty member ends the list in Connection",
    ),
    both(
        "trims-spaces-only",
        "Z-22",
        Mutation::TrimsSpacesOnly,
        "a tab before a word of Connection is read as a part of it",
    ),
    both(
        "knows-chunked-in-lower-case",
        "Z-21",
        Mutation::ChunkedInLowerCase,
        "a user's Transfer-Encoding: Chunked is an unknown coding",
    ),
    both(
        "knows-chunked-of-cells-in-lower-case",
        "Z-21",
        Mutation::ChunkedOfCellsInLowerCase,
        "a cell's Transfer-Encoding: Chunked is an unknown coding",
    ),
    both(
        "knows-100-continue-in-lower-case",
        "Z-21",
        Mutation::ExpectInLowerCase,
        "Expect: 100-Continue is refused as an unknown expectation",
    ),
    both(
        "knows-upgrade-in-one-spelling",
        "Z-23",
        Mutation::UpgradeInOneSpelling,
        "Connection has to be exactly Upgrade",
    )
    .claiming("upgrade"),
    // The learn path.
    learning(
        "serves-learn-when-escaped",
        "Z-10",
        Mutation::LearnPathUndecoded,
        "the learn path is closed to users, but not with an escape in it",
    ),
    learning(
        "serves-learn-with-doubled-slashes",
        "Z-10",
        Mutation::LearnPathWithDoubledSlashes,
        "the learn path is closed to users, but not with an empty segment in it",
    ),
    learning(
        "serves-learn-with-dots",
        "Z-10",
        Mutation::LearnPathWithDots,
        "the learn path is closed to users, but not with dot segments in it",
    ),
    learning(
        "serves-learn-with-a-last-slash",
        "Z-10",
        Mutation::LearnPathWithTheLastSlash,
        "the learn path is closed to users, but not with a trailing slash",
    ),
    learning(
        "refuses-what-begins-like-learn",
        "RT-10",
        Mutation::RefusesWhatBeginsLikeLearn,
        "every path that begins with the learn path is closed to users",
    ),
    learning(
        "refuses-what-contains-learn",
        "RT-10",
        Mutation::RefusesWhatContainsLearn,
        "every path that contains the learn path is closed to users",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::TABLE;
    use crate::catalog::{mutants, variants};
    use crate::protocol::Protocol;

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/comparisons.md");
    const WAYS: [&str; 9] = [
        "letter case",
        "escapes",
        "end",
        "signs of patterns",
        "repetition",
        "order",
        "blanks",
        "length",
        "bytes beyond ASCII",
    ];

    fn page() -> String {
        std::fs::read_to_string(PAGE).expect("the page lies beside the other documents")
    }

    /// The router names between backticks, with the text before and after each.
    fn named(text: &str) -> Vec<(&str, &str, &str)> {
        let parts: Vec<&str> = text.split('`').collect();
        let quoted = (1..parts.len())
            .step_by(2)
            .map(|at| (parts[at - 1], parts[at], parts.get(at + 1).copied().unwrap_or_default()));
        let id = |behind: &str| {
            behind.trim_start().get(..5).is_some_and(|id| {
                id.contains('-') && id.ends_with(|end: char| end.is_ascii_digit())
            })
        };
        let z = |behind: &str| behind.trim_start().starts_with("Z-");
        quoted
            .filter(|(before, _, behind)| {
                before.trim_end().to_lowercase().ends_with("variant") || id(behind) || z(behind)
            })
            .collect()
    }

    /// The rows of a table: three columns each, the comparison first.
    fn rows(section: &str) -> Vec<[&str; 3]> {
        let lines = section.lines().filter(|line| {
            line.starts_with("| ") && !line.starts_with("| way") && !line.starts_with("| ---")
        });
        let cells = lines
            .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect::<Vec<_>>());
        cells
            .map(|cells| cells.try_into().expect("a way, and what each protocol has for it"))
            .collect()
    }

    #[test]
    fn every_comparison_lists_each_way_once() {
        let page = page();
        let sections: Vec<&str> = page.split("\n## ").skip(1).collect();
        assert!(sections.len() >= 12);
        for section in sections {
            let mut ways: Vec<&str> =
                rows(section).iter().flat_map(|row| row[0].split(", ")).collect();
            let mut all = WAYS.to_vec();
            ways.sort_unstable();
            all.sort_unstable();
            assert_eq!(ways, all, "{}", section.lines().next().unwrap_or_default());
        }
    }

    #[test]
    fn every_cell_of_the_table_has_a_router_or_a_reason() {
        for [way, buffering, learning] in rows(&page()) {
            for (protocol, text) in
                [(Protocol::Buffering, buffering), (Protocol::Learning, learning)]
            {
                let names = named(text);
                assert!(!names.is_empty() || text.split(' ').count() >= 3, "{way}: {text}");
                for (_, name, _) in names {
                    let mutant = mutants()
                        .iter()
                        .find(|mutant| mutant.name == name)
                        .map(|mutant| mutant.protocols);
                    let variant = variants()
                        .iter()
                        .find(|variant| variant.name == name)
                        .map(|variant| variant.protocols);
                    let protocols =
                        mutant.or(variant).unwrap_or_else(|| panic!("no router is called {name}"));
                    assert!(protocols.contain(protocol), "{name} is not a router of {protocol}");
                }
            }
        }
    }

    #[test]
    fn the_table_lists_routers_under_the_requirements_that_they_break() {
        let page = page();
        for (before, name, behind) in named(&page) {
            match mutants().iter().find(|mutant| mutant.name == name) {
                Some(mutant) => assert!(
                    behind.trim_start().starts_with(mutant.requirement),
                    "{name} breaks {}",
                    mutant.requirement
                ),
                None => {
                    assert!(
                        before.trim_end().to_lowercase().ends_with("variant"),
                        "{name} stands there without its requirement"
                    );
                    assert!(variants().iter().any(|variant| variant.name == name), "{name}");
                }
            }
        }
    }

    #[test]
    fn the_table_lists_every_router_of_this_file() {
        let page = page();
        let names: HashSet<&str> = named(&page).into_iter().map(|(_, name, _)| name).collect();
        for mutant in TABLE {
            assert!(names.contains(mutant.name), "{}", mutant.name);
        }
    }
}
