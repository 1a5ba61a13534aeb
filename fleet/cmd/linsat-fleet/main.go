// Command linsat-fleet checks many histories on many machines, with a queue of NATS JetStream:
// linsat work and linsat submit call it. docs/ci.md describes the use.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/linsat/linsat/fleet"
	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/words"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
)

// Exit codes, those of linsat.
const (
	exitLinearizable = 0
	exitViolation    = 1
	exitUsage        = 2
	exitUnknown      = 3
	exitDisagrees    = 4
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		escape.Fprintf(os.Stderr, "linsat: %s\n", err)
	}
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (code int, err error) {
	root := &cobra.Command{Use: "linsat-fleet", Short: "check many histories on many machines", SilenceErrors: true,
		SilenceUsage: true}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.AddCommand(serveCommand(), workCommand(), submitCommand(&code))
	if err := root.ExecuteContext(ctx); err != nil {
		return exitUsage, err
	}
	return code, nil
}

func serveCommand() *cobra.Command {
	o := fleet.ServerOptions{}
	var tokenFile, cert, key string
	c := &cobra.Command{
		Use:   "serve",
		Short: "run a server of NATS with JetStream",
		Long: `Runs a server of NATS with JetStream in this process until it is interrupted. Three of them with --cluster and --routes keep the queue although one fails.

Where other machines reach it (--host), clients need a token. It is that of --token-file or of the variable ` +
			fleet.TokenVariable + `, or else one
that is made, in the file "token" of --dir.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			said, err := protect(&o, tokenFile, cert, key)
			if err != nil {
				return err
			}
			s, err := fleet.Serve(o)
			if err != nil {
				return err
			}
			escape.Fprintf(c.ErrOrStderr(), "linsat: serving %s%s\n", s.ClientURL(), said)
			<-c.Context().Done()
			s.Shutdown()
			s.WaitForShutdown()
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&o.Name, "name", "linsat", "name of this server, of its own in a cluster")
	f.StringVar(&o.Host, "host", "127.0.0.1", "address to listen at")
	f.IntVar(&o.Port, "port", 4222, "port of the clients")
	f.StringVar(&o.Dir, "dir", "linsat-fleet", "directory of the data")
	f.StringVar(&o.Cluster, "cluster", "", "name of the cluster that this server belongs to")
	f.IntVar(&o.RoutePort, "route-port", 6222, "port of the other servers of the cluster")
	f.StringSliceVar(&o.Routes, "routes", nil, "the other servers: nats://host:port")
	f.StringVar(&tokenFile, "token-file", "", "file with the token that clients, and the other servers, need")
	f.BoolVar(&o.Open, "open", false,
		"need no token although other machines reach the server: whoever does can read and write the queue")
	f.StringVar(&cert, "tls-cert", "",
		"certificate of this server, PEM; with --tls-key connections of clients are encrypted")
	f.StringVar(&key, "tls-key", "", "its key, PEM")
	return c
}

// protect sets the token of a server and its encryption, and returns what to say of them.
func protect(o *fleet.ServerOptions, tokenFile, cert, key string) (said string, err error) {
	if (cert == "") != (key == "") {
		return "", errors.New("--tls-cert and --tls-key belong together")
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return "", err
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	if o.Token, err = tokenOf(tokenFile); err != nil || o.Token != "" || o.Open || fleet.Loopback(o.Host) {
		return "", err
	}
	if o.Cluster != "" {
		return "",
			errors.New(
				"the servers of a cluster share a token: write one into a file and give it to each with --token-file")
	}
	o.Token, tokenFile, err = fleet.OwnToken(o.Dir)
	return "; clients need --token-file with a copy of " + tokenFile, err
}

// tokenOf returns the token of a file, or else that of the environment.
func tokenOf(file string) (string, error) {
	if file == "" {
		return os.Getenv(fleet.TokenVariable), nil
	}
	return fleet.ReadToken(file)
}

// address is how a server is reached.
type address struct {
	url, tokenFile, ca string
	replicas           int
}

// flags adds the flags of an address.
func (a *address) flags(c *cobra.Command, url, usage string) {
	f := c.Flags()
	f.StringVar(&a.url, "server", url, usage)
	f.StringVar(&a.tokenFile, "token-file", "", "file with the token of the servers; by default that of "+
		fleet.TokenVariable)
	f.StringVar(&a.ca, "tls-ca", "",
		"certificates, PEM, of who signed those of the servers; by default the system's, for addresses tls://")
	f.IntVar(&a.replicas, "replicas", 1, "copies of the queue in a cluster: 1, 3 or 5")
}

// workerFlags are the flags of what checks histories.
func workerFlags(c *cobra.Command, w *fleet.Worker) {
	f := c.Flags()
	f.StringVar(&w.Program, "linsat", "", "the program linsat; by default beside this one, or on the PATH")
	f.IntVar(&w.Slots, "slots", runtime.NumCPU(), "histories at a time")
	f.DurationVar(&w.AckWait, "ack-wait", 30*time.Second,
		"a history is given to another worker when one has been silent for so long")
	f.IntVar(&w.Attempts, "attempts", 3, "how often a history is tried until it is set aside")
	w.Log = func(format string, args ...any) { escape.Fprintf(c.ErrOrStderr(), "linsat: "+format+"\n", args...) }
}

// findLinsat looks for linsat beside this program, and on the PATH.
func findLinsat(w *fleet.Worker) error {
	if w.Program != "" {
		return nil
	}
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), "linsat"); exists(beside) {
			w.Program = beside
			return nil
		}
	}
	program, err := exec.LookPath("linsat")
	if err != nil {
		return errors.New("the program linsat is neither beside linsat-fleet nor on the PATH; name it with --linsat")
	}
	w.Program = program
	return nil
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

// connect connects to a server and makes the streams.
func connect(ctx context.Context, a address) (*nats.Conn, jetstream.JetStream, error) {
	options := []nats.Option{nats.Name("linsat"), nats.MaxReconnects(-1)}
	token, err := tokenOf(a.tokenFile)
	if err != nil {
		return nil, nil, err
	}
	if token != "" {
		options = append(options, nats.Token(token))
	}
	if a.ca != "" {
		options = append(options, nats.RootCAs(a.ca))
	}
	conn, err := nats.Connect(a.url, options...)
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return nil, nil, fmt.Errorf("the server at %s needs another token (--token-file, or %s)", a.url,
			fleet.TokenVariable)
	case err != nil:
		return nil, nil, fmt.Errorf("no server at %s: %w (linsat-fleet serve starts one)", a.url, err)
	}
	js, err := jetstream.New(conn)
	if err == nil {
		err = fleet.Setup(ctx, js, a.replicas)
	}
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, js, nil
}

func workCommand() *cobra.Command {
	var w fleet.Worker
	var a address
	c := &cobra.Command{
		Use:   "work",
		Short: "take histories from the queue and check them",
		Long: `Takes histories from the queue and has each checked by a process of linsat, until it is interrupted or, with --drain, nothing is left. A
worker that dies loses nothing: what it was at is given to another one. A history whose process gives no answer is tried again, and
set aside with the cause after --attempts.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := findLinsat(&w); err != nil {
				return err
			}
			conn, js, err := connect(c.Context(), a)
			if err != nil {
				return err
			}
			defer conn.Close()
			return w.Work(c.Context(), js)
		},
	}
	workerFlags(c, &w)
	a.flags(c, nats.DefaultURL, "servers of NATS, separated by commas")
	c.Flags().BoolVar(&w.Drain, "drain", false, "end when nothing is left in the queue")
	return c
}

