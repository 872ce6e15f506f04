package database

import "context"

// Beat records a server's heartbeat. Now is Unix ms.
func (db *DB) Beat(ctx context.Context, node string, now int64) error {
	if !isName(node) {
		return nameError("name of the server")
	}
	return db.conns.change(ctx, "say that the server "+node+" lives",
		`INSERT INTO nodes (node, beat) VALUES (?, ?) ON CONFLICT (node) DO UPDATE SET beat = excluded.beat`, node, now)
}

// DeadNodes returns the servers without a heartbeat since a time (Unix ms), sorted.
func (db *DB) DeadNodes(ctx context.Context, before int64) ([]string, error) {
	return db.nodes(ctx, "find dead servers", `beat < ?`, before)
}

// LiveNodes returns the servers with a heartbeat since a time (Unix ms), sorted.
func (db *DB) LiveNodes(ctx context.Context, since int64) ([]string, error) {
	return db.nodes(ctx, "find servers at work", `beat >= ?`, since)
}

func (db *DB) nodes(ctx context.Context, doing, which string, at int64) ([]string, error) {
	return list(ctx, db.conns, doing, func(node *string) []any { return []any{node} },
		`SELECT node FROM nodes WHERE `+which+` ORDER BY node LIMIT ?`, at, maxLimit)
}

// ForgetNode forgets a server.
func (db *DB) ForgetNode(ctx context.Context, node string) error {
	return db.conns.change(ctx, "forget the server "+node, `DELETE FROM nodes WHERE node = ?`, node)
}
