//! The literal exchanges of `fixtures/wire`, held against what the fleet's cells say and against
//! what the sources spell: the folder was written from the contract, so that a word that is
//! misspelled where it stands once is found here.

mod code;
mod exchanges;
mod fixture;
mod words;
