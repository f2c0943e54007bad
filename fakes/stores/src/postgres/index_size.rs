//! What the width and the order of ids cost in an index, measured on PostgreSQL.

use std::time::Instant;

use cell_fleet::store::new_uuid;

use crate::RealStores;
use crate::postgres::link::connect;

/// Rows in each table.
const ROWS: u32 = 200_000;
/// Rows of one statement.
const BATCH: u32 = 1_000;

/// The id of a row by its number, as SQL.
type IdOf = fn(u32) -> String;

#[tokio::test]
#[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
async fn a_uuid_costs_more_index_than_a_bigint() {
    let real = RealStores::start().await.unwrap();
    let client = connect(real.0.postgres.own.primary(), "postgres").await.unwrap();
    let strategies: [(&str, &str, IdOf); 4] = [
        ("bigint, one counter", "bigint", |row| (row + 1).to_string()),
        ("bigint, top bits of 4 cells", "bigint", |row| {
            let cell = u64::from(row % 4) + 1;
            ((cell << 53) + u64::from(row / 4)).to_string()
        }),
        ("uuid, as this fleet draws it", "uuid", |_| format!("'{}'", new_uuid())),
        ("uuid, random (version 4)", "uuid", |_| "gen_random_uuid()".to_owned()),
    ];
    let mut sizes = Vec::new();
    for (name, column, id_of) in strategies {
        let table = format!("measured_{}", sizes.len());
        let create = format!(
            "CREATE TABLE {table} (id {column} PRIMARY KEY, project_id {column} NOT NULL); \
             CREATE INDEX {table}_key ON {table} (project_id)"
        );
        client.batch_execute(&create).await.unwrap();
        let began = Instant::now();
        for first in (0..ROWS).step_by(BATCH as usize) {
            let rows = first..first + BATCH;
            // A foreign key leads to one of some rows.
            let row = |number: u32| {
                let id = id_of(number);
                format!("({id}, {})", if column == "uuid" { id_of(number) } else { id.clone() })
            };
            let values: Vec<_> = rows.map(row).collect();
            let insert = format!("INSERT INTO {table} VALUES {}", values.join(","));
            client.batch_execute(&insert).await.unwrap();
        }
        let took = began.elapsed();
        let size = format!(
            "SELECT pg_relation_size('{table}_pkey'), pg_relation_size('{table}_key'), \
             pg_relation_size('{table}')"
        );
        let row = client.query_one(&size, &[]).await.unwrap();
        let [key, foreign, rows] = [0, 1, 2].map(|column| row.get::<_, i64>(column));
        eprintln!(
            "{name}: primary key {} KiB, foreign key {} KiB, rows {} KiB; {ROWS} rows in {} ms",
            key / 1024,
            foreign / 1024,
            rows / 1024,
            took.as_millis()
        );
        sizes.push(key);
        client.batch_execute(&format!("DROP TABLE {table}")).await.unwrap();
    }
    let [counted, by_cells, ordered, random] = sizes[..] else { panic!("{sizes:?}") };
    assert!(by_cells >= counted && ordered > counted && random > counted, "{sizes:?}");
}
