//! Who asks: sessions, tokens, sign-in and sign-up.

use super::kind::Flaw::{
    AdoptsSessions, CredentialsCheckedAtHome, ForgetsWhereTheVisitorWanted, GlobalRoutesHideFromVisitors, PublicPlacesNeedASession,
    SessionKnownAtHome, SessionStorePerCell, SignInLeadsToTheRoot, SignInOnTheLegacyCellOnly, SignInSetsAnotherCookie, SignOutOnlyHere,
    SignUpDoesNotAsk, SignUpEnrolsEverybody, SignUpIgnoresTheChoice, TokenKnownAtHome, TurnsVisitorsAway,
};
use super::{BOTH, BUFFERING, CellFlaw, flaw};

pub(super) const FLAWS: &[CellFlaw] = &[
    flaw(
        SessionKnownAtHome,
        "session-known-at-home",
        "RT-13",
        BOTH,
        "a session counts only on the cell of its user's default organization",
    ),
    flaw(
        SessionStorePerCell,
        "session-store-per-cell",
        "LG-05",
        BOTH,
        "a session stays on the cell on which its user signed in; the others do not know it",
    ),
    flaw(AdoptsSessions, "adopts-sessions", "SE-01", BOTH, "a cell makes a session of its own out of each session that it meets"),
    flaw(SignOutOnlyHere, "sign-out-only-here", "SE-05", BOTH, "signing out ends the session on the cell that is asked, and on no other"),
    flaw(TokenKnownAtHome, "token-known-at-home", "DB-01", BOTH, "a token counts only on the cell of its user's default organization"),
    flaw(
        CredentialsCheckedAtHome,
        "credentials-checked-at-home",
        "DB-01",
        BOTH,
        "name and password are right only on the cell of the user's default organization",
    ),
    flaw(
        SignInOnTheLegacyCellOnly,
        "sign-in-on-the-legacy-cell-only",
        "BF-13",
        BUFFERING,
        "only Cell US0 serves sign-in; the others point to it",
    ),
    flaw(
        SignInSetsAnotherCookie,
        "sign-in-sets-another-cookie",
        "LG-03",
        BOTH,
        "sign-in sets the session under a name that no cell reads, so that its user stays signed out",
    ),
    flaw(SignInLeadsToTheRoot, "sign-in-leads-to-the-root", "LG-02", BOTH, "sign-in always leads to `/`, wherever its user came from"),
    flaw(
        ForgetsWhereTheVisitorWanted,
        "forgets-where-the-visitor-wanted",
        "LG-01",
        BOTH,
        "the redirect to sign-in does not say which path was asked for",
    ),
    flaw(
        TurnsVisitorsAway,
        "turns-visitors-away",
        "BF-15",
        BUFFERING,
        "a cell that does not own a private place answers its signed-out visitor with 404, neither starting the login nor pointing on",
    ),
    flaw(
        GlobalRoutesHideFromVisitors,
        "global-routes-hide-from-visitors",
        "GL-07",
        BOTH,
        "`/` and `/dashboard` are not found by those who are not signed in",
    ),
    flaw(PublicPlacesNeedASession, "public-places-need-a-session", "GL-08", BOTH, "a public project turns visitors to sign-in"),
    flaw(SignUpDoesNotAsk, "sign-up-does-not-ask", "SU-01", BOTH, "the sign-up form says nothing about organizations"),
    flaw(SignUpIgnoresTheChoice, "sign-up-ignores-the-choice", "OR-01", BOTH, "joining an organization does not make it the default"),
    flaw(
        SignUpEnrolsEverybody,
        "sign-up-enrols-everybody",
        "SU-02",
        BOTH,
        "whoever neither joins nor creates an organization gets the first one that exists as default",
    ),
];
