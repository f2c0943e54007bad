//! Mutants of sessions, tokens, sign-in and sign-up.

use super::mutant::{BOTH, BUFFERING, CellMutant, mutant};
use super::mutation::Mutation::{
    AdoptsSessions, CredentialsCheckedAtHome, ForgetsWhereTheVisitorWanted,
    GitClientsSentToTheForm, GlobalRoutesHideFromVisitors, PublicPlacesNeedASession,
    SessionKnownAtHome, SessionStorePerCell, SignInLeadsToTheRoot, SignInOnTheLegacyCellOnly,
    SignInSetsAnotherCookie, SignOutOnlyHere, SignUpDoesNotAsk, SignUpEnrolsEverybody,
    SignUpIgnoresTheChoice, TokenKnownAtHome, TurnsVisitorsAway,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        SessionKnownAtHome,
        "session-known-at-home",
        "RT-13",
        BOTH,
        "a session is valid only on the cell of its user's default organization",
    ),
    mutant(
        SessionStorePerCell,
        "session-store-per-cell",
        "LG-05",
        BOTH,
        "a session is valid only on the cell that its user signed in on",
    ),
    mutant(
        AdoptsSessions,
        "adopts-sessions",
        "SE-01",
        BOTH,
        "a cell creates a session of its own for each session that it receives",
    ),
    mutant(
        SignOutOnlyHere,
        "sign-out-only-here",
        "SE-05",
        BOTH,
        "sign-out ends the session only on the cell that receives it",
    ),
    mutant(
        TokenKnownAtHome,
        "token-known-at-home",
        "DB-01",
        BOTH,
        "a token is valid only on the cell of its user's default organization",
    ),
    mutant(
        CredentialsCheckedAtHome,
        "credentials-checked-at-home",
        "DB-01",
        BOTH,
        "name and password are accepted only on the cell of the user's default organization",
    ),
    mutant(
        SignInOnTheLegacyCellOnly,
        "sign-in-on-the-legacy-cell-only",
        "BF-13",
        BUFFERING,
        "only Cell US0 serves sign-in; the others redirect to it",
    ),
    mutant(
        SignInSetsAnotherCookie,
        "sign-in-sets-another-cookie",
        "LG-03",
        BOTH,
        "sign-in sets a cookie with a name that no cell reads, so that its user stays signed out",
    ),
    mutant(
        SignInLeadsToTheRoot,
        "sign-in-leads-to-the-root",
        "LG-02",
        BOTH,
        "sign-in always leads to `/`, whatever page its user came from",
    ),
    mutant(
        ForgetsWhereTheVisitorWanted,
        "forgets-where-the-visitor-wanted",
        "LG-01",
        BOTH,
        "the redirect to sign-in does not name the requested path",
    ),
    mutant(
        GitClientsSentToTheForm,
        "git-clients-sent-to-the-form",
        "LG-08",
        BOTH,
        "a git client without credentials is redirected to the sign-in form, like a browser",
    ),
    mutant(
        TurnsVisitorsAway,
        "turns-visitors-away",
        "BF-15",
        BUFFERING,
        "a cell that does not own a private page sends its signed-out visitor 404, \
         neither a redirect to sign-in nor to the owner",
    ),
    mutant(
        GlobalRoutesHideFromVisitors,
        "global-routes-hide-from-visitors",
        "GL-07",
        BOTH,
        "`/` and `/dashboard` are not found by signed-out visitors",
    ),
    mutant(
        PublicPlacesNeedASession,
        "public-places-need-a-session",
        "GL-08",
        BOTH,
        "a public project redirects signed-out visitors to sign-in",
    ),
    mutant(
        SignUpDoesNotAsk,
        "sign-up-does-not-ask",
        "SU-01",
        BOTH,
        "the sign-up form does not ask about organizations",
    ),
    mutant(
        SignUpIgnoresTheChoice,
        "sign-up-ignores-the-choice",
        "OR-01",
        BOTH,
        "joining an organization does not make it the default",
    ),
    mutant(
        SignUpEnrolsEverybody,
        "sign-up-enrols-everybody",
        "SU-02",
        BOTH,
        "new users who neither join nor create an organization get the first existing one",
    ),
];
