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
    reserved     BIGINT NOT NULL DEFAULT 0, -- what it may still cost, until it ends
    events       BIGINT NOT NULL,
    last         TEXT   NOT NULL
);
CREATE INDEX sessions_started ON sessions (started);
CREATE INDEX sessions_ended ON sessions (ended, started);
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

-- The decisions that wait, or waited, for a person.
CREATE TABLE items (
    repo         BIGINT NOT NULL,
    pull         BIGINT NOT NULL,
    decision     TEXT   NOT NULL,
    installation BIGINT NOT NULL,
    owner        TEXT   NOT NULL,
    name         TEXT   NOT NULL,
    question     TEXT   NOT NULL,
    url          TEXT   NOT NULL,
    head         TEXT   NOT NULL,
    asked_at     BIGINT NOT NULL,
    closed_at    BIGINT NOT NULL,
    outcome      TEXT   NOT NULL,
    decided_by   TEXT   NOT NULL,
    PRIMARY KEY (repo, pull, decision)
);
CREATE INDEX items_open ON items (asked_at) WHERE closed_at = 0;

CREATE TABLE spend (
    session       TEXT   NOT NULL,
    model         TEXT   NOT NULL,
    provider      TEXT   NOT NULL,
    installation  BIGINT NOT NULL,
    repo          BIGINT NOT NULL,
    owner         TEXT   NOT NULL,
    name          TEXT   NOT NULL,
    pull          BIGINT NOT NULL,
    calls         BIGINT NOT NULL,
    tokens_in     BIGINT NOT NULL,
    tokens_cached BIGINT NOT NULL,
    tokens_out    BIGINT NOT NULL,
    micro         BIGINT NOT NULL,
    unpriced      BIGINT NOT NULL,
    at            BIGINT NOT NULL,
    PRIMARY KEY (session, model)
);
CREATE INDEX spend_at ON spend (at);

-- What is left of spend whose session was forgotten: one row a month, with the last
-- moment of the month as its time.
CREATE TABLE months (
    at            BIGINT NOT NULL,
    installation  BIGINT NOT NULL,
    repo          BIGINT NOT NULL,
    model         TEXT   NOT NULL,
    provider      TEXT   NOT NULL,
    owner         TEXT   NOT NULL,
    name          TEXT   NOT NULL,
    calls         BIGINT NOT NULL,
    tokens_in     BIGINT NOT NULL,
    tokens_cached BIGINT NOT NULL,
    tokens_out    BIGINT NOT NULL,
    micro         BIGINT NOT NULL,
    unpriced      BIGINT NOT NULL,
    PRIMARY KEY (at, installation, repo, model, provider)
);

CREATE VIEW spent AS
    SELECT at, installation, repo, owner, name, pull, model, provider, calls, tokens_in, tokens_cached, tokens_out, micro, unpriced FROM spend
    UNION ALL
    SELECT at, installation, repo, owner, name, 0, model, provider, calls, tokens_in, tokens_cached, tokens_out, micro, unpriced FROM months;

CREATE TABLE installations (
    id          BIGINT NOT NULL PRIMARY KEY,
    account     TEXT   NOT NULL,
    suspended   BIGINT NOT NULL,
    permissions TEXT   NOT NULL,
    events      TEXT   NOT NULL
);

CREATE TABLE repositories (
    id           BIGINT NOT NULL PRIMARY KEY,
    installation BIGINT NOT NULL,
    owner        TEXT   NOT NULL,
    name         TEXT   NOT NULL
);
CREATE INDEX repositories_installation ON repositories (installation);

CREATE TABLE nodes (
    node TEXT   NOT NULL PRIMARY KEY,
    beat BIGINT NOT NULL
);
