-- gitlab_ci: each cell has its own (DB-04). A row for each pipeline.
CREATE TABLE pipelines (
    project_id text NOT NULL,
    iid bigint NOT NULL,
    PRIMARY KEY (project_id, iid)
);
