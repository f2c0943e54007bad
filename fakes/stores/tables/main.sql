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

CREATE TABLE merge_requests (
    id text PRIMARY KEY,
    number bigint,
    iid bigint NOT NULL,
    project_id text NOT NULL,
    author_id text NOT NULL,
    title text NOT NULL
);
CREATE INDEX index_merge_requests_on_project ON merge_requests (project_id, iid);

-- The last IID of each project: its row is the lock of those who insert.
CREATE TABLE internal_ids (
    project_id text PRIMARY KEY,
    last_value bigint NOT NULL
);

CREATE TABLE notes (
    id text PRIMARY KEY,
    number bigint,
    project_id text NOT NULL,
    merge_request_id text NOT NULL,
    author_id text NOT NULL,
    body text NOT NULL
);
CREATE INDEX index_notes_on_merge_request ON notes (merge_request_id);
CREATE INDEX index_notes_on_project ON notes (project_id);

-- The counters of a cell's own tables, from 0 on. Rows and not sequences, so that a
-- database that another fleet gets is empty of them too.
CREATE TABLE id_counters (
    table_name text PRIMARY KEY,
    next_value bigint NOT NULL
);
