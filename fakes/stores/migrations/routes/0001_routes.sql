-- gitlab_routes: shared by all cells (DB-02).
CREATE TABLE organizations (
    slug text PRIMARY KEY,
    name text NOT NULL,
    dashboard text NOT NULL,
    cell_id text NOT NULL
);

CREATE TABLE routes (
    -- Paths compare byte by byte: what is below a path is a range of this index.
    path text COLLATE "C" PRIMARY KEY,
    cell_id text NOT NULL,
    -- `namespace`, `project` or `page`.
    source_type text NOT NULL,
    source_id text,
    -- The number of a row that is older than its UUID, where it still leads to the row.
    number bigint,
    public boolean NOT NULL,
    exact boolean NOT NULL,
    learned_by_own_path boolean NOT NULL
);
CREATE INDEX index_routes_on_source ON routes (source_type, source_id);
CREATE INDEX index_routes_on_number ON routes (source_type, number);

-- Which cell has a row, where its id alone does not tell.
CREATE TABLE row_cells (
    table_name text NOT NULL,
    row_id text NOT NULL,
    cell_id text NOT NULL,
    PRIMARY KEY (table_name, row_id)
);
