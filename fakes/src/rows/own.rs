//! The rows of each cell's own schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::id::Id;

/// Who may see a group or a project.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Visibility {
    /// Everybody, signed in or not.
    Public,
    /// Its members; for all others it does not exist (PR-01).
    Private,
}

/// A row of `gitlab_main.namespaces`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Namespace {
    pub id: Id,
    /// The number next to a UUID.
    pub number: Option<u64>,
    pub path: String,
    pub name: String,
    /// Slug; `None` is `GitLab.com Public`.
    pub organization: Option<String>,
    pub visibility: Visibility,
    pub members: BTreeSet<String>,
}

/// A row of `gitlab_main.projects`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Project {
    pub id: Id,
    /// The number next to a UUID.
    pub number: Option<u64>,
    /// `group/project`.
    pub path: String,
    pub title: String,
    pub heading: String,
    pub organization: Option<String>,
    pub visibility: Visibility,
    /// Members of the project and of its namespace.
    pub members: BTreeSet<String>,
    pub work: BTreeMap<String, Work>,
}

/// A row of `gitlab_main.merge_requests`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergeRequest {
    pub id: Id,
    /// The number next to a UUID.
    pub number: Option<u64>,
    /// Its number within the project, from 1 on (ID-42).
    pub iid: u64,
    /// The column `project_id`.
    pub project: Id,
    /// The column `author_id`, a row of `gitlab_users.users`.
    pub author: Id,
    pub title: String,
}

/// A row of `gitlab_main.notes`: a comment on a merge request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub id: Id,
    /// The number next to a UUID.
    pub number: Option<u64>,
    /// The column `project_id`.
    pub project: Id,
    /// The column `noteable_id`, a row of `merge_requests`.
    pub merge_request: Id,
    /// The column `author_id`, a row of `gitlab_users.users`.
    pub author: Id,
    pub body: String,
}

/// The counters at the top of each page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// To-do items.
    pub todos: u32,
    /// Assigned issues.
    pub issues: u32,
    /// Assigned merge requests.
    pub merge_requests: u32,
}

impl std::ops::Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            todos: self.todos + other.todos,
            issues: self.issues + other.issues,
            merge_requests: self.merge_requests + other.merge_requests,
        }
    }
}

/// What Redis counts of a project, by the names of the counters.
pub type Counters = BTreeMap<String, u64>;

/// Rows of a cell's own schemas: those of one organization, or those that are added at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OrganizationRows {
    pub namespaces: Vec<Namespace>,
    /// Each with the number of its pipelines.
    pub projects: Vec<(Project, u64)>,
    pub merge_requests: Vec<MergeRequest>,
    pub notes: Vec<Note>,
}

impl OrganizationRows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.namespaces.len() + self.projects.len() + self.merge_requests.len() + self.notes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of these rows the other ones lack, or have with other values.
    pub fn differing_from(&self, other: &Self) -> usize {
        fn more<T: PartialEq>(these: &[T], others: &[T]) -> usize {
            these.iter().filter(|row| !others.contains(row)).count()
        }
        more(&self.namespaces, &other.namespaces)
            + more(&self.projects, &other.projects)
            + more(&self.merge_requests, &other.merge_requests)
            + more(&self.notes, &other.notes)
    }

    /// How many foreign keys of these rows lead to another of these rows.
    pub fn references(&self) -> usize {
        let projects: BTreeSet<_> = self.projects.iter().map(|(project, _)| project.id).collect();
        let merge_requests: BTreeSet<_> = self.merge_requests.iter().map(|row| row.id).collect();
        let of_merge_requests =
            self.merge_requests.iter().filter(|row| projects.contains(&row.project)).count();
        let of_notes = self.notes.iter().map(|note| {
            usize::from(projects.contains(&note.project))
                + usize::from(merge_requests.contains(&note.merge_request))
        });
        of_merge_requests + of_notes.sum::<usize>()
    }
}
