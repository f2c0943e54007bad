//! What is remembered of what cells say.

super::wrong! {}

super::variants! {}
