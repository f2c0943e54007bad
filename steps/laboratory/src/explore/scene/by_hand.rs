//! Users and cells who write byte for byte.

use super::{Scene, Stand, Story};
use crate::explore::messages::{self, ASKED, INSTEAD, REQUESTS};
use crate::explore::raw;
use crate::explore::world::Condition;
use conformance_suite::action::{Person, RequestKind, Route};

/// How many requests of a kind follow each other.
const IN_A_ROW: usize = 3;

impl Story {
    /// A few requests that a user wrote byte for byte, and then a visit of somebody else.
    pub(super) fn by_hand(&mut self, scene: &Scene, stand: &Stand) {
        let target = self.own_place(scene, stand, "hand") + "/x";
        let other = scene.pick(1, &self.world.places).path.clone();
        let mut number = scene.number(3, usize::MAX);
        for _ in 0..IN_A_ROW {
            let text = messages::request(number, &target, &other);
            number /= REQUESTS;
            self.actions.push(raw::sent(&stand.person, &text));
        }
        self.send(&Person::visitor(), RequestKind::Target { target }, Route::Default);
    }

    /// A cell breaks off, or writes byte for byte, in place of its response.
    pub(super) fn cell_by_hand(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.own_place(scene, stand, "broken");
        let owner = self.world.places.last().map(|place| place.cell.clone());
        let target = format!("{base}/x");
        let (words, text) = *scene.pick(3, &INSTEAD);
        let words = words.replace("{t}", &target);
        self.world.conditions.push(Condition::Does(owner, target.clone(), words, text.to_owned()));
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
        let owner = self.world.places.last().map(|place| place.cell.clone());
        let first = scene.number(3, ASKED.len());
        for (number, (method, field, answer)) in
            ASKED.iter().cycle().skip(first).take(IN_A_ROW).enumerate()
        {
            let target = format!("{base}/{number}");
            let answer = (*answer).to_owned();
            self.world.conditions.push(Condition::Responds(owner.clone(), target.clone(), answer));
            let body = if *method == "POST" { "hello" } else { "" };
            self.message(stand, method, &target, &[*field], body);
        }
        self.get(stand, &base);
    }
}
