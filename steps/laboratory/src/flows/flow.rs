//! The request flows of the documents, each as steps of a scenario, and the states in which they are
//! run.

use cell_fleet::{CellId, Protocol, Region};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::scenario::steps;

/// What the router knows when the flow begins.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Cache {
    Cold,
    /// Where the places of the flow are, as far as cells teach it.
    Warm,
    /// Where they were before their organization moved to another cell of its region.
    Stale,
}

/// Where the owner is.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Owner {
    /// In the region of the router.
    Home,
    /// In the other region.
    Abroad,
}

/// A state in which a flow is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct State {
    pub cache: Cache,
    pub owner: Owner,
}

impl State {
    /// All states: cold, warm, stale, each at home and abroad.
    pub fn all() -> impl Iterator<Item = Self> {
        Cache::VARIANTS.iter().flat_map(|cache| {
            Owner::VARIANTS.iter().map(|owner| Self { cache: *cache, owner: *owner })
        })
    }
}

/// A flow of the documents, in both proposals.
#[derive(Debug)]
pub(crate) struct Flow {
    /// The id of its section in `fixtures/documents.toml`, and behind a `+` which of two flows of
    /// that section it is.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The region of the cell that serves it.
    pub(crate) home: fn() -> Region,
    /// What has to be there, as Given steps.
    pub(crate) given: &'static [&'static str],
    pub(crate) steps: &'static [&'static str],
    /// The visits that teach the router, as Given steps.
    pub(crate) warm: &'static [&'static str],
    pub(crate) stale: Stale,
    /// The state in which the documents draw it, if they do, and the number of the cell that the
    /// router picks there.
    pub(crate) drawn: Option<(State, u16)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stale {
    /// The organization moves to another cell of its region.
    Moves { organization: &'static str, to: u16 },
    /// It does not, for this reason.
    Never(&'static str),
}

const MY_ORGANIZATION: Stale = Stale::Moves { organization: "my-organization", to: 1 };
const LEGACY: Stale = Stale::Never("it is fixed to Cell US0");
const PUBLIC: Stale = Stale::Never("GitLab.com Public stays on Cell US0");

const fn drawn(cache: Cache, owner: Owner, pick: u16) -> Option<(State, u16)> {
    Some((State { cache, owner }, pick))
}

/// All flows, in the order of the documents. The last but one stands in Cons 9, and the last in none:
/// it shows how much of a body the router keeps.
pub(crate) const FLOWS: &[Flow] = &[
    Flow {
        id: "project-signed-in",
        title: "A project while logged in",
        home: Region::eu,
        given: &["anna is signed in"],
        steps: &["anna visits \"/my-company/my-project\""],
        warm: &["anna visited \"/my-company/my-project\""],
        stale: MY_ORGANIZATION,
        drawn: drawn(Cache::Cold, Owner::Home, 1),
    },
    Flow {
        id: "project-signed-out",
        title: "A project while not logged in",
        home: Region::eu,
        given: &[],
        steps: &[
            "anna visits \"/my-company/my-project\"",
            "anna follows the redirect",
            "anna signs in",
            "anna follows the redirect",
        ],
        warm: &[
            "nina is signed in as anna",
            "nina visited \"/my-company/my-project\"",
            "visitor visited \"/users/sign_in\"",
        ],
        stale: MY_ORGANIZATION,
        drawn: drawn(Cache::Cold, Owner::Home, 1),
    },
    Flow {
        id: "other-project",
        title: "Another project of the namespace afterwards",
        home: Region::eu,
        given: &["anna is signed in"],
        steps: &["anna visits \"/my-company/my-other-project\""],
        warm: &["anna visited \"/my-company/my-project\""],
        stale: MY_ORGANIZATION,
        drawn: drawn(Cache::Warm, Owner::Home, 1),
    },
    Flow {
        id: "project-elsewhere",
        title: "A project of the legacy cell",
        home: Region::us,
        given: &["anna is signed in"],
        steps: &["anna visits \"/gitlab-org/gitlab\""],
        warm: &["anna visited \"/gitlab-org/gitlab\""],
        stale: PUBLIC,
        drawn: drawn(Cache::Cold, Owner::Abroad, 0),
    },
    Flow {
        id: "root",
        title: "/ as a member of an organization",
        home: Region::eu,
        given: &["anna is signed in"],
        steps: &["anna visits \"/\"", "anna follows the redirect"],
        warm: &["anna visited \"/organizations/my-organization/-/dashboard\""],
        stale: MY_ORGANIZATION,
        drawn: drawn(Cache::Warm, Owner::Home, 0),
    },
    Flow {
        id: "dashboard",
        title: "/dashboard as a member of an organization",
        home: Region::eu,
        given: &["anna is signed in"],
        steps: &["anna visits \"/dashboard\"", "anna follows the redirect"],
        warm: &[
            "anna visited \"/dashboard\"",
            "anna visited \"/organizations/my-organization/-/dashboard\"",
        ],
        stale: MY_ORGANIZATION,
        drawn: None,
    },
    Flow {
        id: "private-project",
        title: "A private project of another organization",
        home: Region::us,
        given: &["anna is signed in"],
        steps: &["anna visits \"/not-my-company/not-my-project\""],
        warm: &["nina is signed in", "nina visited \"/not-my-company/not-my-project\""],
        stale: Stale::Moves { organization: "not-my-organization", to: 0 },
        drawn: drawn(Cache::Warm, Owner::Abroad, 0),
    },
    Flow {
        id: "new-namespace",
        title: "A new namespace in an organization",
        home: Region::eu,
        given: &["anna is signed in"],
        steps: &["anna creates the group \"fresh-company\" in \"my-organization\""],
        warm: &["anna visited \"/organizations/my-organization/-/dashboard\""],
        stale: MY_ORGANIZATION,
        drawn: None,
    },
    Flow {
        id: "new-namespace+public",
        title: "A new namespace in no organization",
        home: Region::us,
        given: &["anna is signed in"],
        steps: &["anna creates the group \"fresh-company\" without choosing an organization"],
        warm: &["anna visited \"/groups/new\""],
        stale: LEGACY,
        drawn: None,
    },
    Flow {
        id: "public-project-signed-out",
        title: "A public project while not logged in",
        home: Region::us,
        given: &[],
        steps: &["visitor visits \"/gitlab-org/gitlab\""],
        warm: &["visitor visited \"/gitlab-org/gitlab\""],
        stale: PUBLIC,
        drawn: drawn(Cache::Warm, Owner::Home, 0),
    },
    Flow {
        id: "root-legacy",
        title: "/ as a legacy user",
        home: Region::us,
        given: &["gabe is signed in"],
        steps: &["gabe visits \"/\"", "gabe follows the redirect"],
        warm: &["gabe visited \"/dashboard\""],
        stale: LEGACY,
        drawn: drawn(Cache::Cold, Owner::Home, 1),
    },
    Flow {
        id: "other-project-without-access",
        title: "A private project as a legacy user",
        home: Region::eu,
        given: &["gabe is signed in"],
        steps: &["gabe visits \"/my-company/my-other-project\""],
        warm: &["anna is signed in", "anna visited \"/my-company/my-project\""],
        stale: MY_ORGANIZATION,
        drawn: None,
    },
    Flow {
        id: "non-authenticated",
        title: "/dashboard while not logged in",
        home: Region::us,
        given: &[],
        steps: &["visitor visits \"/dashboard\"", "visitor follows the redirect"],
        warm: &["visitor visited \"/dashboard\"", "visitor visited \"/users/sign_in\""],
        stale: LEGACY,
        drawn: None,
    },
    Flow {
        id: "sign-up",
        title: "A new customer signs up",
        home: Region::eu,
        given: &[],
        steps: &[
            "the new customer visits \"/users/sign_up\"",
            "the new customer signs up, joining \"my-organization\"",
        ],
        warm: &["visitor visited \"/users/sign_up\""],
        stale: Stale::Never("sign-up is fixed to a cell, or any cell does it"),
        drawn: None,
    },
    Flow {
        id: "admin-page",
        title: "The administrator loads /admin",
        home: Region::us,
        given: &["olga is signed in"],
        // Not `follows the redirect`: where it leads depends on the cell that was picked before.
        steps: &["olga visits \"/admin\"", "olga visits \"/admin/cells/cellus0\""],
        warm: &["olga visited \"/admin\"", "olga visited \"/admin/cells/cellus0\""],
        stale: Stale::Never("a page of the Admin Area names its cell"),
        drawn: None,
    },
    Flow {
        id: "cons+unknown",
        title: "A page that the latest deployment alone knows",
        home: Region::us,
        given: &[
            "anna is signed in",
            "every older cell",
            "the endpoint \"/-/just-added\" that only the latest version knows",
        ],
        steps: &["anna visits \"/-/just-added\""],
        warm: &["anna visited \"/-/just-added\""],
        stale: Stale::Never("the latest deployment stays the latest"),
        drawn: None,
    },
    Flow {
        id: UPLOAD,
        title: "An upload of 65,536 bytes",
        home: Region::eu,
        given: &["anna is signed in"],
        steps: &[
            "anna uploads 65536 bytes to \"/my-company/my-project\", the second half once a cell reads",
        ],
        warm: &["anna visited \"/my-company/my-project\""],
        stale: MY_ORGANIZATION,
        drawn: None,
    },
];

/// The flow that shows what the router keeps of a body.
pub(crate) const UPLOAD: &str = "differences+upload";
/// The flows that no cell owns: any may serve them, or the one to which learn fixes them.
const WITHOUT_OWNER: [&str; 2] = ["non-authenticated", "sign-up"];
/// The step that stands for an older version on each cell but the latest.
const EVERY_OLDER_CELL: &str = "every older cell";

impl Flow {
    pub(crate) fn section(&self) -> &'static str {
        self.id.split('+').next().unwrap_or_default()
    }

    /// The region of the cell that owns its page, if one does.
    pub(crate) fn owner(&self) -> Option<Region> {
        (!WITHOUT_OWNER.contains(&self.id)).then(self.home)
    }

    /// The region of the router in a state.
    pub(crate) fn region(&self, owner: Owner) -> Region {
        let home = (self.home)();
        match owner {
            Owner::Home => home,
            Owner::Abroad if home == Region::eu() => Region::us(),
            Owner::Abroad => Region::eu(),
        }
    }

    /// Why there is no such state, if there is none.
    pub(crate) fn never(&self, state: State) -> Option<&'static str> {
        match (state.cache, self.stale) {
            (Cache::Stale, Stale::Never(why)) => Some(why),
            _ => None,
        }
    }

    /// The cell that the router picks in the drawing of this state, where the documents draw it.
    pub(crate) fn drawn_pick(&self, state: State) -> Option<CellId> {
        let (_, pick) = self.drawn.filter(|(drawn, _)| *drawn == state)?;
        Some(CellId::new(self.region(state.owner), pick))
    }

    /// The feature file of a run; `cells` is how many cells each region has.
    pub(crate) fn feature(&self, protocol: Protocol, state: State, cells: u16) -> String {
        let region = self.region(state.owner);
        let mut given = Vec::new();
        if cells == 3 {
            given.extend(
                ["eu", "us"].map(|region| format!("cell_{region}2 is also in the topology")),
            );
        }
        for step in self.given {
            if *step == EVERY_OLDER_CELL {
                given.extend(older(cells).map(|cell| format!("{cell} runs an older version")));
            } else {
                given.push((*step).to_owned());
            }
        }
        given.push(format!("a cold {} router", region.as_str().to_uppercase()));
        if state.cache != Cache::Cold {
            given.extend(self.warm.iter().map(|step| (*step).to_owned()));
        }
        let mut when = Vec::new();
        if let (Cache::Stale, Stale::Moves { organization, to }) = (state.cache, self.stale) {
            let to = CellId::new((self.home)(), to);
            when.push(format!("the organization \"{organization}\" moves to {to}"));
        }
        when.extend(self.steps.iter().map(|step| (*step).to_owned()));
        let text = format!(
            "Feature: Costs of the flows\n\n  @{} @req:RT-08\n  Scenario: one run of a flow\n",
            protocol.as_str()
        );
        let then = vec!["every user got a cell's response unchanged (RT-08)".to_owned()];
        text + &steps(&[("Given", given), ("When", when), ("Then", then)])
    }
}

fn older(cells: u16) -> impl Iterator<Item = CellId> {
    let all = (0..cells).flat_map(|number| [CellId::us(number), CellId::eu(number)]);
    all.filter(|cell| *cell != CellId::us(0))
}
