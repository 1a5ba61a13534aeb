package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/render"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workerOf is set in the environment of a test's process that is a worker: the server's address.
const workerOf = "LINSAT_FLEET_WORKER_OF"

func TestMain(m *testing.M) {
	if url := os.Getenv(workerOf); url != "" {
		conn, err := nats.Connect(url, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1))
		if err != nil {
			panic(err)
		}
		js, err := jetstream.New(conn)
		if err != nil {
			panic(err)
		}
		w := Worker{Program: os.Getenv("LINSAT_FLEET_PROGRAM"), Slots: 1, AckWait: 2 * time.Second, Attempts: 2,
			Log: log.Printf}
		fmt.Println(w.Work(context.Background(), js))
		return
	}
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

var built struct {
	sync.Once
	dir  string
	fail error
}

// linsat builds the command, once for all tests, and returns its file.
func linsat(t testing.TB) string {
	t.Helper()
	built.Do(func() {
		if built.dir, built.fail = os.MkdirTemp("", "linsat-fleet-test-"); built.fail == nil {
			c := exec.Command("go", "build", "-o", filepath.Join(built.dir, "linsat"), "./cmd/linsat")
			c.Dir = ".."
			built.fail = c.Run()
		}
	})
	require.NoError(t, built.fail)
	return filepath.Join(built.dir, "linsat")
}

// logging returns a program that writes a line to a file for each history that it checks, and then
// is linsat, a little slower.
func logging(t testing.TB) (program, log string) {
	t.Helper()
	dir := t.TempDir()
	program, log = filepath.Join(dir, "logging"), filepath.Join(dir, "log")
	text := fmt.Sprintf("#!/bin/sh\nsha256sum < \"$4\" >> %s\nsleep 0.05\nexec %s \"$@\"\n", log, linsat(t))
	require.NoError(t, os.WriteFile(program, []byte(text), 0o755))
	return program, log
}

// cluster starts so many servers and returns their addresses.
func cluster(t testing.TB, servers int) string {
	url, _ := serving(t, servers)
	return url
}

// serving starts so many servers and returns their addresses, and themselves.
func serving(t testing.TB, servers int) (string, []*server.Server) {
	t.Helper()
	// all are chosen before any is used, or one server might get the port of another's routes
	ports := make([]int, 2*servers)
	var held []net.Listener
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		ports[i], held = l.Addr().(*net.TCPAddr).Port, append(held, l)
	}
	for _, l := range held {
		require.NoError(t, l.Close())
	}
	clients, ports := ports[:servers], ports[servers:]
	var routes []string
	for _, p := range ports {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", p))
	}
	var urls []string
	var all []*server.Server
	var starting sync.WaitGroup
	var mu sync.Mutex
	for i := range ports {
		o := ServerOptions{Name: fmt.Sprint("n", i), Host: "127.0.0.1", Port: clients[i], Dir: t.TempDir()}
		if servers > 1 {
			o.Cluster, o.RoutePort, o.Routes = "test", ports[i], routes
		}
		starting.Add(1)
		go func() {
			defer starting.Done()
			s, err := Serve(o)
			if !assert.NoError(t, err) {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			urls, all = append(urls, s.ClientURL()), append(all, s)
			t.Cleanup(func() {
				s.Shutdown()
				s.WaitForShutdown()
			})
		}()
	}
	starting.Wait()
	require.Len(t, urls, servers)
	return strings.Join(urls, ","), all
}

// connected connects to servers and makes the streams, as soon as the servers agree on a leader.
func connected(t testing.TB, url string, replicas int) jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		err = Setup(t.Context(), js, replicas)
		return err == nil
	}, time.Minute, 100*time.Millisecond, "%v", err)
	return js
}

// writeHistories writes so many queues; every fifth is a violation.
func writeHistories(t testing.TB, n int) []string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for k := range n {
		found := k
		if k%5 == 0 {
			found = -1
		}
		text := fmt.Sprintf(
			`{"spec": "queue", "operations": [{"process": 0, "f": "enq", "arg": %d, "call": 0, "return": 1}, {"process": 1, "f": "deq", "call": 2, "return": 3, "result": %d}]}`, k, found)
		file := filepath.Join(dir, fmt.Sprintf("h%03d.json", k))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		files = append(files, file)
	}
	return files
}

