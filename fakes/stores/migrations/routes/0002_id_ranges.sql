-- gitlab_routes: what hands out ids to all cells, and who got them (*Cells: Database Sequences* 3.3).
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
