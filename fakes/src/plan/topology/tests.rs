use super::*;
use crate::{IdStrategy, RunnerModel, SessionModel};

#[test]
fn every_embedded_and_named_topology_is_valid() {
    assert_eq!(
        Topology::documents().cells,
        [CellId::us(0), CellId::us(1), CellId::eu(0), CellId::eu(1)]
    );
    for (name, cells) in
        [("documents", 4), ("three-eu-cells", 5), ("single-cell", 1), ("larger", 12)]
    {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/topologies/{name}.toml"));
        let topology = Topology::read(&path).unwrap();
        assert_eq!((topology.cells.len(), topology.latest), (cells, CellId::us(0)), "{name}");
    }
}

const DOCUMENTED: &str =
    "cells = ['cell_us0', 'cell_eu0']\nlatest = 'cell_us0'\nprimary_region = 'us'\n";

#[test]
fn a_topology_file_may_say_how_ids_are_drawn() {
    let parsed = |text: &str| Topology::parse(&format!("{DOCUMENTED}{text}"), "mine.toml");
    assert_eq!(parsed("").unwrap().ids, None);
    let ranges = parsed("[ids]\nstrategy = 'ranges'\nrange_size = 10").unwrap().ids.unwrap();
    assert_eq!((ranges.strategy, ranges.range_size), (IdStrategy::Ranges, 10));
    let numbered = |number: u64| {
        parsed(&format!("[ids]\nstrategy = 'cell-bits'\ncell_numbers.cell_eu0 = {number}"))
    };
    assert_eq!(numbered(1023).unwrap().ids.unwrap().cell_numbers[&CellId::eu(0)], 1023);
    for (error, said) in [
        (numbered(1024), "in `[ids]`, cell_eu0 cannot have the number 1024"),
        (parsed("[ids]\nstrategy = 'luck'"), "`luck` is not a strategy for ids"),
        (parsed("[ids]\nstrategy = 'ranges'\nrange_size = 0"), "at least one id"),
    ] {
        let message = error.unwrap_err().to_string();
        assert!(message.contains(said) && message.contains("mine.toml"), "{message}");
    }
}

#[test]
fn a_topology_file_may_say_how_runners_and_settings_are_kept() {
    let parsed = |text: &str| Topology::parse(&format!("{DOCUMENTED}{text}"), "mine.toml");
    let documents = parsed("").unwrap();
    assert_eq!((documents.runners, documents.settings), (None, None));
    let runners = "[runners]\nmodel = 'shared'\ngroup_and_project = false\nlease_seconds = 60";
    assert_eq!(
        parsed(runners).unwrap().runners,
        Some(RunnerPlan {
            model: RunnerModel::Shared,
            group_and_project: false,
            lease: Duration::from_secs(60)
        })
    );
    let table = parsed("[settings]\nmodel = 'table'").unwrap().settings;
    assert_eq!(table, Some(SettingsModel::Table));
    for (error, said) in [
        (parsed("[runners]\nmodel = 'luck'"), "name shared or per-cell"),
        (parsed("[runners]\nmodel = 'shared'\nlease_seconds = 0"), "cannot be 0 seconds"),
        (parsed("[settings]\nmodel = 'luck'"), "name one of shared, template, table"),
        (parsed("[settings]\nmodel = 'table'\nrows = 1"), "unknown field `rows`"),
    ] {
        let message = error.unwrap_err().to_string();
        assert!(message.contains(said) && message.contains("mine.toml"), "{message}");
    }
}

#[test]
fn a_topology_file_may_say_how_sessions_are_kept() {
    let parsed = |text: &str| Topology::parse(&format!("{DOCUMENTED}{text}"), "mine.toml");
    assert_eq!(parsed("").unwrap().sessions, None);
    let jwt = "[sessions]\nmodel = 'jwt'\ntoken_life_s = 60\nrevocation_list = false";
    let plan = parsed(jwt).unwrap().sessions.unwrap();
    assert_eq!((plan.model, plan.revocation_list), (SessionModel::Jwt, false));
    assert_eq!(plan.token_life, Duration::from_secs(60));
    for (text, said) in [
        ("[sessions]\nmodel = 'paper'", "`paper` is not a way to keep sessions"),
        ("[sessions]\nmodel = 'jwt'\ntoken_life_s = 0", "at least 1 second"),
    ] {
        let message = parsed(text).unwrap_err().to_string();
        assert!(message.contains(said) && message.contains("mine.toml"), "{message}");
    }
}

#[test]
fn an_invalid_topology_file_is_refused_with_file_and_member() {
    let cases = [
        ("cells = []\nlatest = 'cell_us0'\nprimary_region = 'us'", "`cells` is empty"),
        (
            "cells = ['cell_us0', 'cell_0']\nlatest = 'cell_us0'\nprimary_region = 'us'",
            "`cells[1]` lists cell_us0 a second time",
        ),
        (
            "cells = ['cell_us0']\nlatest = 'cell_us1'\nprimary_region = 'us'",
            "`latest` names cell_us1",
        ),
        (
            "cells = ['cell_us0']\nlatest = 'cell_us0'\nprimary_region = 'eu'",
            "`primary_region` is eu",
        ),
        (
            "cells = ['cell_us0']\nlatest = 'cell_us0'\nprimary_region = 'e u'",
            "`primary_region` is `e u`",
        ),
        (
            "cells = ['us0']\nlatest = 'cell_us0'\nprimary_region = 'us'",
            "in `cells[0]`, `us0` is not a cell",
        ),
        ("cells = ['cell_us0']\nlatest = 'cell_us0'", "missing field `primary_region`"),
        (
            "cells = ['cell_us0']\nlatest = 'cell_us0'\nprimary_region = 'us'\nttl = 3",
            "unknown field `ttl`",
        ),
        ("cells = 4\nlatest = 'cell_us0'\nprimary_region = 'us'", "line 1"),
    ];
    for (text, said) in cases {
        let message = Topology::parse(text, "mine.toml").unwrap_err().to_string();
        assert!(message.contains(said) && message.contains("mine.toml"), "{message}");
    }
    assert!(
        Topology::read(Path::new("/nowhere/at/all.toml"))
            .unwrap_err()
            .to_string()
            .contains("/nowhere/at/all.toml")
    );
}