func submitCommand(code *int) *cobra.Command {
	var w fleet.Worker
	var a address
	var format string
	var retry, detach bool
	c := &cobra.Command{
		Use:   "submit FILE... [-- FLAGS of linsat solve]",
		Short: "queue histories and gather the answers",
		Long: `Queues histories, or those of directories, with the flags of linsat solve that follow --, and reports the answers as they come. The same
history with the same flags is checked once, however often and from wherever it is submitted. The flags name no file: other machines
follow them. A specification in a file (--spec) travels with the histories.

Without --server it starts a server and workers of its own, so one machine alone is a fleet as well.

Exit code: as linsat solve.`,
		Example: `  linsat submit --server nats://queue:4222 histories -- --timeout 60s
  linsat submit --server nats://queue:4222 --format json histories > rows.jsonl`,
		RunE: func(c *cobra.Command, args []string) error {
			var question []string
			if at := c.ArgsLenAtDash(); at >= 0 {
				args, question = args[:at], args[at:]
			}
			if len(args) == 0 {
				return errors.New("submit needs a file")
			}
			ctx, stop := context.WithCancel(c.Context())
			defer stop()
			if a.url == "" {
				if detach {
					return errors.New("--detach needs --server: a server of its own ends with submit")
				}
				end, own, err := alone(ctx, &w)
				if err != nil {
					return err
				}
				defer end()
				a = address{url: own, replicas: 1}
			}
			conn, js, err := connect(ctx, a)
			if err != nil {
				return err
			}
			defer conn.Close()
			if w.Program != "" { // alone
				done := make(chan error, 1)
				go func() { done <- w.Work(ctx, js) }()
				defer func() { stop(); <-done }()
			}
			var files []string
			for _, arg := range args {
				more, err := history.Files(arg, nil)
				if err != nil {
					return err
				}
				files = append(files, more...)
			}
			tickets, err := fleet.Submit(ctx, js, files, question, retry)
			if err != nil {
				return err
			}
			queued := 0
			for _, t := range tickets {
				if t.Queued {
					queued++
				}
			}
			escape.Fprintf(c.ErrOrStderr(), "linsat: %d histories, %d of them queued now\n", len(tickets), queued)
			if detach {
				return nil
			}
			*code, err = report(ctx, c, js, tickets, format)
			return err
		},
	}
	workerFlags(c, &w)
	a.flags(c, "", "servers of NATS, separated by commas; by default one in this process, with workers")
	f := c.Flags()
	f.StringVar(&format, "format", "text", "text (one line a history), json, tsv, junit, sarif or github")
	f.BoolVar(&retry, "retry", false, "try again what was set aside")
	f.BoolVar(&detach, "detach", false, "do not wait for the answers; the same command without it gathers them")
	return c
}

