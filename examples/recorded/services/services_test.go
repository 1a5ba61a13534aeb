package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
)

// The test's program is the client's program, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-client" {
		main()
		return
	}
	os.Exit(m.Run())
}

// What each object does is recorded and decided; what is linearizable by its documentation is.
func TestRecordings(t *testing.T) {
	for _, x := range []struct {
		options
		program      string // that has to be installed
		linearizable bool   // it must be; otherwise it may be
	}{
		{options{Object: "sync.Map", Operations: 2000}, "", true},
		{options{Object: "channel", Operations: 2000}, "", true},
		{options{Object: "bbolt", Operations: 500, KillClients: 5}, "", true},
		{options{Object: "redis", Operations: 1000, KillClients: 10, KillServers: 2}, "redis-server", true},
		{options{Object: "redis-default", Operations: 1000, KillClients: 10, KillServers: 2}, "redis-server", false},
		{options{Object: "redis-replica", Operations: 500, KillClients: 10}, "redis-server", false},
		{options{Object: "etcd", Operations: 600, KillClients: 10, KillServers: 2}, "etcd", true},
		{options{Object: "etcd-serializable", Operations: 600, KillClients: 10, KillServers: 2}, "etcd", false},
	} {
		t.Run(x.Object, func(t *testing.T) {
			if x.program != "" {
				if _, err := exec.LookPath(x.program); err != nil {
					testenv.Missing(t, testenv.Servers, err)
				}
			}
			x.Clients, x.Keys, x.Seed = 5, 2, 1
			h, err := record(x.options)
			if err != nil {
				t.Fatal(err)
			}
			unknown := 0
			for _, o := range h.Ops {
				if o.Return == history.Never {
					unknown++
				}
			}
			if (unknown > 0) != (x.KillClients > 0) {
				t.Errorf("%d operations have unknown outcomes, and %d clients were killed", unknown, x.KillClients)
			}
			if len(h.Ops) < x.Operations/4 {
				t.Errorf("only %d of %d operations were carried out", len(h.Ops), x.Operations)
			}
			r, err := linsat.Check(context.Background(), spec.MustLookup(h.Spec), h)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == linsat.Unknown || x.linearizable && r.Verdict != linsat.Linearizable {
				t.Errorf("%v %v", r.Verdict, r.Cause)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []options{
		{Object: "stack", Clients: 1, Operations: 1, Keys: 1},
		{Object: "channel", Clients: 0, Operations: 1, Keys: 1},
		{Object: "channel", Clients: 2, Operations: 1, Keys: 1},
		{Object: "channel", Clients: 1, Operations: 1, Keys: 0},
		{Object: "channel", Clients: 1, Operations: 1, Keys: 1, KillServers: 1},
	} {
		if _, err := record(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// What an object does not know has no effect, and says so.
func TestUnknownOperations(t *testing.T) {
	for _, x := range objects() {
		if !x.inProcess {
			continue
		}
		object, err := x.connect("")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := object.do(context.Background(), operation{F: "jump"}); !errors.Is(err, errNotDone) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}
