//! Entries, as they are looked up.

super::wrong! {}

super::variants! {}
