//! The cells that are drawn.

super::wrong! {}

super::variants! {}
