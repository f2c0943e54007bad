//! Rows of tables, as the types of the fleet.

use std::str::FromStr;

use cell_fleet::population::Work;
use cell_fleet::store::{
    MergeRequest, Namespace, Note, Organization, Project, Route, Source, User,
};
use cell_fleet::{CellId, Id, Position, Stored};
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, PgLsn};

use super::link::{Link, described};

/// A row, and the database that it is from.
pub(super) struct Columns<'a> {
    pub(super) row: &'a Row,
    pub(super) link: &'a Link,
}

impl Columns<'_> {
    pub(super) fn get<'s, T: FromSql<'s>>(&'s self, column: &str) -> Stored<T> {
        self.row
            .try_get(column)
            .map_err(|error| self.link.strange(format!("column {column}: {}", described(&error))))
    }

    pub(super) fn parsed<T: FromStr<Err: std::fmt::Display>>(&self, column: &str) -> Stored<T> {
        let text: String = self.get(column)?;
        text.parse().map_err(|error| self.link.strange(format!("column {column}: {error}")))
    }

    pub(super) fn unsigned(&self, column: &str) -> Stored<u64> {
        let value: i64 = self.get(column)?;
        u64::try_from(value)
            .map_err(|_| self.link.strange(format!("column {column}: {value} is below 0")))
    }

    /// The position in the column `lsn`.
    pub(super) fn position(&self) -> Stored<Position> {
        Ok(Position::from(u64::from(self.get::<PgLsn>("lsn")?)))
    }

    fn number(&self) -> Stored<Option<u64>> {
        let value: Option<i64> = self.get("number")?;
        Ok(value.and_then(|number| u64::try_from(number).ok()))
    }

    pub(super) fn user(&self) -> Stored<User> {
        Ok(User {
            id: self.parsed("id")?,
            name: self.get("username")?,
            password: self.get("password")?,
            default_organization: self.get("default_organization")?,
            admin: self.get("admin")?,
            status: self.get("status")?,
        })
    }

    pub(super) fn cell(&self) -> Stored<CellId> {
        self.parsed("cell_id")
    }

    pub(super) fn organization(&self) -> Stored<Organization> {
        Ok(Organization {
            slug: self.get("slug")?,
            name: self.get("name")?,
            dashboard: self.get("dashboard")?,
            cell: self.cell()?,
        })
    }

    pub(super) fn route(&self) -> Stored<Route> {
        let kind: String = self.get("source_type")?;
        let source = match kind.as_str() {
            "namespace" => Source::Namespace(self.parsed("source_id")?),
            "project" => Source::Project(self.parsed("source_id")?),
            _ => Source::Page,
        };
        Ok(Route {
            path: self.get("path")?,
            cell: self.cell()?,
            source,
            number: self.number()?,
            public: self.get("public")?,
            exact: self.get("exact")?,
            learned_by_own_path: self.get("learned_by_own_path")?,
        })
    }

    pub(super) fn namespace(&self) -> Stored<Namespace> {
        let members: Vec<String> = self.get("members")?;
        Ok(Namespace {
            id: self.parsed("id")?,
            number: self.number()?,
            path: self.get("path")?,
            name: self.get("name")?,
            organization: self.get("organization")?,
            visibility: self.parsed("visibility")?,
            members: members.into_iter().collect(),
        })
    }

    /// A project without its work, which is in another table.
    pub(super) fn project(&self) -> Stored<Project> {
        let members: Vec<String> = self.get("members")?;
        Ok(Project {
            id: self.parsed("id")?,
            number: self.number()?,
            path: self.get("path")?,
            title: self.get("title")?,
            heading: self.get("heading")?,
            organization: self.get("organization")?,
            visibility: self.parsed("visibility")?,
            members: members.into_iter().collect(),
            work: std::collections::BTreeMap::new(),
        })
    }

    pub(super) fn work(&self) -> Stored<Work> {
        let count = |column: &str| -> Stored<u32> {
            u32::try_from(self.unsigned(column)?)
                .map_err(|_| self.link.strange(format!("column {column}: too great")))
        };
        Ok(Work {
            todos: count("todos")?,
            issues: count("issues")?,
            merge_requests: count("merge_requests")?,
        })
    }

    pub(super) fn merge_request(&self) -> Stored<MergeRequest> {
        Ok(MergeRequest {
            id: self.parsed("id")?,
            number: self.number()?,
            iid: self.unsigned("iid")?,
            project: self.parsed("project_id")?,
            author: self.parsed("author_id")?,
            title: self.get("title")?,
        })
    }

    pub(super) fn note(&self) -> Stored<Note> {
        Ok(Note {
            id: self.parsed("id")?,
            number: self.number()?,
            project: self.parsed("project_id")?,
            merge_request: self.parsed("merge_request_id")?,
            author: self.parsed("author_id")?,
            body: self.get("body")?,
        })
    }
}

pub(super) fn bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The columns `source_type` and `source_id`.
pub(super) fn source_columns(source: Source) -> (&'static str, Option<String>) {
    match source {
        Source::Namespace(id) => ("namespace", Some(id.to_string())),
        Source::Project(id) => ("project", Some(id.to_string())),
        Source::Page => ("page", None),
    }
}

/// The number that a lookup by this id may also find.
pub(super) fn older_number(id: Id) -> Option<i64> {
    match id {
        Id::Number(number) => i64::try_from(number).ok(),
        Id::Uuid(_) | Id::Local(_) => None,
    }
}
