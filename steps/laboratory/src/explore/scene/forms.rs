//! Cells that write what they say in other forms, or with other fields.
//!
//! The documents draw one form of each; a router reads every form that they permit.

use cell_fleet::{CellId, Protocol, wire};

use super::{Scene, Stand, Story};
use crate::explore::messages::RAW;
use crate::explore::world::{Condition, PlaceKind};

/// Fields that cells send with what they say, and that change nothing about it.
const BESIDE: [&str; 8] = [
    "Cache-Control: no-store",
    "Cache-Control: max-age=600",
    "Set-Cookie: flavour=plain; Path=/",
    "Vary: *",
    "X-Of-No-Standard: 1",
    "Content-Language: nb, en",
    "Location: /somewhere/else",
    "Location: /elsewhere?x",
];

/// Statuses of a response that says where it comes from.
const STATUSES: [u16; 6] = [200, 201, 204, 302, 403, 500];

/// The value of a field of cells, in another form.
fn value(member: &str, value: &str, how: usize) -> String {
    match how {
        0 => format!("{{ {member} : {value} }}"),
        1 => format!("{{{member}: {value}}}"),
        2 => format!("{{{member}:{value} }}"),
        _ => format!("{{{member}:{value}}}"),
    }
}

/// The name of a field of cells, in another case. Only a cell that writes byte for byte can choose
/// it.
fn respelt(name: &str, how: usize) -> Option<String> {
    match how {
        0 => Some(name.to_ascii_lowercase()),
        1 => Some(name.to_ascii_uppercase()),
        _ => None,
    }
}

/// A cell responds to a target with this status, this field and another line.
fn says(
    cell: &CellId,
    target: &str,
    status: &str,
    field: (&str, &str, usize),
    beside: &str,
) -> Condition {
    let (name, value, how) = field;
    let (cell, target) = (Some(cell.clone()), target.to_owned());
    match respelt(name, how) {
        // A 204 has no length, and a cell that writes byte for byte would need one for any other.
        Some(name) if status != "204" => {
            let step = RAW.replace("{t}", &target);
            let ending = "Content-Length: 0\nConnection: close\n";
            let text = format!("HTTP/1.1 {status} \n{name}: {value}\n{beside}\n{ending}");
            Condition::Does(cell, target, step, text)
        }
        _ => Condition::Responds(cell, target, format!("{status}\n{name}: {value}\n{beside}\n")),
    }
}

/// A learn response in another form.
fn learnt(path: &str, id: &str, how: usize) -> String {
    let (p, c, s) = (wire::PATH_MEMBER, wire::CELL_MEMBER, wire::SOURCE_MEMBER);
    let e = wire::EXACT_MEMBER;
    match how {
        0 => format!("{{ \"{p}\" : \"{path}\" , \"{c}\" : \"{id}\" , \"{s}\" : \"routable\" }}"),
        1 => {
            let escaped = path.replace('/', "\\/");
            format!("{{\"{p}\":\"{escaped}\",\"{c}\":\"{id}\",\"{s}\":\"routable\"}}")
        }
        2 => {
            let escaped = id.replace('_', "\\u005f");
            format!("{{\"{s}\":\"routable\",\"{c}\":\"{escaped}\",\"{p}\":\"{path}\"}}")
        }
        3 => format!("{{\"{p}\":\"{path}\",\"{c}\":\"{id}\",\"{s}\":\"fixed\"}}"),
        4 | 5 => {
            format!("{{\"{p}\":\"{path}\",\"{c}\":\"{id}\",\"{s}\":\"routable\",\"{e}\":false}}")
        }
        6 => format!(
            "{{\n  \"{p}\": \"{path}/\",\n  \"{c}\": \"{id}\",\n  \"{s}\": \"routable\"\n}}"
        ),
        _ => format!("{{\"{p}\":\"{path}\",\"{c}\":\"{id}\",\"{s}\":\"routable\"}}"),
    }
}

impl Story {
    pub(super) fn other_forms(&mut self, scene: &Scene, stand: &Stand) {
        let number = self.next();
        // Some names have a colon in them, like the members of a field.
        let colon = if scene.number(0, 4) == 0 { ":" } else { "" };
        let base = format!("/form{colon}-{number}");
        let cells = self.cells_from(scene, 2);
        self.place(&base, PlaceKind::Public, cells[0].clone());
        match self.world.protocol {
            Protocol::Learning => self.learn_forms(scene, stand, &base, &cells[0]),
            Protocol::Buffering => match scene.number(3, 7) {
                0..=2 => self.bounce_forms(scene, stand, &base, &cells),
                3 => self.page_like_a_learn_response(scene, stand, &cells[0]),
                _ => self.cache_forms(scene, stand, &base, &cells),
            },
        }
    }

