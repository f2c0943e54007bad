//! The bytes of connections to cells.

super::wrong! {}

super::variants! {}
