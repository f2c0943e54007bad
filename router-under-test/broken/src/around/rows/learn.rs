//! Learn responses, as they are read.

super::wrong! {}

super::variants! {}
