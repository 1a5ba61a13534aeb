package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/linsat/linsat/history"
)

// options says what record runs.
type options struct {
	Object                   string
	Clients                  int
	Operations               int
	Keys                     int
	KillClients, KillServers int
	Seed                     uint64
}

// station is a client as its goroutine sees it: its process is started again after it was killed.
type station struct {
	start func() (*process, error)

	mu  sync.Mutex
	now *process
}

// current returns a process that runs.
func (s *station) current() (*process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		select {
		case <-s.now.ended:
		default:
			return s.now, nil
		}
	}
	p, err := s.start()
	if err == nil {
		s.now = p
	}
	return p, err
}

func (s *station) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		s.now.kill()
	}
}

// strike kills the process while it carries out an operation, or as it is if it gets none for so
// long.
func (s *station) strike(within time.Duration) {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(20 * time.Microsecond) {
		s.mu.Lock()
		p := s.now
		s.mu.Unlock()
		if p != nil && p.busy() {
			p.kill()
			return
		}
	}
	s.kill()
}

// record runs clients and kills what the options say.
func record(o options) (*history.History, error) {
	x, err := lookup(o.Object)
	if err != nil {
		return nil, err
	}
	if o.Clients < 1 || o.Operations < o.Clients || o.Keys < 1 || o.KillClients < 0 || o.KillServers < 0 {
		return nil, fmt.Errorf("a recording has at least one client, one operation for each, and one key")
	}
	dir, err := os.MkdirTemp("", "linsat-services-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	d, err := x.deploy(dir, o.Clients)
	if err != nil {
		return nil, err
	}
	defer d.stop()
	if d.kill == nil && o.KillServers > 0 {
		return nil, fmt.Errorf("%s has no server that could be killed", o.Object)
	}
	perform, kill, end, err := x.clients(o, d)
	if err != nil {
		return nil, err
	}
	defer end()

	r := new(history.Recorder)
	r.SetSpec(x.spec)
	r.SetInitial(x.initial)
	var done atomic.Int64
	stop := make(chan struct{})
	var nemesis sync.WaitGroup
	nemesis.Go(func() {
		kills(o, &done, stop, kill, func(draw int) {
			r.Note("a server is killed")
			exit(1, d.kill(draw))
		})
	})
	var work sync.WaitGroup
	for c := range o.Clients {
		work.Go(func() {
			draw := rand.New(rand.NewPCG(o.Seed, uint64(c)))
			seen := map[string]int64{} // the client's last value of a key, for its next cas
			for i := c; i < o.Operations; i += o.Clients {
				step := operation{F: x.functions[draw.IntN(len(x.functions))],
					Key: string(rune('a' + draw.IntN(o.Keys))), New: int64(i + 1)}
				if step.Old = seen[step.Key]; step.F == "cas" && step.Old == 0 {
					step.F = "get" // nothing to compare with yet
				}
				f, key, arg := x.spelled(step)
				h := r.CallKey(c, key, f, arg)
				answer := perform(c, step)
				switch {
				case answer.NotDone:
					h.Fail()
					time.Sleep(5 * time.Millisecond) // until the server is back
				case answer.Unknown:
					h.Abandon()
				default:
					h.Return(plain(answer.Result))
					if v, ok := value(answer.Result); ok && step.F == "get" {
						seen[step.Key] = v
					} else if step.F == "put" || step.F == "swap" {
						seen[step.Key] = step.New
					}
				}
				done.Add(1)
			}
		})
	}
	work.Wait()
	close(stop)
	nemesis.Wait()
	return r.History()
}

// clients returns how an operation of a client is carried out, how a client is killed, and how all
// are ended.
func (x object) clients(o options, d deployment) (perform func(client int, o operation) reply, kill func(draw int),
	end func(), err error) {
	if x.inProcess {
		t, err := x.connect("")
		perform = func(client int, o operation) reply {
			// So that operations overlap on a machine with few processors, too.
			defer runtime.Gosched()
			runtime.Gosched()
			return request{client, o}.carryOut(t)
		}
		return perform, func(int) {}, func() {}, err
	}
	n := o.Clients
	if x.shared {
		n = 1
	}
	stations := make([]*station, n)
	for i := range stations {
		stations[i] = &station{start: func() (*process, error) { return startClient(x.name, d.address(i)) }}
	}
	perform = func(client int, step operation) reply {
		p, err := stations[client%n].current()
		if err != nil {
			return reply{NotDone: true, Error: err.Error()}
		}
		return p.ask(client, step)
	}
	return perform, func(draw int) { stations[draw%n].strike(100 * time.Millisecond) }, func() {
		for _, s := range stations {
			s.kill()
		}
	}, nil
}

// kills kills clients and servers, evenly over the operations and at random moments in between.
func kills(o options, done *atomic.Int64, stop <-chan struct{}, client, server func(draw int)) {
	total := o.KillClients + o.KillServers
	draw := rand.New(rand.NewPCG(o.Seed, 1<<32))
	for k := range total {
		for done.Load() < int64((k+1)*o.Operations/(total+1)) {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Microsecond):
			}
		}
		time.Sleep(time.Duration(draw.IntN(1000)) * time.Microsecond)
		// Servers are killed as often as clients, spread among them.
		if (k+1)*o.KillServers/total > k*o.KillServers/total {
			server(draw.IntN(1 << 16))
		} else {
			client(draw.IntN(1 << 16))
		}
	}
}

// spelled returns an operation as its specification spells it.
func (x object) spelled(o operation) (f string, key, arg any) {
	switch {
	case x.spec == "etcd":
		k, written := o.Key, fmt.Sprint(o.New)
		switch o.F {
		case "get":
			return "range", nil, map[string]any{"key": k}
		case "put":
			return "put", nil, map[string]any{"key": k, "value": written}
		case "cas":
			return "txn", nil, map[string]any{
				"compare": []any{map[string]any{"key": k, "target": "value", "value": fmt.Sprint(o.Old)}},
				"then":    []any{[]any{"put", map[string]any{"key": k, "value": written}}},
			}
		}
		return "delete", nil, map[string]any{"key": k}
	case x.spec == "bounded-queue" && o.F == "offer":
		return o.F, nil, o.New
	case x.spec == "bounded-queue":
		return o.F, nil, nil
	case o.F == "cas":
		return o.F, o.Key, []int64{o.Old, o.New}
	case o.F == "put" || o.F == "swap":
		return o.F, o.Key, o.New
	}
	return o.F, o.Key, nil
}

// plain turns the numbers of JSON into integers.
func plain(x any) any {
	switch x := x.(type) {
	case json.Number:
		n, err := x.Int64()
		exit(1, err)
		return n
	case []any:
		for i := range x {
			x[i] = plain(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = plain(x[k])
		}
	}
	return x
}

// value returns the integer that a get returned.
func value(result any) (int64, bool) {
	switch x := plain(result).(type) {
	case int64:
		return x, true
	case map[string]any:
		kvs, _ := x["kvs"].([]any)
		if len(kvs) == 1 {
			var n int64
			_, err := fmt.Sscan(fmt.Sprint(kvs[0].(map[string]any)["value"]), &n)
			return n, err == nil
		}
	}
	return 0, false
}
