//! Requests to cells.

super::wrong! {}

super::variants! {}