// collected gathers the answers to tickets, by the names of the files.
func collected(t testing.TB, js jetstream.JetStream, tickets []Ticket) map[string]*render.Object {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	answers := map[string]*render.Object{}
	require.NoError(t, Collect(ctx, js, tickets, func(o *render.Object) error {
		assert.Nil(t, answers[o.File], o.File)
		answers[o.File] = o
		return nil
	}))
	return answers
}

func start(t testing.TB, program, url string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), workerOf+"="+url, "LINSAT_FLEET_PROGRAM="+program)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	c.WaitDelay = time.Second // its own processes may hold the pipe
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		t.Logf("worker %d: %s", c.Process.Pid, said.String())
	})
	return c
}

// TestKilledWorkerLosesNothing: of two workers on a cluster of three servers, one is killed at
// work. Every history is answered, rightly, and at most one is checked twice.
func TestKilledWorkerLosesNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere a process outlives the worker that started it")
	}
	program, log := logging(t)
	url := cluster(t, 3)
	js := connected(t, url, 3)
	files := writeHistories(t, 60)
	tickets, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	victim := start(t, program, url)
	start(t, program, url)
	checked := func() int {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), "\n")
	}
	require.Eventually(t, func() bool { return checked() >= 15 }, time.Minute, time.Millisecond)
	require.NoError(t, victim.Process.Kill())
	answers := collected(t, js, tickets)
	require.Len(t, answers, len(files))
	for k, file := range files {
		want := "linearizable"
		if k%5 == 0 {
			want = "not linearizable"
		}
		assert.Equal(t, want, answers[file].Verdict, file)
	}
	assert.GreaterOrEqual(t, checked(), len(files))
	assert.LessOrEqual(t, checked(), len(files)+1)
	s, err := js.Stream(t.Context(), workStream)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		info, err := s.Info(t.Context())
		return err == nil && info.State.Msgs == 0
	}, time.Minute, 50*time.Millisecond, "the queue is not empty")
}

// TestLostServerLosesNothing: of three servers, the one that workers and submitter are connected to
// first stops amid the work. The others choose a leader, and every history is answered.
func TestLostServerLosesNothing(t *testing.T) {
	program, log := logging(t)
	url, servers := serving(t, 3)
	js := connected(t, url, 3)
	files := writeHistories(t, 30)
	tickets, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	start(t, program, url)
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(log)
		return strings.Count(string(text), "\n") >= 8
	}, time.Minute, time.Millisecond)
	lost := js.Conn().ConnectedUrl()
	for _, s := range servers {
		if s.ClientURL() == lost {
			s.Shutdown()
		}
	}
	answers := collected(t, js, tickets)
	require.Len(t, answers, len(files))
	for k, file := range files {
		want := "linearizable"
		if k%5 == 0 {
			want = "not linearizable"
		}
		assert.Equal(t, want, answers[file].Verdict, file)
	}
}

// worked runs a worker in this process until the queue is empty.
func worked(t testing.TB, js jetstream.JetStream, program string, slots int) {
	t.Helper()
	w := Worker{Program: program, Slots: slots, AckWait: 5 * time.Second, Attempts: 2, Drain: true, Log: t.Logf}
	require.NoError(t, w.Work(t.Context(), js))
}

