//! What happens before the router runs, and routers that do not route.

super::wrong! {}

super::variants! {}
