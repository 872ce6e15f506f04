package database

import "context"

// Beat says that a server lives. Now is Unix ms.
func (db *DB) Beat(ctx context.Context, node string, now int64) error {
	if !isName(node) {
		return &NameError{What: "name of the server"}
	}
	return db.change(ctx, "say that the server "+node+" lives",
		`INSERT INTO nodes (node, beat) VALUES (?, ?) ON CONFLICT (node) DO UPDATE SET beat = excluded.beat`, node, now)
}

// DeadNodes returns the servers that have said nothing since a time (Unix ms), sorted.
func (db *DB) DeadNodes(ctx context.Context, before int64) ([]string, error) {
	return db.nodes(ctx, "find dead servers", `beat < ?`, before)
}

// LiveNodes returns the servers that have said something since a time (Unix ms), sorted.
func (db *DB) LiveNodes(ctx context.Context, since int64) ([]string, error) {
	return db.nodes(ctx, "find servers at work", `beat >= ?`, since)
}

func (db *DB) nodes(ctx context.Context, doing, which string, at int64) (nodes []string, err error) {
	err = db.read(ctx, doing, func(ctx context.Context, s statements) error {
		nodes = nil
		return s.each(ctx, func(scan func(into ...any) error) error {
			var node string
			err := scan(&node)
			nodes = append(nodes, node)
			return err
		}, `SELECT node FROM nodes WHERE `+which+` ORDER BY node LIMIT ?`, at, maxLimit)
	})
	return nodes, err
}

// ForgetNode forgets a server.
func (db *DB) ForgetNode(ctx context.Context, node string) error {
	return db.change(ctx, "forget the server "+node, `DELETE FROM nodes WHERE node = ?`, node)
}