// TestOneHistoryIsCheckedOnce: the same content with the same question is queued once, whatever its
// name and however often it is submitted; with another question it is another one.
func TestOneHistoryIsCheckedOnce(t *testing.T) {
	program, log := logging(t)
	js := connected(t, cluster(t, 1), 1)
	files := writeHistories(t, 3)
	copied := filepath.Join(t.TempDir(), "copy.json")
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(copied, text, 0o600))
	files = append(files, copied)
	first, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	again, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	queued := 0
	for _, ticket := range append(first, again...) {
		if ticket.Queued {
			queued++
		}
	}
	assert.Equal(t, 3, queued)
	worked(t, js, program, 2)
	answers := collected(t, js, first)
	assert.Len(t, answers, 4)
	assert.Equal(t, "not linearizable", answers[copied].Verdict)
	after, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	other, err := Submit(t.Context(), js, files[:1], []string{"--quasi", "1"}, false)
	require.NoError(t, err)
	assert.False(t, after[0].Queued)
	assert.True(t, other[0].Queued)
	worked(t, js, program, 1)
	assert.Equal(t, "not quasi-linearizable at removals=1 (slots)", collected(t, js, other)[files[0]].Answer)
	lines, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, 4, strings.Count(string(lines), "\n"))
}

// TestPoisonIsSetAside: a history whose process dies is tried again, then set aside with the cause,
// and the others are answered; a file that is no history is answered as an error.
func TestPoisonIsSetAside(t *testing.T) {
	dir := t.TempDir()
	poisoned := filepath.Join(dir, "poisoned")
	require.NoError(t,
		os.WriteFile(poisoned,
			[]byte(fmt.Sprintf(
				"#!/bin/sh\nif grep -q '\"arg\": 2,' \"$4\"; then echo out of everything >&2; kill -9 $$; fi\nexec "+
					"%s \"$@\"\n", linsat(t))), 0o755))
	js := connected(t, cluster(t, 1), 1)
	files := writeHistories(t, 4)
	bad := filepath.Join(dir, "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte(`{"spec": "queue", "operations": [{}]}`), 0o600))
	files = append(files, bad)
	tickets, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	worked(t, js, poisoned, 2)
	answers := collected(t, js, tickets)
	require.Len(t, answers, 5)
	assert.Equal(t, render.Failed, answers[files[2]].Verdict)
	assert.Equal(t, "set aside after 2 attempts: linsat gave no answer (signal: killed): out of everything",
		answers[files[2]].Cause)
	assert.Equal(t, "linearizable", answers[files[3]].Verdict)
	assert.Equal(t, render.Failed, answers[bad].Verdict)
	assert.True(t, strings.HasPrefix(answers[bad].Cause, bad+":"), answers[bad].Cause)
	data, err := stored(t.Context(), js, poisonStream, poisonSubject+tickets[2].ID)
	require.NoError(t, err)
	var p Poison
	require.NoError(t, json.Unmarshal(data, &p))
	assert.Equal(t, files[2], p.File)

	again, err := Submit(t.Context(), js, files[2:3], nil, true) // --retry
	require.NoError(t, err)
	assert.True(t, again[0].Queued)
	worked(t, js, linsat(t), 1)
	assert.Equal(t, "linearizable", collected(t, js, again)[files[2]].Verdict)
}

// BenchmarkFleet is the time for a history in a queue with workers, and that of a process for each.
func BenchmarkFleet(b *testing.B) {
	program := linsat(b)
	b.Run("fleet", func(b *testing.B) {
		js := connected(b, cluster(b, 1), 1)
		files := writeHistories(b, b.N)
		b.ResetTimer()
		tickets, err := Submit(b.Context(), js, files, nil, false)
		require.NoError(b, err)
		worked(b, js, program, runtime.NumCPU())
		b.StopTimer()
		assert.Len(b, collected(b, js, tickets), b.N)
	})
	b.Run("processes", func(b *testing.B) {
		files := writeHistories(b, b.N)
		b.ResetTimer()
		var running sync.WaitGroup
		next := make(chan string)
		for range runtime.NumCPU() {
			running.Add(1)
			go func() {
				defer running.Done()
				for file := range next {
					// 1 is an answer
					_ = exec.Command(program, "solve", "--format", "json", file).Run()
				}
			}()
		}
		for _, file := range files {
			next <- file
		}
		close(next)
		running.Wait()
	})
	b.Run("one process", func(b *testing.B) {
		files := writeHistories(b, b.N)
		b.ResetTimer()
		_ = exec.Command(program, "solve", "--format", "json", filepath.Dir(files[0])).Run()
	})
}