// alone starts a server in this process, and finds linsat for its workers.
func alone(ctx context.Context, w *fleet.Worker) (end func(), url string, err error) {
	if err := findLinsat(w); err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp("", "linsat-fleet-")
	if err != nil {
		return nil, "", err
	}
	s, err := fleet.Serve(fleet.ServerOptions{Name: "alone", Host: "127.0.0.1", Port: -1, Dir: dir})
	if err != nil {
		return nil, "", errors.Join(err, os.RemoveAll(dir))
	}
	return func() {
		s.Shutdown()
		s.WaitForShutdown()
		_ = os.RemoveAll(dir)
	}, s.ClientURL(), nil
}

// report writes the answers as they come, and returns the exit code.
func report(ctx context.Context, c *cobra.Command, js jetstream.JetStream, tickets []fleet.Ticket,
	format string) (int, error) {
	r, err := render.NewReport(format, c.OutOrStdout(), words.Style{}, "")
	if err != nil {
		return exitUsage, err
	}
	var tally render.Tally
	worst := exitLinearizable
	if err := fleet.Collect(ctx, js, tickets, func(o *render.Object) error {
		tally.Add(o)
		if code := exitOf(o); gravity(code) > gravity(worst) {
			worst = code
		}
		return r.Add(o)
	}); err != nil {
		return exitUsage, err
	}
	if err := r.Close(); err != nil {
		return exitUsage, err
	}
	escape.Fprintf(c.ErrOrStderr(), "linsat: %s\n", tally.String())
	return worst, nil
}

// exitOf is the exit code of an answer, and gravity its place among several, as of linsat solve.
func exitOf(o *render.Object) int {
	switch o.Verdict {
	case engine.Linearizable.String():
		if o.Vacuous {
			return exitUnknown
		}
		return exitLinearizable
	case engine.NotLinearizable.String():
		return exitViolation
	case engine.Unknown.String():
		return exitUnknown
	case render.Disagreement:
		return exitDisagrees
	}
	return exitUsage
}

func gravity(code int) int {
	return [...]int{exitLinearizable: 0, exitUnknown: 1, exitViolation: 2, exitUsage: 3, exitDisagrees: 4}[code]
}
