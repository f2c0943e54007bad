//! Cells that say something else than the documents draw: what a router skips, heeds or refuses.
//!
//! `{redirect}` and `{cache}` are the names of their fields.

use cell_fleet::{CellId, Protocol, wire};

use super::{Scene, Stand, Story};
use crate::explore::world::{Condition, PlaceKind};

/// Values of the redirect field: `{owner}` and `{other}` are names of cells, `{p}` is a path.
const REDIRECTS: [&str; 14] = [
    "{x:1,cell:{owner}}",
    "{cell:{owner},x:1}",
    "{sub-cell:{other},cell:{owner}}",
    "{note:a cell,cell:{owner}}",
    "{cell:{owner},path_prefix:{p}/}",
    "{cell:{owner}}\n{redirect}: {cell:{other}}",
    "{cell:{owner}}\n{cache}: {path_prefix:{p}/}",
    "cell:{owner}",
    "{cell}",
    "{cell:}",
    "{}",
    "{cell:Cell ZZ9}",
    "{cell:evil.example}",
    "{cell:127.0.0.1:1}",
];

/// Statuses with which the redirect field says nothing.
const NO_BOUNCES: [u16; 8] = [200, 201, 301, 303, 307, 308, 404, 500];

/// Values of the cache field; `{o}` is the path of another place.
const CACHES: [&str; 14] = [
    "{path_prefix:/}",
    "{path_prefix:}",
    "{path_prefix:{o}}",
    "{path_prefix:{o}/}",
    "{x:1,path_prefix:{p}/}",
    "{path_prefix:{p}/,x:1}",
    "{path_prefix:{p}/,cell:{other}}",
    "{path_prefix:{p}/\n",
    "path_prefix:{p}/",
    "{path_prefix}",
    "{{p}/}",
    "{p}/",
    "{path_prefix={p}/}",
    "{path_prefix:{p}/}\n{redirect}: {cell:{other}}",
];

/// Learn responses; `{owner}` and `{other}` are ids of cells.
const LEARNT: [&str; 28] = [
    r#"200 {"path":"{p}","cell":"{owner}","source":"routable","version":2,"more":{"a":[1]}}"#,
    r#"200 {"was":{"cell":"{other}","path":"/"},"path":"{p}","cell":"{owner}","source":"routable"}"#,
    r#"200 {"path":"{p}","cell":"{owner}","Cell":"{other}","source":"routable"}"#,
    r#"200 {"path":"{p}","cell":"{owner}","CELL":"{other}","Path":"/","source":"routable"}"#,
    r#"200 {"path":"{p}","cell":"{owner}","source":"organization"}"#,
    r#"200 {"path":"{p}","cell":"{owner}"}"#,
    r#"200 {"path":"{o}","cell":"{owner}","source":"routable"}"#,
    r#"200 {"path":"/","cell":"{owner}","source":"routable"}"#,
    r#"200 {"path":"","cell":"{owner}","source":"routable"}"#,
    r#"200 {"path":"{p}","cell":5,"source":"routable"}"#,
    r#"200 {"path":null,"cell":"{owner}","source":"routable"}"#,
    r#"200 {"path":["{p}"],"cell":"{owner}","source":"routable"}"#,
    r#"200 ["{p}","{owner}"]"#,
    r#"200 {"path":"{p}","cell":"{owner}","source":"rout"#,
    r#"200 {"path":"{p}","cell":"cell_zz9","source":"routable"}"#,
    r#"200 {"path":"{p}","cell":"evil.example","source":"routable"}"#,
    r#"200 {"path":"{p}","cell":"127.0.0.1:1","source":"routable"}"#,
    r#"201 {"path":"{p}","cell":"{owner}","source":"routable"}"#,
    r#"202 {"path":"{p}","cell":"{owner}","source":"routable"}"#,
    r#"400 {"error":"bad"}"#,
    r#"403 {"error":"forbidden"}"#,
    r#"410 {"error":"gone"}"#,
    r#"500 {"path":"{p}","cell":"{owner}","source":"routable"}"#,
    "302+Location: / {}",
    r#"200+{redirect}: {cell:{other_name}} {"path":"{p}","cell":"{owner}","source":"routable"}"#,
    r#"200+{cache}: {path_prefix:/} {"path":"{p}","cell":"{owner}","source":"routable"}"#,
    r#"200+{cache}: {path_prefix:{o}/} {"path":"{p}","cell":"{owner}","source":"routable"}"#,
    r#"200+Cache-Control: no-store {"path":"{p}","cell":"{owner}","source":"routable"}"#,
];

