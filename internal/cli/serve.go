package cli

import "time"

type serveCmd struct {
	databaseFlag
	ServeFlags
}

// ServeFlags say how a server runs.
type ServeFlags struct {
	Listen      string        `default:":8080" placeholder:"ADDR" help:"Where GitHub's deliveries arrive, at /webhook. The default is :8080."`
	AdminListen string        `default:"127.0.0.1:8081" placeholder:"ADDR" help:"Where the dashboard, the metrics and the health of the server are. The default is 127.0.0.1:8081."`
	Accounts    string        `placeholder:"FILE" help:"Who may have models asked, with whose keys, for how much a month. Without it everybody who installs the App may."`
	Workers     int           `default:"4" placeholder:"N" help:"How many pull requests are reviewed at once. The default is 4."`
	Node        string        `placeholder:"NAME" help:"Name of this server among those that share a database. The default is that of the machine."`
	Setup       bool          `help:"Make a GitHub App with the browser of this machine, and end."`
	PublicURL   string        `name:"public-url" placeholder:"URL" help:"With --setup: where GitHub can reach this server, such as https://debate.example.com/webhook."`
	Owner       string        `placeholder:"NAME" help:"With --setup: the organisation that is to own the App."`
	EnvFile     string        `placeholder:"FILE" help:"Settings that --setup wrote: NAME=VALUE lines, read as if the environment held them."`
	Poll        bool          `help:"Read what GitHub delivered instead of being called: for a server that GitHub cannot reach."`
	MigrateOnly bool          `help:"Bring the database up to date and end."`
	Drain       time.Duration `default:"30s" placeholder:"TIME" help:"How long running reviews may go on once the server is told to stop, 30s by default. What is left goes on at the next start."`
	KeepDays    int           `default:"90" placeholder:"N" help:"For how many days records and deliveries are kept. The default is 90."`
	ProxyHeader string        `placeholder:"NAME" help:"Header in which a reverse proxy names who signed in, such as X-Forwarded-User. Then the dashboard may be reached from elsewhere, through that proxy alone."`
	ProxyFrom   []string      `placeholder:"CIDR" help:"Addresses of that proxy, such as 10.0.0.5/32."`
	Log         string        `enum:"text,json" default:"text" help:"How the log is written: text or json."`
}

// Help shows how the command is used.
func (c *serveCmd) Help() string {
	return `Examples:
  debate serve --setup --public-url https://debate.example.com/webhook
  debate serve --env-file app.env
  debate serve --env-file app.env --poll     behind a firewall`
}

// Run serves until it is told to stop.
func (c *serveCmd) Run(r *run) error {
	if r.Server == nil {
		return r.handOver()
	}
	if c.Setup {
		return r.Server.Setup(r, c.ServeFlags)
	}
	if err := r.withFile(c.EnvFile); err != nil {
		return err
	}
	if !c.MigrateOnly {
		if _, err := r.operatorConfig(); err != nil { // else every review would fail because of it
			return err
		}
	}
	return r.Server.Serve(r, c.ServeFlags, r.databaseAt(c.Database))
}
