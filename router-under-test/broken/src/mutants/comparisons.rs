//! Both: wrong comparisons. `docs/comparisons.md` has the whole table.

use crate::entry::mutants;

mutants! {
    // Paths and cache entries.
    FoldsLettersOfPrefixes: Buffering, "CA-06", "prefixes are compared in lower case";
    FoldsLettersOfLearntPaths as FoldsLettersOfPrefixes: Learning, "CA-07",
        "learnt paths are compared in lower case";
    FindsPrefixesAnywhere: Buffering, "CA-06", "a prefix covers every path that contains it";
    FindsLearntPathsAnywhere as FindsPrefixesAnywhere: Learning, "CA-07",
        "a learnt path covers every path that contains it";
    TakesPrefixesForExpressions: Buffering, "CA-06",
        "a prefix is used as a regular expression without escapes";
    TakesLearntPathsForExpressions as TakesPrefixesForExpressions: Learning, "CA-07",
        "a learnt path is used as a regular expression without escapes";
    TakesPrefixesForGlobs: Buffering, "CA-06",
        "a prefix is matched as a glob, so that a star matches anything";
    TakesLearntPathsForGlobs as TakesPrefixesForGlobs: Learning, "CA-07",
        "a learnt path is matched as a glob, so that a star matches anything";
    TakesPrefixesForLuaPatterns: Buffering, "CA-03",
        "a prefix is used as a Lua pattern, where hyphens and percent signs are special";
    TakesLearntPathsForLuaPatterns as TakesPrefixesForLuaPatterns: Learning, "CA-08",
        "a learnt path is used as a Lua pattern, where hyphens and percent signs are special";
    IgnoresParametersOfSegments: Buffering, "CA-06",
        "a segment is compared only up to its semicolon";
    IgnoresParametersOfLearntSegments as IgnoresParametersOfSegments: Learning, "CA-07",
        "a segment is compared only up to its semicolon";
    Compares64BytesOfPrefixes: Buffering, "CA-06", "only the first 64 bytes of a prefix are kept";
    Compares64BytesOfLearntPaths as Compares64BytesOfPrefixes: Learning, "CA-07",
        "only the first 64 bytes of a learnt path are kept";
    Compares255BytesOfPrefixes: Buffering, "CA-06", "only the first 255 bytes of a prefix are kept";
    Compares255BytesOfLearntPaths as Compares255BytesOfPrefixes: Learning, "CA-07",
        "only the first 255 bytes of a learnt path are kept";
    ComparesChecksumsOfPrefixes: Buffering, "CA-06",
        "prefixes are compared by the sum of their bytes";
    ComparesChecksumsOfLearntPaths as ComparesChecksumsOfPrefixes: Learning, "CA-07",
        "learnt paths are compared by the sum of their bytes";
    DecodesPathsForTheCache: Both, "Z-13", "an encoded slash ends a segment in the lookup";
    NeedsTheSlashOfAPrefix: Buffering, "CA-03", "a prefix without a trailing slash is not cached";
    CannotUsePathsThatEndInASlash: Learning, "LN-05",
        "a learnt path with a trailing slash covers nothing";
    FoldsLettersOfExactPaths: Learning, "LN-06", "exact paths are compared in lower case";
    TakesExactPathsForBeginnings: Learning, "LN-06",
        "an exact entry covers every path that begins with its path";
    TakesExactPathsForExpressions: Learning, "LN-06",
        "an exact path is used as a regular expression without escapes";
    IgnoresParametersOfExactPaths: Learning, "LN-06",
        "an exact path is compared only up to its semicolon";
    Compares64BytesOfExactPaths: Learning, "LN-06",
        "only the first 64 bytes of an exact path are compared";
    ExactWithAnEmptyQuery: Learning, "LN-06", "an empty query makes another exact path";
    CutsAtTheLastQuestionMark: Learning, "LN-03",
        "path_info ends at the last question mark, so that it includes a part of the query";
    // Names and ids of cells.
    KnowsCellsByHowTheyBegin: Buffering, "BF-10", "Cell US11 is read as Cell US1";
    KnowsIdsByHowTheyBegin as KnowsCellsByHowTheyBegin: Learning, "LN-18",
        "cell_us11 is read as cell_us1";
    TakesTheFirstCellThatBeginsAlike: Buffering, "BF-10", "Cell US1 is read as Cell US10";
    TakesTheFirstIdThatBeginsAlike as TakesTheFirstCellThatBeginsAlike: Learning, "LN-18",
        "cell_us1 is read as cell_us10";
    KnowsCellsByTheirLastDigit: Buffering, "BF-10",
        "only the last digit of a cell's number is compared";
    KnowsIdsByTheirLastDigit as KnowsCellsByTheirLastDigit: Learning, "LN-18",
        "only the last digit of a cell's number is compared";
    ComparesEightBytesOfCells: Buffering, "BF-10",
        "only the first eight bytes of a cell's name are compared";
    ComparesEightBytesOfIds as ComparesEightBytesOfCells: Learning, "LN-18",
        "only the first eight bytes of a cell's id are compared";
    TakesRegionsThatBeginAlike: Buffering, "RG-01", "a cell of the region euw counts as one of eu";
    // Members, statuses and types in a cell's response.
    FoldsLettersOfLearnMembers: Learning, "Z-40",
        "member names of a learn response ignore case, so that Cell replaces cell";
    FindsLearnMembersByPattern: Learning, "Z-40",
        "a learn response is searched for its members as text, at any depth";
    WantsLearnMembersInOrder: Learning, "LN-04",
        "a learn response is read by an expression that wants path, cell and source in this order";
    WantsLearnResponsesWithoutBlanks: Learning, "LN-04",
        "a learn response is read by an expression that allows no whitespace";
    KeepsEscapesOfLearnResponses: Learning, "LN-04",
        "JSON escapes in a learn response are not decoded";
    FindsHeaderMembersAnywhere: Buffering, "Z-40", "the text cell: is found anywhere in the header";
    SplitsMembersAtTheLastColon: Buffering, "CA-03",
        "a member is split at its last colon instead of its first";
    ReadsTheFirstHeaderMemberOnly: Buffering, "Z-40", "only the first member in the braces is read";
    BouncesOnEveryRedirect: Buffering, "Z-37", "the redirect header is followed on every 3xx";
    TakesClientErrorsForNobody: Learning, "Z-35",
        "every 4xx of a pre-flight means that no cell owns the path";
    WantsThePlainTypeOfJson: Learning, "LN-04",
        "a learn response needs exactly the Content-Type application/json";
    // Names and words of fields.
    KnowsTheRedirectFieldInOneSpelling: Buffering, "BF-03",
        "the name of the redirect header is matched with case";
    KnowsTheCacheFieldInOneSpelling: Buffering, "CA-03",
        "the name of the cache header is matched with case";
    TakesFieldsThatBeginAlike: Buffering, "BF-09",
        "a field whose name begins like the redirect header's is read as it";
    StripsSpoofedFieldsInOneSpelling: Both, "Z-04",
        "internal fields are removed from a user's request in one spelling only";
    KnowsListedFieldsInOneSpelling: Both, "Z-22",
        "names that Connection lists are matched with case";
    ReadsTheFirstConnectionLine: Both, "Z-22", "of several Connection lines only the first is read";
    StopsAtEmptyMembersOfConnection: Both, "Z-22", "an empty member ends the list in Connection";
    TrimsSpacesOnly: Both, "Z-22", "a tab before a word of Connection is read as a part of it";
    KnowsChunkedInLowerCase: Both, "Z-21",
        "a user's Transfer-Encoding: Chunked is an unknown coding";
    KnowsChunkedOfCellsInLowerCase: Both, "Z-21",
        "a cell's Transfer-Encoding: Chunked is an unknown coding";
    Knows100ContinueInLowerCase: Both, "Z-21",
        "Expect: 100-Continue is refused as an unknown expectation";
    KnowsUpgradeInOneSpelling: Both, "Z-23", claims "upgrade",
        "Connection has to be exactly Upgrade";
    // The learn path.
    ServesLearnWhenEscaped: Learning, "Z-10",
        "the learn path is closed to users, but not with an escape in it";
    ServesLearnWithDoubledSlashes: Learning, "Z-10",
        "the learn path is closed to users, but not with an empty segment in it";
    ServesLearnWithDots: Learning, "Z-10",
        "the learn path is closed to users, but not with dot segments in it";
    ServesLearnWithALastSlash: Learning, "Z-10",
        "the learn path is closed to users, but not with a trailing slash";
    RefusesWhatBeginsLikeLearn: Learning, "RT-10",
        "every path that begins with the learn path is closed to users";
    RefusesWhatContainsLearn: Learning, "RT-10",
        "every path that contains the learn path is closed to users";
}

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
