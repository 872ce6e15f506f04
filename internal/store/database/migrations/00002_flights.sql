-- +goose Up
-- Calls of models that were begun, with what they may cost, until the record of their
-- session holds what came of them. After a crash it is only here that they stand.
CREATE TABLE flights (
    session  TEXT   NOT NULL,
    ask      TEXT   NOT NULL,
    provider TEXT   NOT NULL,
    model    TEXT   NOT NULL,
    calls    BIGINT NOT NULL,
    micro    BIGINT NOT NULL,
    unpriced BIGINT NOT NULL,
    PRIMARY KEY (session, ask)
);
