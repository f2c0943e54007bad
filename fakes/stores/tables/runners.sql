-- Where the plan shares runners, gitlab_runners, which all cells share; otherwise gitlab_ci of each
-- cell.
CREATE TABLE ci_runners (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token text NOT NULL UNIQUE,
    -- `instance`, `group` or `project`, and the path of the latter two.
    scope_type text NOT NULL,
    scope_path text NOT NULL
);

-- The queue: jobs in the order of their ids.
CREATE TABLE ci_pending_builds (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_path text COLLATE "C" NOT NULL,
    project_id text NOT NULL,
    -- `pending`, `given` or `done`.
    status text NOT NULL DEFAULT 'pending',
    -- The lease of a given job: the runner, the token by which it speaks of the job, and when the
    -- lease ends, in milliseconds since 1970 by the clock of the fleet.
    runner_id bigint,
    token text,
    leased_until bigint
);
CREATE INDEX index_ci_pending_builds_on_id_unless_done ON ci_pending_builds (id)
    WHERE status <> 'done';
CREATE INDEX index_ci_pending_builds_on_project ON ci_pending_builds (project_id);
