//! Sessions as keys: `session:<session>` has the name of its user, and `sessions_of:<user>` the set
//! of a user's sessions, as GitLab has a set to look them up by.

use ::redis::Cmd;

/// `0` where there is such a session already.
const ADD: &str = "
if not redis.call('SET', KEYS[1], ARGV[1], 'NX') then return 0 end
redis.call('SADD', 'sessions_of:' .. ARGV[1], ARGV[2])
return 1";
const END: &str = "
local user = redis.call('GET', KEYS[1])
if user then
    redis.call('DEL', KEYS[1])
    redis.call('SREM', 'sessions_of:' .. user, ARGV[1])
end";
const END_OTHERS: &str = "
for _, session in ipairs(redis.call('SMEMBERS', KEYS[1])) do
    if session ~= ARGV[1] then
        redis.call('DEL', 'session:' .. session)
        redis.call('SREM', KEYS[1], session)
    end
end";

/// Adds a session. The response is whether there was none with this name.
pub(super) fn add(session: &str, user: &str) -> Cmd {
    let mut command = script(ADD, &session_key(session));
    command.arg(user).arg(session);
    command
}

pub(super) fn end(session: &str) -> Cmd {
    let mut command = script(END, &session_key(session));
    command.arg(session);
    command
}

/// Ends all sessions of a user except one. No session has an empty name.
pub(super) fn end_others(user: &str, keep: Option<&str>) -> Cmd {
    let mut command = script(END_OTHERS, &format!("sessions_of:{user}"));
    command.arg(keep.unwrap_or_default());
    command
}

/// The name of a session's user.
pub(super) fn user_of(session: &str) -> Cmd {
    let mut command = ::redis::cmd("GET");
    command.arg(session_key(session));
    command
}

/// A script runs as one write, as the replicas get it too.
pub(super) fn script(text: &str, key: &str) -> Cmd {
    let mut command = ::redis::cmd("EVAL");
    command.arg(text).arg(1).arg(key);
    command
}

fn session_key(session: &str) -> String {
    format!("session:{session}")
}
