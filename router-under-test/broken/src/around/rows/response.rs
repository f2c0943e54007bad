//! Responses to users.

super::wrong! {}

super::variants! {}
