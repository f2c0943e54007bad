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
