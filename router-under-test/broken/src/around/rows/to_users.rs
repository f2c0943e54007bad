//! The bytes of connections of users.

super::wrong! {}

super::variants! {}
