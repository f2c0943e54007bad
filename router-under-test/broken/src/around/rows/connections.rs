//! Connections, and what a request holds of them.

super::wrong! {}

super::variants! {}
