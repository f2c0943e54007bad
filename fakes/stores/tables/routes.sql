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

-- What hands out ids to all cells, and who got them (*Cells: Database Sequences* 3.3).
-- The counter of a table: its row is the lock of the cells that draw.
CREATE TABLE id_counters (
    table_name text PRIMARY KEY,
    next_id bigint NOT NULL
);

-- The record of ranges. No two ranges of a table begin alike.
CREATE TABLE id_ranges (
    table_name text NOT NULL,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    cell_id text NOT NULL,
    PRIMARY KEY (table_name, first_id)
);
