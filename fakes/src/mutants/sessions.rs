//! Mutants of sessions, by the ways to keep them.

use super::mutant::{BOTH, CellMutant, mutant};
use super::mutation::Mutation::{
    EverywhereIsThisRegion, ExpiredTokensCount, LagSignsOut, SessionsReadAtThePrimary,
    SessionsStayInTheirRegion, SignOutInOneRegion, SignaturesUnread, TokensLookedUp,
    TokensOfAlgNone, TokensOutliveThePassword, TokensRenewedBlindly,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        SessionsReadAtThePrimary,
        "sessions-read-at-the-primary",
        "SE-03",
        BOTH,
        "each session is read in the region of the primary, wherever the cell is",
    ),
    mutant(
        LagSignsOut,
        "lag-signs-out",
        "SE-06",
        BOTH,
        "a session that the replica does not have yet is none",
    ),
    mutant(
        SessionsStayInTheirRegion,
        "sessions-stay-in-their-region",
        "SE-07",
        BOTH,
        "a session of another region's store is none",
    ),
    mutant(
        SignOutInOneRegion,
        "sign-out-in-one-region",
        "SE-11",
        BOTH,
        "a sign-out reaches the store, or the list, of the cell's own region alone",
    ),
    mutant(
        EverywhereIsThisRegion,
        "everywhere-is-this-region",
        "SE-11",
        BOTH,
        "all sessions of a user end in the store of the cell's own region alone",
    ),
    mutant(
        SignaturesUnread,
        "signatures-unread",
        "SE-08",
        BOTH,
        "a JWT counts whatever its signature is",
    ),
    mutant(
        TokensOfAlgNone,
        "tokens-of-alg-none",
        "SE-08",
        BOTH,
        "a JWT that says `alg: none` needs no signature",
    ),
    mutant(
        ExpiredTokensCount,
        "expired-tokens-count",
        "SE-08",
        BOTH,
        "a JWT counts also after its expiry",
    ),
    mutant(
        TokensLookedUp,
        "tokens-looked-up",
        "SE-10",
        BOTH,
        "each JWT is looked up in the store of the region's sessions",
    ),
    mutant(
        TokensRenewedBlindly,
        "tokens-renewed-blindly",
        "SE-09",
        BOTH,
        "a JWT is renewed although its user's password has changed",
    ),
    mutant(
        TokensOutliveThePassword,
        "tokens-outlive-the-password",
        "SE-09",
        BOTH,
        "a new password leaves the JWTs of the old one off the list",
    ),
];
