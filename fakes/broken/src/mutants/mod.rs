//! All mutants, by what they are about.

mod across_visits;
mod admin;
mod databases;
mod ids;
mod installation;
mod moves;
mod organizations;
mod owners;
mod pages;
mod runners;
mod sessions;
mod settings;
mod sign_in;
mod sign_up;
mod visitors;

use crate::mutant::CellMutant;

pub(crate) fn all() -> Vec<CellMutant> {
    [
        owners::all(),
        sign_in::all(),
        visitors::all(),
        sign_up::all(),
        organizations::all(),
        pages::all(),
        admin::all(),
        databases::all(),
        installation::all(),
        across_visits::all(),
        ids::all(),
        runners::all(),
        settings::all(),
        sessions::all(),
        moves::all(),
    ]
    .concat()
}
