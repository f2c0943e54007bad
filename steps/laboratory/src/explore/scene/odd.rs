//! Users and cells who write what a library never does.

use cell_fleet::{CellId, Protocol, wire};

use super::{Scene, Stand, Story};
use crate::explore::messages::{
    self, ASKED, BESIDE, CACHES, INSTEAD, LEARNED, NO_BOUNCES, RAW, REDIRECTS, STATUSES,
};
use crate::explore::world::{Condition, PlaceKind, with_text};
use conformance_suite::action::{Action, Person, RequestKind, Route};

/// How many requests of a kind follow each other.
const IN_A_ROW: usize = 3;

impl Story {
    /// A few requests that a user wrote byte for byte, and then a visit of somebody else.
    pub(super) fn by_hand(&mut self, scene: &Scene, stand: &Stand) {
        let target = match scene.number(5, 2) {
            0 => stand.target.clone(),
            _ => self.own_place(scene, stand, "hand") + "/x",
        };
        let mut number = scene.number(3, usize::MAX);
        for _ in 0..IN_A_ROW {
            let text = messages::request(number, &target);
            number /= messages::REQUESTS.len();
            let person = stand.person.clone();
            self.actions.push(Action::RawBytes { person, text, half_close: false });
        }
        self.send(&Person::visitor(), RequestKind::Target { target }, Route::Default);
    }

    /// A cell breaks off, or writes byte for byte, in place of its response.
    pub(super) fn cell_by_hand(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.own_place(scene, stand, "broken");
        let owner = scene.pick(2, &self.world.cells);
        let target = format!("{base}/x");
        let (words, text) = *scene.pick(3, &INSTEAD);
        let words = words.replace("{t}", &target);
        self.world.conditions.push(match text {
            "" => Condition::of(owner, &words),
            _ => Condition::of_with(owner, &words, text),
        });
        if scene.number(1, 2) == 0 {
            self.get(stand, &base);
        }
        match scene.number(5, 2) {
            0 => self.message(stand, "POST", &target, &[("Idempotency-Key", "key-1")], "hello"),
            _ => self.get(stand, &target),
        }
        self.get(stand, &format!("{base}/y"));
        self.send(&Person::visitor(), RequestKind::Target { target: base }, Route::Default);
    }

    /// Ranges, conditions and methods, and cells that have a response for them.
    pub(super) fn asks_for_parts(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.own_place(scene, stand, "parts");
        let owner = scene.pick(2, &self.world.cells).clone();
        let first = scene.number(3, ASKED.len());
        for (number, (method, field, answer)) in
            ASKED.iter().cycle().skip(first).take(IN_A_ROW).enumerate()
        {
            let target = format!("{base}/{number}");
            self.world.conditions.push(Condition::responds(&owner, &target, answer));
            let body = if *method == "POST" { "hello" } else { "" };
            self.message(stand, method, &target, &[*field], body);
        }
        self.get(stand, &base);
    }

