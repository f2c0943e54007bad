//! Both: what is taken for equal that is not, and the other way round. `docs/comparisons.md` has
//! the whole table.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    // Paths with what is remembered.
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
        "a path is covered by a prefix that stands anywhere in it",
    ),
    learning(
        "finds-learnt-paths-anywhere",
        "CA-07",
        Mutation::PrefixAnywhere,
        "a path is covered by a learnt one that stands anywhere in it",
    ),
    buffering(
        "takes-prefixes-for-expressions",
        "CA-06",
        Mutation::PrefixIsExpression,
        "a prefix is put into a regular expression as it is, where a dot is any sign",
    ),
    learning(
        "takes-learnt-paths-for-expressions",
        "CA-07",
        Mutation::PrefixIsExpression,
        "a learnt path is put into a regular expression as it is, where a dot is any sign",
    ),
    buffering(
        "takes-prefixes-for-globs",
        "CA-06",
        Mutation::PrefixIsGlob,
        "a prefix is matched like a file name, where a star is anything",
    ),
    learning(
        "takes-learnt-paths-for-globs",
        "CA-07",
        Mutation::PrefixIsGlob,
        "a learnt path is matched like a file name, where a star is anything",
    ),
    buffering(
        "takes-prefixes-for-lua-patterns",
        "CA-03",
        Mutation::PrefixIsLuaPattern,
        "a prefix is given to string.match as it is, where a hyphen repeats and a percent sign escapes",
    ),
    learning(
        "takes-learnt-paths-for-lua-patterns",
        "CA-08",
        Mutation::PrefixIsLuaPattern,
        "a learnt path is given to string.match as it is, where a hyphen repeats and a percent sign escapes",
    ),
    buffering(
        "ignores-parameters-of-segments",
        "CA-06",
        Mutation::IgnoresParameters,
        "what follows a semicolon in a segment is not compared",
    ),
    learning(
        "ignores-parameters-of-learnt-segments",
        "CA-07",
        Mutation::IgnoresParameters,
        "what follows a semicolon in a segment is not compared",
    ),
    buffering(
        "compares-64-bytes-of-prefixes",
        "CA-06",
        Mutation::Compares64Bytes,
        "only 64 bytes of a prefix are kept",
    ),
    learning(
        "compares-64-bytes-of-learnt-paths",
        "CA-07",
        Mutation::Compares64Bytes,
        "only 64 bytes of a learnt path are kept",
    ),
    buffering(
        "compares-255-bytes-of-prefixes",
        "CA-06",
        Mutation::Compares255Bytes,
        "only 255 bytes of a prefix are kept",
    ),
    learning(
        "compares-255-bytes-of-learnt-paths",
        "CA-07",
        Mutation::Compares255Bytes,
        "only 255 bytes of a learnt path are kept",
    ),
    buffering(
        "compares-checksums-of-prefixes",
        "CA-06",
        Mutation::ComparesChecksums,
        "prefixes are known by the sum of their bytes, whatever the order",
    ),
    learning(
        "compares-checksums-of-learnt-paths",
        "CA-07",
        Mutation::ComparesChecksums,
        "learnt paths are known by the sum of their bytes, whatever the order",
    ),
    both(
        "decodes-paths-for-the-cache",
        "Z-13",
        Mutation::DecodesForTheCache,
        "an encoded slash ends a segment where entries are looked up",
    ),
    buffering(
        "needs-the-slash-of-a-prefix",
        "CA-03",
        Mutation::NeedsTheSlash,
        "a prefix without a slash at its end is not remembered",
    ),
    learning(
        "cannot-use-paths-that-end-in-a-slash",
        "LN-05",
        Mutation::SlashCoversNothing,
        "a learnt path with a slash at its end is kept with it, and covers nothing",
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
        "a path is exact if it begins with an exact one",
    ),
    learning(
        "takes-exact-paths-for-expressions",
        "LN-06",
        Mutation::ExactIsExpression,
        "an exact path is put into a regular expression as it is, where a dot is any sign",
    ),
    learning(
        "ignores-parameters-of-exact-paths",
        "LN-06",
        Mutation::ExactIgnoresParameters,
        "what follows a semicolon in an exact path is not compared",
    ),
    learning(
        "compares-64-bytes-of-exact-paths",
        "LN-06",
        Mutation::ExactCompares64Bytes,
        "of an exact path 64 bytes are compared",
    ),
    learning(
        "exact-with-an-empty-query",
        "LN-06",
        Mutation::ExactWithEmptyQuery,
        "a question mark alone makes another exact path",
    ),
    learning(
        "cuts-at-the-last-question-mark",
        "LN-03",
        Mutation::CutsAtTheLastQuestionMark,
        "path_info ends at the last question mark, so that it has a part of the query",
    ),
    // What a cell is called.
    buffering(
        "knows-cells-by-how-they-begin",
        "BF-10",
        Mutation::CellBeginsWord,
        "Cell US1 is found in what says Cell US11",
    ),
    learning(
        "knows-ids-by-how-they-begin",
        "LN-18",
        Mutation::CellBeginsWord,
        "cell_us1 is found in what says cell_us11",
    ),
    buffering(
        "takes-the-first-cell-that-begins-alike",
        "BF-10",
        Mutation::WordBeginsCell,
        "Cell US10 is found for Cell US1",
    ),
    learning(
        "takes-the-first-id-that-begins-alike",
        "LN-18",
        Mutation::WordBeginsCell,
        "cell_us10 is found for cell_us1",
    ),
    buffering(
        "knows-cells-by-their-last-digit",
        "BF-10",
        Mutation::LastDigitOfCells,
        "of a cell's number the last digit counts",
    ),
    learning(
        "knows-ids-by-their-last-digit",
        "LN-18",
        Mutation::LastDigitOfCells,
        "of a cell's number the last digit counts",
    ),
    buffering(
        "compares-eight-bytes-of-cells",
        "BF-10",
        Mutation::EightBytesOfCells,
        "of a cell's name eight bytes are compared",
    ),
    learning(
        "compares-eight-bytes-of-ids",
        "LN-18",
        Mutation::EightBytesOfCells,
        "of a cell's id eight bytes are compared",
    ),
    buffering(
        "takes-regions-that-begin-alike",
        "RG-01",
        Mutation::RegionsThatBeginAlike,
        "a cell of the region euw is taken for one of eu",
    ),
    // Members, statuses and types in what a cell says.
    learning(
        "folds-letters-of-learn-members",
        "Z-40",
        Mutation::FoldsMemberNames,
        "members of a learn response are filled in without regard to their letters, so that Cell replaces cell",
    ),
    learning(
        "finds-learn-members-by-pattern",
        "Z-40",
        Mutation::LearnsByPattern,
        "a learn response is searched for its members as text",
    ),
    learning(
        "wants-learn-members-in-order",
        "LN-04",
        Mutation::LearnMembersInOrder,
        "a learn response is read by an expression that has path, cell and source in this order",
    ),
    learning(
        "wants-learn-responses-without-blanks",
        "LN-04",
        Mutation::LearnResponsesWithoutBlanks,
        "a learn response is read by an expression that knows no blanks",
    ),
    learning(
        "keeps-escapes-of-learn-responses",
        "LN-04",
        Mutation::KeepsEscapesOfJson,
        "escapes in strings of a learn response are not decoded",
    ),
    buffering(
        "finds-header-members-anywhere",
        "Z-40",
        Mutation::MembersAnywhere,
        "the text cell: is looked for wherever it stands",
    ),
    buffering(
        "splits-members-at-the-last-colon",
        "CA-03",
        Mutation::MembersByLastColon,
        "the last colon of a member is taken for the one behind its name",
    ),
    buffering(
        "reads-the-first-header-member-only",
        "Z-40",
        Mutation::FirstMemberOnly,
        "of the members in braces the first has to be the one",
    ),
    buffering(
        "bounces-on-every-redirect",
        "Z-37",
        Mutation::BouncesOnRedirects,
        "every status from 300 to 399 bounces with the redirect field",
    ),
    learning(
        "takes-client-errors-for-nobody",
        "Z-35",
        Mutation::ClientErrorsAreNobody,
        "every status from 400 to 499 of a pre-flight means that nobody has the path",
    ),
    learning(
        "wants-the-plain-type-of-json",
        "LN-04",
        Mutation::WantsPlainJsonType,
        "a learn response has to have the type application/json to the letter",
    ),
    // Names and words of fields.
    buffering(
        "knows-the-redirect-field-in-one-spelling",
        "BF-03",
        Mutation::RedirectFieldInOneSpelling,
        "the name of the redirect field has to be written as documents write it",
    ),
    buffering(
        "knows-the-cache-field-in-one-spelling",
        "CA-03",
        Mutation::CacheFieldInOneSpelling,
        "the name of the cache field has to be written as documents write it",
    ),
    buffering(
        "takes-fields-that-begin-alike",
        "BF-09",
        Mutation::FieldsThatBeginAlike,
        "a field whose name begins like that of the redirect field is taken for it",
    ),
    both(
        "strips-spoofed-fields-in-one-spelling",
        "Z-04",
        Mutation::StripsInOneSpelling,
        "fields that only cells may send are taken from a user's request where their names are written as usual",
    ),
    both(
        "knows-listed-fields-in-one-spelling",
        "Z-22",
        Mutation::ListedInOneSpelling,
        "what Connection lists is compared with names in title case",
    ),
    both(
        "reads-the-first-connection-line",
        "Z-22",
        Mutation::FirstConnectionLine,
        "of several lines of Connection the first is read",
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
        "a tab before a word of Connection is taken for a part of it",
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
        "Connection has to be Upgrade to the letter, and nothing beside it",
    )
    .claiming("upgrade"),
    // The learn path.
    learning(
        "serves-learn-when-escaped",
        "Z-10",
        Mutation::LearnPathUndecoded,
        "the learn path is kept from users, but not with an escape in it",
    ),
    learning(
        "serves-learn-with-doubled-slashes",
        "Z-10",
        Mutation::LearnPathWithDoubledSlashes,
        "the learn path is kept from users, but not with an empty segment in it",
    ),
    learning(
        "serves-learn-with-dots",
        "Z-10",
        Mutation::LearnPathWithDots,
        "the learn path is kept from users, but not with dot segments in it",
    ),
    learning(
        "serves-learn-with-a-last-slash",
        "Z-10",
        Mutation::LearnPathWithTheLastSlash,
        "the learn path is kept from users, but not with a slash at its end",
    ),
    learning(
        "refuses-what-begins-like-learn",
        "RT-10",
        Mutation::RefusesWhatBeginsLikeLearn,
        "every path that begins with the learn endpoint's is kept from users",
    ),
    learning(
        "refuses-what-contains-learn",
        "RT-10",
        Mutation::RefusesWhatContainsLearn,
        "every path in which the learn endpoint's stands is kept from users",
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

    /// What stands between backticks and is a name of a router, with what stands before and behind
    /// it.
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

    /// The rows of a table: three cells each, the way first.
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
    fn every_comparison_has_all_ways_once() {
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
    fn every_place_has_a_router_or_a_reason() {
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
    fn routers_stand_there_under_what_they_break() {
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
    fn every_router_of_this_file_stands_there() {
        let page = page();
        let names: HashSet<&str> = named(&page).into_iter().map(|(_, name, _)| name).collect();
        for mutant in TABLE {
            assert!(names.contains(mutant.name), "{}", mutant.name);
        }
    }
}
