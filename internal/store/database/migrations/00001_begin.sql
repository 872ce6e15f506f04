-- Both databases run this file. BIGINT and TEXT mean the same to both; SQLite keeps
-- bytes as they are in a column of a type that it does not know.

-- +goose Up
CREATE TABLE deliveries (
    id           TEXT   NOT NULL PRIMARY KEY,
    content      TEXT   NOT NULL UNIQUE,
    event        TEXT   NOT NULL,
    at           BIGINT NOT NULL,
    installation BIGINT NOT NULL,
    repo         BIGINT NOT NULL,
    subject      TEXT   NOT NULL
);
CREATE INDEX deliveries_at ON deliveries (at);

CREATE TABLE tasks (
    subject      TEXT   NOT NULL PRIMARY KEY,
    installation BIGINT NOT NULL,
    repo         BIGINT NOT NULL,
    owner        TEXT   NOT NULL,
    name         TEXT   NOT NULL,
    wanted       BIGINT NOT NULL,
    wanted_at    BIGINT NOT NULL,
    done         BIGINT NOT NULL,
    attempts     BIGINT NOT NULL,
    retry_at     BIGINT NOT NULL,
    parked       BIGINT NOT NULL,
    error        TEXT   NOT NULL,
    since        BIGINT NOT NULL
);
CREATE INDEX tasks_open ON tasks (since) WHERE wanted > done;

-- Why a task is wanted: the last of each kind of event, until it is done.
CREATE TABLE wishes (
    subject TEXT   NOT NULL REFERENCES tasks (subject),
    kind    TEXT   NOT NULL,
    n       BIGINT NOT NULL,
    cause   TEXT   NOT NULL,
    PRIMARY KEY (subject, kind)
);

CREATE TABLE sessions (
    id           TEXT   NOT NULL PRIMARY KEY,
    installation BIGINT NOT NULL,
    repo         BIGINT NOT NULL,
    owner        TEXT   NOT NULL,
    name         TEXT   NOT NULL,
    pull         BIGINT NOT NULL,
    subject      TEXT   NOT NULL,
    title        TEXT   NOT NULL,
    head         TEXT   NOT NULL,
    started      BIGINT NOT NULL,
    ended        BIGINT NOT NULL,
    outcome      TEXT   NOT NULL,
    conclusion   TEXT   NOT NULL,
    p1           BIGINT NOT NULL,
    p2           BIGINT NOT NULL,
    p3           BIGINT NOT NULL,
    micro        BIGINT NOT NULL,
    unpriced     BIGINT NOT NULL,
    calls        BIGINT NOT NULL,
    events       BIGINT NOT NULL,
    last         TEXT   NOT NULL
);
CREATE INDEX sessions_started ON sessions (started);
CREATE INDEX sessions_pull ON sessions (repo, pull, started);

-- The lines of a session's record. Line 0 is the header, line n holds event n.
CREATE TABLE lines (
    session TEXT   NOT NULL REFERENCES sessions (id),
    n       BIGINT NOT NULL,
    line    BYTEA  NOT NULL,
    PRIMARY KEY (session, n)
);

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
