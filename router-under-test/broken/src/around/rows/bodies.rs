//! Bodies that are kept, changed, or held.

super::wrong! {}

super::variants! {}
