-- gitlab_admin: shared by all cells (DB-03).
CREATE TABLE application_settings (
    key text PRIMARY KEY,
    value text NOT NULL
);

-- Settings that differ between cells, a row for each setting of a cell.
CREATE TABLE per_cell_application_settings (
    cell_id text NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (cell_id, key)
);
