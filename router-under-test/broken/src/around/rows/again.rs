//! Requests that are sent again, or are not.

super::wrong! {}

super::variants! {}
