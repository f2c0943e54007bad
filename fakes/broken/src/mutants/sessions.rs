//! Sessions, by the ways to keep them.

use crate::mutant::mutants;

mutants! {
    SessionsReadAtThePrimary: Both, "SE-03",
        "each session is read in the region of the primary, wherever the cell is";
    LagSignsOut: Both, "SE-06", "a session that the replica does not have yet is none";
    SessionsStayInTheirRegion: Both, "SE-07", "a session of another region's store is none";
    SignOutInOneRegion: Both, "SE-11",
        "a sign-out reaches the store, or the list, of the cell's own region alone";
    EverywhereIsThisRegion: Both, "SE-11",
        "all sessions of a user end in the store of the cell's own region alone";
    SignaturesUnread: Both, "SE-08", "a JWT counts whatever its signature is";
    TokensOfAlgNone: Both, "SE-08", "a JWT that says `alg: none` needs no signature";
    ExpiredTokensCount: Both, "SE-08", "a JWT counts also after its expiry";
    TokensLookedUp: Both, "SE-10", "each JWT is looked up in the store of the region's sessions";
    TokensRenewedBlindly: Both, "SE-09",
        "a JWT is renewed although its user's password has changed";
    TokensOutliveThePassword: Both, "SE-09",
        "a new password leaves the JWTs of the old one off the list";
}
