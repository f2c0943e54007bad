//! Writes to the shared schemas, as SQL.

use cell_fleet::Stored;
use cell_fleet::store::{Change, Conflict, Route, Source, User};

use super::kind::Kind;
use super::link::{Values, Writing};
use super::rows::{bigint, source_columns};

/// The database of a write.
pub(super) fn kind_of(change: &Change) -> Kind {
    match change.table().0 {
        "gitlab_users" => Kind::Users,
        "gitlab_routes" => Kind::Routes,
        _ => Kind::Admin,
    }
}

/// Rows at and below the path `$1`. '0' is the character after '/'.
const BELOW: &str = "(path = $1::text OR (path >= $1::text || '/' AND path < $1::text || '0'))";

/// The inner error is the conflict for which the data refuse a write.
type Outcome = Stored<Result<(), Conflict>>;

/// Makes a write, or says why the data refuse it; then nothing is to be committed.
pub(super) async fn apply(writing: &Writing<'_>, change: &Change) -> Outcome {
    match change {
        Change::AddUser(user) => {
            let sql = "INSERT INTO users \
                       (username, id, password, default_organization, admin, status) \
                       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
            let id = user.id.to_string();
            let User { name, password, default_organization, admin, status, .. } = user;
            let row: Values<'_> = &[name, &id, password, default_organization, admin, status];
            writing.adds(&user.name, sql, row).await
        }
        Change::SetDefaultOrganization { user, organization } => {
            let sql = "UPDATE users SET default_organization = $2 WHERE username = $1";
            writing.changes(user, sql, &[user, organization]).await
        }
        Change::SetPassword { user, password } => {
            let sql = "UPDATE users SET password = $2 WHERE username = $1";
            writing.changes(user, sql, &[user, password]).await
        }
        Change::SetStatus { user, status } => {
            let sql = "UPDATE users SET status = $2 WHERE username = $1";
            writing.changes(user, sql, &[user, status]).await
        }
        // Redis has them.
        Change::AddSession { .. } | Change::EndSession { .. } | Change::EndOtherSessions { .. } => {
            Ok(Ok(()))
        }
        Change::AddToken { token, user } => {
            let sql = "INSERT INTO personal_access_tokens (token, username) VALUES ($1, $2) \
                       ON CONFLICT DO NOTHING";
            writing.adds(token, sql, &[token, user]).await
        }
        Change::AddOrganization(row) => {
            let sql = "INSERT INTO organizations (slug, name, dashboard, cell_id) \
                       VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
            let cell = row.cell.to_string();
            writing.adds(&row.slug, sql, &[&row.slug, &row.name, &row.dashboard, &cell]).await
        }
        Change::PlaceOrganization { slug, cell } => {
            let sql = "UPDATE organizations SET cell_id = $2 WHERE slug = $1";
            writing.changes(slug, sql, &[slug, &cell.to_string()]).await
        }
        Change::AddRoute(route) => writing.add_route(route).await,
        Change::PlaceRoutes { path, cell } => {
            let sql = format!("UPDATE routes SET cell_id = $2 WHERE {BELOW}");
            writing.does(&sql, &[path, &cell.to_string()]).await
        }
        Change::PlaceRow { table, id, cell } => {
            let sql = "INSERT INTO row_cells (table_name, row_id, cell_id) VALUES ($1, $2, $3) \
                       ON CONFLICT (table_name, row_id) DO UPDATE SET cell_id = excluded.cell_id";
            writing.does(sql, &[&table.as_str(), &id.to_string(), &cell.to_string()]).await
        }
        Change::RenameRoutes { path, to } => writing.rename_routes(path, to).await,
        Change::SetSetting { key, value } => {
            let sql = "INSERT INTO application_settings (key, value) VALUES ($1, $2) \
                       ON CONFLICT (key) DO UPDATE SET value = excluded.value";
            writing.does(sql, &[key, value]).await
        }
        Change::SetCellSetting { cell, key, value } => {
            let sql = "INSERT INTO per_cell_application_settings (cell_id, key, value) \
                       VALUES ($1, $2, $3) \
                       ON CONFLICT (cell_id, key) DO UPDATE SET value = excluded.value";
            writing.does(sql, &[&cell.to_string(), key, value]).await
        }
    }
}

impl Writing<'_> {
    async fn does(&self, sql: &str, values: Values<'_>) -> Outcome {
        self.execute(sql, values).await.map(|_| Ok(()))
    }

    /// Adds a row whose key must be free.
    async fn adds(&self, key: &str, sql: &str, values: Values<'_>) -> Outcome {
        let rows = self.execute(sql, values).await?;
        Ok(if rows == 0 { Err(Conflict::Taken(key.to_owned())) } else { Ok(()) })
    }

    /// Changes a row that must exist.
    async fn changes(&self, key: &str, sql: &str, values: Values<'_>) -> Outcome {
        let rows = self.execute(sql, values).await?;
        Ok(if rows == 0 { Err(Conflict::Missing(key.to_owned())) } else { Ok(()) })
    }

    async fn add_route(&self, route: &Route) -> Outcome {
        // An exact row at `/a/` is another path than `/a`.
        let trimmed = route.path.trim_end_matches('/');
        let path = if route.exact { route.path.as_str() } else { trimmed };
        // A page row replaces a row of the population at the same path; other paths are unique.
        let taken = if route.source == Source::Page {
            "(path) DO UPDATE SET cell_id = excluded.cell_id, \
             source_type = excluded.source_type, source_id = excluded.source_id, \
             number = excluded.number, public = excluded.public, exact = excluded.exact, \
             learned_by_own_path = excluded.learned_by_own_path"
        } else {
            "DO NOTHING"
        };
        let sql = format!(
            "INSERT INTO routes (path, cell_id, source_type, source_id, number, public, exact, \
             learned_by_own_path) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT {taken}"
        );
        let (kind, id) = source_columns(route.source);
        let (cell, number) = (route.cell.to_string(), route.number.map(bigint));
        let row: Values<'_> = &[
            &path,
            &cell,
            &kind,
            &id,
            &number,
            &route.public,
            &route.exact,
            &route.learned_by_own_path,
        ];
        self.adds(path, &sql, row).await
    }

    async fn rename_routes(&self, path: &str, to: &str) -> Outcome {
        let taken = format!("SELECT FROM routes WHERE {BELOW} LIMIT 1");
        if !self.all(&taken, &[&to], |_| Ok(())).await?.is_empty() {
            return Ok(Err(Conflict::Taken(to.to_owned())));
        }
        let sql = format!(
            "UPDATE routes SET path = $2::text || substr(path, length($1::text) + 1) WHERE {BELOW}"
        );
        self.changes(path, &sql, &[&path, &to]).await
    }
}
