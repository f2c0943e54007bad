-- gitlab_main: each cell has its own (DB-04).
-- There are no foreign keys between ids: a broken cell that does not rewrite them when rows move
-- must be found by the suite, not by the database.
CREATE TABLE namespaces (
    path text COLLATE "C" PRIMARY KEY,
    id text NOT NULL,
    number bigint,
    name text NOT NULL,
    organization text,
    visibility text NOT NULL,
    members text[] NOT NULL
);

CREATE TABLE projects (
    path text COLLATE "C" PRIMARY KEY,
    id text NOT NULL,
    number bigint,
    title text NOT NULL,
    heading text NOT NULL,
    organization text,
    visibility text NOT NULL,
    members text[] NOT NULL
);
CREATE INDEX index_projects_on_id ON projects (id);

-- The open work of a user in a project.
CREATE TABLE todos (
    project_path text COLLATE "C" NOT NULL
        REFERENCES projects (path) ON UPDATE CASCADE ON DELETE CASCADE,
    username text NOT NULL,
    todos bigint NOT NULL,
    issues bigint NOT NULL,
    merge_requests bigint NOT NULL,
    PRIMARY KEY (project_path, username)
);
CREATE INDEX index_todos_on_username ON todos (username);
