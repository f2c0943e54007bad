-- gitlab_main: the counters of a cell's own tables, from 0 on. Rows and not sequences, so that a
-- database that another fleet gets is empty of them too.
CREATE TABLE id_counters (
    table_name text PRIMARY KEY,
    next_value bigint NOT NULL
);
