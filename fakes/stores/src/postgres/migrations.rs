//! The databases of a fleet, and the migrations that make their tables.

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

/// A migration: its file's name without `.sql`, and its text.
pub(super) type Migration = (&'static str, &'static str);

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

    /// The migrations, in their order.
    pub(super) fn migrations(self) -> &'static [Migration] {
        macro_rules! files {
            ($folder:literal: $($name:literal),+) => {
                &[$((
                    $name,
                    include_str!(concat!("../../migrations/", $folder, "/", $name, ".sql")),
                )),+]
            };
        }
        match self {
            Self::Users => files!("users": "0001_users"),
            Self::Routes => files!("routes": "0001_routes", "0002_id_ranges"),
            Self::Admin => files!("admin": "0001_settings", "0002_cell_settings"),
            Self::Runners => files!("runners": "0001_runners"),
            Self::Main => {
                files!("main": "0001_projects", "0002_merge_requests", "0003_id_counters")
            }
            Self::Ci => files!("ci": "0001_pipelines", "0002_runners"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_migration_in_the_repository_is_run() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        for kind in Kind::SHARED.into_iter().chain(Kind::OWN) {
            let files = std::fs::read_dir(folder.join(kind.as_str())).unwrap();
            let mut files: Vec<_> =
                files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
            files.sort();
            let run: Vec<_> =
                kind.migrations().iter().map(|(name, _)| format!("{name}.sql")).collect();
            assert_eq!(files, run, "{}", kind.as_str());
        }
    }

    #[test]
    fn the_tables_of_runners_are_the_same_wherever_they_are() {
        let tables = |kind: Kind| {
            let (_, text) = kind.migrations().last().unwrap();
            text.split_once('\n').unwrap().1
        };
        assert_eq!(tables(Kind::Runners), tables(Kind::Ci));
    }
}