    /// Cells say what they say in another form, beside other fields, or say something else.
    pub(super) fn odd_forms(&mut self, scene: &Scene, stand: &Stand) {
        let protocol = self.world.protocol;
        let kind = scene.number(3, 8);
        // Some names have a colon in them, like the members of a field. The dashboard is like any
        // other path, whatever the source of its learn response is.
        let colon = if scene.number(0, 4) == 0 { ":" } else { "" };
        let base = match (protocol, kind) {
            (Protocol::Learning, 1) => "/dashboard".to_owned(),
            _ => format!("/odd{colon}-{}", self.next()),
        };
        let target = if base == "/dashboard" { base.clone() } else { format!("{base}/page") };
        let beside = *scene.pick(1, &BESIDE);
        let around = scene.pick(5, &self.world.places).path.clone();
        let cells = self.cells_from(scene, 2);
        let (owner, other) = (cells[0].clone(), cells.last().unwrap_or(&cells[0]).clone());
        if base != target {
            self.place(&base, PlaceKind::Public, owner.clone());
        }
        let filled = |text: &str| {
            text.replace("{p}", &base)
                .replace("{p escaped}", &base.replace('/', "\\/"))
                .replace("{o}", &around)
                .replace("{redirect}", wire::CELL_REDIRECT)
                .replace("{cache}", wire::CELL_CACHE)
        };
        let named = |text: &str, owner: &str, other: &str| {
            text.replace("{owner}", owner)
                .replace("{owner escaped}", &owner.replace('_', "\\u005f"))
                .replace("{other}", other)
        };
        match (protocol, kind) {
            // A page of another cell among those of the place.
            (_, 0) => self.place(&target, PlaceKind::Exact, other),
            (Protocol::Learning, _) => {
                let (head, body) = *scene.pick(4, &LEARNED);
                let head = named(&filled(head), &owner.name(), &other.name());
                let body =
                    named(&filled(body), &self.world.id_of(&owner), &self.world.id_of(&other));
                let text = format!("{head}\nContent-Type: application/json\n{beside}\n\n{body}");
                let step = format!("every cell responds to a pre-flight about \"{target}\" with:");
                self.world.conditions.push(Condition::Step(with_text(&step, &text), Vec::new()));
                if scene.number(0, 2) == 0 {
                    let lines = filled("{cache}: {path_prefix:{p}/}");
                    self.world.conditions.push(Condition::sets(&owner, &target, &lines));
                }
                if beside.contains("max-age") {
                    self.get(stand, &target);
                    self.pass_time();
                }
            }
            // What every cell serves, and looks as if it told the owner of a path.
            (Protocol::Buffering, 1) => {
                let path = format!("/said-{}", self.next());
                let body = named(LEARNED[0].1, &owner.id(), &other.id()).replace("{p}", &path);
                let text = format!("200\nContent-Type: application/json\n\n{body}");
                let step = format!("every cell responds to \"{path}\" with:");
                self.world.conditions.push(Condition::Step(with_text(&step, &text), Vec::new()));
                for _ in 0..3 {
                    self.get(stand, &path);
                }
            }
            (Protocol::Buffering, 2) => {
                let status = *scene.pick(4, &NO_BOUNCES);
                let value = wire::redirect_value(&other.name());
                self.says(&owner, &target, status, (wire::CELL_REDIRECT, &*value, 2), beside);
            }
            // Other cells point to the owner, the first of them perhaps by way of another.
            (Protocol::Buffering, 3..=5) => {
                let value = filled(scene.pick::<&str>(4, &REDIRECTS));
                let by_way = cells.get(1).filter(|_| scene.number(5, 2) == 0);
                for cell in &cells[1..] {
                    let to = by_way.filter(|way| *way != cell).unwrap_or(&owner);
                    let value = named(&value, &to.name(), &other.name());
                    let field = (wire::CELL_REDIRECT, &*value, scene.number(1, 4));
                    self.says(cell, &target, "302", field, beside);
                }
            }
            (Protocol::Buffering, kind) => {
                let value = filled(scene.pick::<&str>(4, &CACHES));
                let value = named(&value, &owner.name(), &other.name());
                if kind == 6 {
                    let lines = format!("{}: {value}\n{beside}", wire::CELL_CACHE);
                    self.world.conditions.push(Condition::sets(&owner, &target, &lines));
                } else {
                    let status = *scene.pick(0, &STATUSES);
                    let field = (wire::CELL_CACHE, &*value, scene.number(2, 4));
                    self.says(&owner, &target, status, field, beside);
                }
            }
        }
        for path in [&target, &format!("{base}/other"), &around, &target] {
            self.get(stand, path);
        }
    }

    /// A cell responds to a target with this status, this field and another line. Only a cell that
    /// writes byte for byte can choose the case of a name.
    fn says(
        &mut self,
        cell: &CellId,
        target: &str,
        status: &str,
        (name, value, how): (&str, &str, usize),
        beside: &str,
    ) {
        let name = match how {
            0 => name.to_ascii_lowercase(),
            1 => name.to_ascii_uppercase(),
            _ => name.to_owned(),
        };
        // A 204 has no length, and a cell that writes byte for byte would need one for any other.
        self.world.conditions.push(if how < 2 && status != "204" {
            let step = RAW.replace("{t}", target);
            let ending = "Content-Length: 0\nConnection: close\n";
            let text = format!("HTTP/1.1 {status} \n{name}: {value}\n{beside}\n{ending}");
            Condition::of_with(cell, &step, &text)
        } else {
            Condition::responds(cell, target, &format!("{status}\n{name}: {value}\n{beside}\n"))
        });
    }
}
