//! The literal messages of `fixtures/wire`, compared with the messages of the fleet's cells and
//! with the names in the sources. The folder was written from the contract. So these tests find a
//! name that is misspelled in the one place that defines it.

mod exchanges;
mod fixture;
