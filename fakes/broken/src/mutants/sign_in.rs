//! Sessions, tokens, sign-in and sign-up.

use crate::mutant::mutants;

mutants! {
    SessionKnownAtHome: Both, "RT-13",
        "a session is valid only on the cell of its user's default organization";
    SessionStorePerCell: Both, "LG-05",
        "a session is valid only on the cell that its user signed in on";
    AdoptsSessions: Both, "SE-01",
        "a cell creates a session of its own for each session that it receives";
    SignOutOnlyHere: Both, "SE-05", "sign-out ends the session only on the cell that receives it";
    TokenKnownAtHome: Both, "DB-01",
        "a token is valid only on the cell of its user's default organization";
    CredentialsCheckedAtHome: Both, "DB-01",
        "name and password are accepted only on the cell of the user's default organization";
    SignInOnTheLegacyCellOnly: Buffering, "BF-13",
        "only Cell US0 serves sign-in; the others redirect to it";
    SignInSetsAnotherCookie: Both, "LG-03",
        "sign-in sets a cookie with a name that no cell reads, so that its user stays signed out";
    SignInLeadsToTheRoot: Both, "LG-02",
        "sign-in always leads to `/`, whatever page its user came from";
    ForgetsWhereTheVisitorWanted: Both, "LG-01",
        "the redirect to sign-in does not name the requested path";
    GitClientsSentToTheForm: Both, "LG-08",
        "a git client without credentials is redirected to the sign-in form, like a browser";
    TurnsVisitorsAway: Buffering, "BF-15",
        "a cell that does not own a private page sends its signed-out visitor 404, neither a \
         redirect to sign-in nor to the owner";
    TellsVisitorsWhatIsMissing: Both, "PR-03",
        "a signed-out visitor gets 404 for a missing page, and sign-in for a private one";
    GlobalRoutesHideFromVisitors: Both, "GL-07",
        "`/` and `/dashboard` are not found by signed-out visitors";
    PublicPlacesNeedASession: Both, "GL-08",
        "a public project redirects signed-out visitors to sign-in";
    SignUpDoesNotAsk: Both, "SU-01", "the sign-up form does not ask about organizations";
    SignUpOffersNoNewOrganization: Both, "SU-01",
        "the sign-up form asks who joins an organization, and not who would like to create one";
    SignUpIgnoresTheChoice: Both, "OR-01", "joining an organization does not make it the default";
    SignUpEnrolsEverybody: Both, "SU-02",
        "new users who neither join nor create an organization get the first existing one";
}
