//! The databases of a fleet, and their tables.

/// What a database is for, as `database.yml` names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Kind {
    /// `gitlab_users`, shared.
    Users,
    /// `gitlab_routes`, shared.
    Routes,
    /// `gitlab_admin`, shared.
    Admin,
    /// `gitlab_runners`, shared where the plan shares runners.
    Runners,
    /// `gitlab_main` of a cell.
    Main,
    /// `gitlab_ci` of a cell.
    Ci,
}

/// The tables of runners, wherever they are.
const RUNNERS: &str = include_str!("../../tables/runners.sql");

impl Kind {
    /// The databases that all cells share: those that every installation has, and then that of
    /// shared runners.
    pub(super) const SHARED: [Self; 4] = [Self::Users, Self::Routes, Self::Admin, Self::Runners];
    /// The databases that each cell has.
    pub(super) const OWN: [Self; 2] = [Self::Main, Self::Ci];

    /// The name, such as `users`.
    pub(super) fn as_str(self) -> &'static str {
        self.into()
    }

    /// The statements that make its tables.
    pub(super) fn tables(self) -> &'static [&'static str] {
        match self {
            Self::Users => &[include_str!("../../tables/users.sql")],
            Self::Routes => &[include_str!("../../tables/routes.sql")],
            Self::Admin => &[include_str!("../../tables/admin.sql")],
            Self::Runners => &[RUNNERS],
            Self::Main => &[include_str!("../../tables/main.sql")],
            Self::Ci => &[include_str!("../../tables/pipelines.sql"), RUNNERS],
        }
    }
}
