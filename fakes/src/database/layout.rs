//! `config/database.yml`: which servers a cell uses, as GitLab is told today (DB-08).

use std::fmt::Write as _;

use crate::CellId;

/// A database in `database.yml`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseEntry {
    /// Its name, such as `main`.
    pub name: &'static str,
    /// The host of the primary; the folder of its socket where it has no other address.
    pub host: String,
    /// The name of the database on the server, where it is not the usual one.
    pub database: Option<String>,
    /// The servers that are read.
    pub replicas: ReplicaAddresses,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplicaAddresses {
    /// A name that a service discovery knows.
    Discovery(String),
    /// Their hosts; none where the primary is read.
    Hosts(Vec<String>),
}

/// The databases of a cell as the documents have them: `main` and `ci` of its own, and `users`,
/// `routes` and `admin` with one primary and the replicas of the cell's region.
///
/// ```
/// use cell_fleet::{CellId, documented_databases};
/// let databases = documented_databases(&CellId::eu(0));
/// assert_eq!(databases[0].host, "postgres-main.cell-eu0.primary.consul");
/// assert_eq!(databases[2].host, "postgres-users-primary.consul");
/// ```
pub fn documented_databases(cell: &CellId) -> Vec<DatabaseEntry> {
    let (of_cell, region) = (cell.id().replace('_', "-"), cell.region());
    let entry = |name, host, discovery| DatabaseEntry {
        name,
        host,
        database: None,
        replicas: ReplicaAddresses::Discovery(discovery),
    };
    let own = ["main", "ci"].map(|name| {
        let of = format!("postgres-{name}.{of_cell}");
        entry(name, format!("{of}.primary.consul"), format!("{of}.replicas.consul"))
    });
    let shared = ["users", "routes", "admin"].map(|name| {
        let of = format!("postgres-{name}");
        entry(name, format!("{of}-primary.consul"), format!("{of}-replicas.{region}.consul"))
    });
    own.into_iter().chain(shared).collect()
}

/// The text of `database.yml` with these databases.
pub fn database_yml(databases: &[DatabaseEntry]) -> String {
    let mut text = "# config/database.yml\nproduction:\n".to_owned();
    // A string of JSON is one of YAML, whatever is in it.
    let quoted = |value: &str| serde_json::Value::from(value).to_string();
    for entry in databases {
        let _ = writeln!(text, "  {}:\n    host: {}", entry.name, quoted(&entry.host));
        if let Some(database) = &entry.database {
            let _ = writeln!(text, "    database: {}", quoted(database));
        }
        match &entry.replicas {
            ReplicaAddresses::Discovery(name) => {
                let _ = writeln!(text, "    load_balancing:\n      discovery: {}", quoted(name));
            }
            ReplicaAddresses::Hosts(hosts) if hosts.is_empty() => {}
            ReplicaAddresses::Hosts(hosts) => {
                text.push_str("    load_balancing:\n      hosts:\n");
                for host in hosts {
                    let _ = writeln!(text, "        - {}", quoted(host));
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use saphyr::{LoadableYamlNode as _, Yaml};

    use super::*;
    use crate::Topology;

    /// The snippets of *Example database configuration*.
    const DOCUMENTED: [(&str, &str); 2] = [("cell-us0", "us"), ("cell-eu0", "eu")];

    #[test]
    fn a_yaml_parser_reads_what_the_documents_have() {
        for (name, region) in DOCUMENTED {
            let cells = Topology::documents().cells;
            let cell = cells.iter().find(|cell| cell.id().replace('_', "-") == name).unwrap();
            let text = database_yml(&documented_databases(cell));
            let files = Yaml::load_from_str(&text).unwrap();
            let production = &files[0]["production"];
            let names: Vec<_> = production
                .as_mapping()
                .unwrap()
                .keys()
                .map(|key| key.as_str().unwrap().to_owned())
                .collect();
            assert_eq!(names, ["main", "ci", "users", "routes", "admin"]);
            for own in ["main", "ci"] {
                let entry = &production[own];
                let of = format!("postgres-{own}.{name}");
                assert_eq!(entry["host"].as_str().unwrap(), format!("{of}.primary.consul"));
                let discovery = entry["load_balancing"]["discovery"].as_str().unwrap();
                assert_eq!(discovery, format!("{of}.replicas.consul"));
            }
            for shared in ["users", "routes", "admin"] {
                let (entry, of) = (&production[shared], format!("postgres-{shared}"));
                assert_eq!(entry["host"].as_str().unwrap(), format!("{of}-primary.consul"));
                let discovery = entry["load_balancing"]["discovery"].as_str().unwrap();
                assert_eq!(discovery, format!("{of}-replicas.{region}.consul"));
            }
        }
    }

    #[test]
    fn hosts_and_names_are_quoted() {
        let entry = DatabaseEntry {
            name: "users",
            host: "/tmp/a: b".to_owned(),
            database: Some("users_1".to_owned()),
            replicas: ReplicaAddresses::Hosts(vec!["/tmp/c # d".to_owned()]),
        };
        let text = database_yml(&[entry]);
        let files = Yaml::load_from_str(&text).unwrap();
        let users = &files[0]["production"]["users"];
        assert_eq!(users["host"].as_str(), Some("/tmp/a: b"));
        assert_eq!(users["database"].as_str(), Some("users_1"));
        assert_eq!(users["load_balancing"]["hosts"][0].as_str(), Some("/tmp/c # d"));
    }
}
