//! Pre-flights, as they are asked.

super::wrong! {}

super::variants! {}