    fn learn_forms(&mut self, scene: &Scene, stand: &Stand, base: &str, owner: &CellId) {
        // The dashboard is like any other path, whatever the source of its learn response is.
        let own = scene.number(5, 5) == 0;
        let base = if own { "/dashboard" } else { base };
        let target = if own { base.to_owned() } else { format!("{base}/page") };
        let json = *scene.pick(4, &["application/json", "application/json; charset=utf-8"]);
        let beside = *scene.pick(1, &BESIDE);
        let body = learnt(base, &self.world.id_of(owner), scene.number(3, 8));
        let text = format!("200\nContent-Type: {json}\n{beside}\n\n{body}");
        self.world.conditions.push(Condition::Teaches(target.clone(), text));
        if scene.number(0, 2) == 0 {
            self.beside_the_page(scene, owner, &target, base);
        }
        self.get(stand, &target);
        self.get(stand, &format!("{base}/other"));
        if beside.contains("max-age") {
            self.pass_time();
        }
        self.get(stand, &target);
    }

    /// The owner's page has its own fields, one of the other protocol perhaps.
    fn beside_the_page(&mut self, scene: &Scene, owner: &CellId, target: &str, base: &str) {
        let prefix = wire::cache_value(&format!("{base}/"));
        let lines = match scene.number(2, 2) {
            0 => format!("{}: {prefix}", wire::CELL_CACHE),
            _ => (*scene.pick(4, &BESIDE)).to_owned(),
        };
        self.world.conditions.push(Condition::Sets(owner.clone(), target.to_owned(), lines));
    }

    /// Other cells point to the owner, the first of them perhaps by way of another.
    fn bounce_forms(&mut self, scene: &Scene, stand: &Stand, base: &str, cells: &[CellId]) {
        let target = format!("{base}/page");
        let [owner, others @ ..] = cells else { return };
        let by_way = others.first().filter(|_| scene.number(5, 2) == 0);
        for cell in others {
            let to = by_way.filter(|way| *way != cell).unwrap_or(owner);
            let to = value("cell", &to.name(), scene.number(4, 5));
            let field = (wire::CELL_REDIRECT, &*to, scene.number(1, 4));
            let beside = *scene.pick(0, &BESIDE);
            self.world.conditions.push(says(cell, &target, "302", field, beside));
        }
        self.get(stand, &target);
        self.get(stand, &target);
        self.get(stand, &format!("{base}/other"));
    }

    /// The owner announces its prefix in another form, with another status, or with other fields.
    fn cache_forms(&mut self, scene: &Scene, stand: &Stand, base: &str, cells: &[CellId]) {
        let target = format!("{base}/page");
        let owner = &cells[0];
        let prefix = *scene.pick(4, &["/", "/", ""]);
        let announced = value("path_prefix", &format!("{base}{prefix}"), scene.number(0, 6));
        let line = format!("{}: {announced}", wire::CELL_CACHE);
        let beside = *scene.pick(1, &BESIDE);
        let condition = match scene.number(3, 5) {
            1 => {
                let lines = format!("{line}\n{beside}");
                Condition::Sets(owner.clone(), target.clone(), lines)
            }
            // A field whose name begins like that of the redirect field says nothing.
            2 => {
                let other = cells.last().unwrap_or(owner).name();
                let hint =
                    format!("{}-Hint: {}", wire::CELL_REDIRECT, wire::redirect_value(&other));
                let text = format!("302\n{line}\n{hint}\nLocation: {base}/other\n");
                Condition::Responds(Some(owner.clone()), target.clone(), text)
            }
            _ => {
                let status = scene.pick(4, &STATUSES).to_string();
                let field = (wire::CELL_CACHE, &*announced, scene.number(2, 4));
                says(owner, &target, &status, field, beside)
            }
        };
        self.world.conditions.push(condition);
        self.get(stand, &target);
        self.get(stand, &format!("{base}/other"));
        self.get(stand, &target);
    }

    /// A page that every cell serves, and that looks as if it told the owner of a path.
    fn page_like_a_learn_response(&mut self, scene: &Scene, stand: &Stand, cell: &CellId) {
        let path = format!("/said-{}", self.next());
        let body = learnt(&path, &cell.id(), scene.number(4, 8));
        let text = format!("200\nContent-Type: application/json\n\n{body}");
        self.world.conditions.push(Condition::Responds(None, path.clone(), text));
        for _ in 0..3 {
            self.get(stand, &path);
        }
    }
}
