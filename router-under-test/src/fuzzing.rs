//! How many cases the property tests of parsers try: few with each test run, the same ones each
//! time; and as many as `PROPTEST_CASES` says in `ci/fuzz`, other ones each time.

use proptest::test_runner::{Config, RngSeed};

/// Cases of a usual run.
const CASES: u32 = 256;

/// For `proptest_config`.
pub(crate) fn cases() -> Config {
    match std::env::var("PROPTEST_CASES") {
        Ok(_) => Config::default(),
        Err(_) => Config { cases: CASES, rng_seed: RngSeed::Fixed(15), ..Config::default() },
    }
}
