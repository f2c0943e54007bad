//! Redirects within the router, as they are read.

super::wrong! {}

super::variants! {}
