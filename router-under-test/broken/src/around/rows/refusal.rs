//! Refusals, and requests that should be refused.

super::wrong! {}

super::variants! {}
