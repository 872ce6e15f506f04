package database

import "context"

// Beat records a server's heartbeat. Now is Unix ms.
func (db *DB) Beat(ctx context.Context, node string, now int64) error {
	if !isName(node) {
		return &NameError{What: "name of the server"}
	}
	return db.conns.change(ctx, "say that the server "+node+" lives",
		`INSERT INTO nodes (node, beat) VALUES (?, ?) ON CONFLICT (node) DO UPDATE SET beat = excluded.beat`, node, now)
}

// DeadNodes returns the servers without a heartbeat since a time (Unix ms), sorted.
func (db *DB) DeadNodes(ctx context.Context, before int64) (nodes []string, err error) {
	err = db.conns.read(ctx, "find dead servers", func(ctx context.Context, s statements) (err error) {
		nodes, err = s.nodes(ctx, `beat < ?`, before)
		return err
	})
	return nodes, err
}

// LiveNodes returns the servers with a heartbeat since a time (Unix ms), sorted.
func (db *DB) LiveNodes(ctx context.Context, since int64) (nodes []string, err error) {
	err = db.conns.read(ctx, "find servers at work", func(ctx context.Context, s statements) (err error) {
		nodes, err = s.nodes(ctx, `beat >= ?`, since)
		return err
	})
	return nodes, err
}

func (s statements) nodes(ctx context.Context, which string, at int64) (nodes []string, err error) {
	err = s.each(ctx, func(scan func(into ...any) error) error {
		var node string
		err := scan(&node)
		nodes = append(nodes, node)
		return err
	}, `SELECT node FROM nodes WHERE `+which+` ORDER BY node LIMIT ?`, at, maxLimit)
	return nodes, err
}

// ForgetNode forgets a server.
func (db *DB) ForgetNode(ctx context.Context, node string) error {
	return db.conns.change(ctx, "forget the server "+node, `DELETE FROM nodes WHERE node = ?`, node)
}