impl Story {
    pub(super) fn odd_forms(&mut self, scene: &Scene, stand: &Stand) {
        let base = format!("/odd-{}", self.next());
        let cells = self.cells_from(scene, 2);
        let around = scene.pick(1, &self.world.places).path.clone();
        self.place(&base, PlaceKind::Public, cells[0].clone());
        let other = cells.last().unwrap_or(&cells[0]).clone();
        let filled = |text: &str| {
            text.replace("{p}", &base)
                .replace("{o}", &around)
                .replace("{redirect}", wire::CELL_REDIRECT)
                .replace("{cache}", wire::CELL_CACHE)
        };
        let (target, beside) = (format!("{base}/page"), format!("{base}/other"));
        match (self.world.protocol, scene.number(3, 3)) {
            (_, 0) if scene.number(5, 2) == 0 => {
                // A page of another cell among those of the place.
                self.place(&target, PlaceKind::Exact, other);
                for path in [&target, &beside, &target, &beside] {
                    self.get(stand, path);
                }
                return;
            }
            (Protocol::Learning, _) => {
                let text = filled(scene.pick::<&str>(4, &LEARNT));
                let text = text.replace("{other_name}", &other.name());
                let id_of = |cell| self.world.id_of(cell);
                let text =
                    text.replace("{owner}", &id_of(&cells[0])).replace("{other}", &id_of(&other));
                self.world.conditions.push(Condition::Teaches(target.clone(), learn_text(&text)));
            }
            (Protocol::Buffering, 0) => {
                let status = *scene.pick(4, &NO_BOUNCES);
                let says = wire::redirect_value(&other.name());
                let text = format!("{status}\n{}: {says}\n", wire::CELL_REDIRECT);
                let owner = Some(cells[0].clone());
                self.world.conditions.push(Condition::Responds(owner, target.clone(), text));
            }
            (Protocol::Buffering, 1) => {
                let says = filled(scene.pick::<&str>(4, &REDIRECTS));
                let [owner, others @ ..] = &cells[..] else { return };
                let says = says.replace("{owner}", &owner.name()).replace("{other}", &other.name());
                for cell in others {
                    let text = format!("302\n{}: {says}\n", wire::CELL_REDIRECT);
                    self.world.conditions.push(Condition::Responds(
                        Some(cell.clone()),
                        target.clone(),
                        text,
                    ));
                }
            }
            (Protocol::Buffering, _) => {
                let says = filled(scene.pick::<&str>(4, &CACHES)).replace("{other}", &other.name());
                self.owner_announces(&cells[0], &target, &says);
            }
        }
        for path in [&target, &beside, &around, &target] {
            self.get(stand, path);
        }
    }

    fn owner_announces(&mut self, owner: &CellId, target: &str, says: &str) {
        let text = format!("200\n{}: {}\n", wire::CELL_CACHE, says.trim_end());
        let owner = Some(owner.clone());
        self.world.conditions.push(Condition::Responds(owner, target.to_owned(), text));
    }
}

/// A learn response from `status[+field] body`.
fn learn_text(text: &str) -> String {
    let status = text.get(..3).unwrap_or("200");
    let rest = text.get(3..).unwrap_or_default();
    let (field, body) = match rest.strip_prefix('+') {
        Some(rest) => rest.split_once(" {\"").map_or_else(
            || {
                rest.split_once(" {}")
                    .map_or((rest, String::new()), |(field, _)| (field, "{}".to_owned()))
            },
            |(field, body)| (field, format!("{{\"{body}")),
        ),
        None => ("X-Of-No-Standard: 1", rest.trim_start().to_owned()),
    };
    format!("{status}\nContent-Type: application/json\n{field}\n\n{body}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_learn_response_may_have_a_field_beside_it() {
        assert_eq!(
            learn_text(r#"200+A: {b:c} {"path":"/"}"#),
            "200\nContent-Type: application/json\nA: {b:c}\n\n{\"path\":\"/\"}"
        );
        assert_eq!(
            learn_text("302+Location: / {}"),
            "302\nContent-Type: application/json\nLocation: /\n\n{}"
        );
        assert!(learn_text(r#"400 {"error":1}"#).ends_with("\n\n{\"error\":1}"));
    }
}
