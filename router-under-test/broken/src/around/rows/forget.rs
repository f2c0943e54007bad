//! Entries that go, or stay.

super::wrong! {}

super::variants! {}
