-- gitlab_users: shared by all cells (DB-01).
-- Ids are text: the plan of a fleet chooses whether they are numbers or UUIDs.
CREATE TABLE users (
    username text PRIMARY KEY,
    id text NOT NULL,
    password text NOT NULL,
    -- The slug; NULL is `GitLab.com Public`.
    default_organization text,
    admin boolean NOT NULL,
    status text NOT NULL
);

CREATE TABLE personal_access_tokens (
    token text PRIMARY KEY,
    username text NOT NULL
);
