-- gitlab_admin: shared by all cells (DB-03).
CREATE TABLE application_settings (
    key text PRIMARY KEY,
    value text NOT NULL
);
