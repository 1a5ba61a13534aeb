package linsattest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/linsat/linsat/internal/shimrun"
)

// One process explores with one core: an execution is one at a time, since the shims know only one.
// So more cores are used by more processes. Each is this test's program, asked for this test alone,
// and draws schedules with a seed of its own; the first to find a violation hands its schedule
// over, and it is run again here. What systematic strategies enumerate is not divided.

// workers are processes that draw schedules of a test beside this one.
type workers struct {
	dir  string
	all  []*exec.Cmd
	done sync.WaitGroup

	mu         sync.Mutex
	found      *saved
	executions int
	failed     error // why one could not run
}

// work starts workers that draw schedules until the end of a phase; nil if there are none.
func (x *exploration) work(phase *shimrun.Options, left time.Duration) *workers {
	if x.asked.Jobs < 2 || x.asked.Worker {
		return nil
	}
	w := x.beginWork()
	for k := 1; k < x.asked.Jobs; k++ {
		o := *phase
		if !o.Samples() {
			o.How, o.Bound, o.Runs = "pct", autoWorkerDepth, autoWorkerRuns
		}
		o.For, o.Seed = left, x.asked.Seed+uint64(k)*workerSeeds
		w.start(x.t.Name(), x.seed, x.asWorker(o, filepath.Join(w.dir, fmt.Sprint(k))))
	}
	return w
}

// beginWork makes the folder of workers.
func (x *exploration) beginWork() *workers {
	w := &workers{}
	w.dir, w.failed = os.MkdirTemp("", "linsat-workers-")
	return w
}

// asWorker returns options for a worker that appends its outcomes to a file.
func (x *exploration) asWorker(o shimrun.Options, file string) shimrun.Options {
	o.Worker, o.Nth, o.Jobs, o.Now, o.Out = true, x.nth, 1, "", file
	return o
}

// start runs one worker.
func (w *workers) start(test string, seed uint64, o shimrun.Options) {
	if w.failed != nil {
		return
	}
	program, err := os.Executable()
	if err != nil {
		w.failed = err
		return
	}
	text, err := json.Marshal(o)
	if err != nil {
		w.failed = err
		return
	}
	c := exec.Command(program, "-test.run="+exactly(test), "-test.count=1", "-test.timeout=0",
		fmt.Sprint("-linsat.seed=", seed))
	c.Env = append(os.Environ(), shimrun.Variable+"="+string(text))
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		w.failed = err
		return
	}
	w.all = append(w.all, c)
	w.done.Go(func() {
		// its outcome says more than how it ended
		_ = c.Wait()
		w.read(o.Out, said.String())
	})
}

// exactly returns the expression for go test that a test's name alone matches.
func exactly(test string) string {
	parts := strings.Split(test, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return strings.Join(parts, "/")
}

// read takes the outcome of a worker.
func (w *workers) read(file, said string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f, err := os.Open(file)
	if err != nil {
		return // it was stopped
	}
	defer f.Close()
	for outcomes := json.NewDecoder(f); ; {
		var o shimrun.Outcome
		err := outcomes.Decode(&o)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			w.failed = fmt.Errorf("%w: %s", err, said)
			return
		}
		w.executions += o.Executions
		if len(o.Found) > 0 && w.found == nil {
			w.found = &saved{}
			if err := json.Unmarshal(o.Found, w.found); err != nil {
				w.found, w.failed = nil, err
			}
		}
	}
}

// schedule returns what a worker found, nil if none has yet.
func (w *workers) schedule() *saved {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.found
}

// wait waits for the workers.
func (w *workers) wait() {
	if w != nil {
		w.done.Wait()
	}
}

// stop ends the workers. It returns how many executions they ran, as far as they said.
func (w *workers) stop() (executions int, err error) {
	if w == nil {
		return 0, nil
	}
	for _, c := range w.all {
		// it may have ended
		_ = c.Process.Kill()
	}
	w.done.Wait()
	return w.executions, errors.Join(w.failed, os.RemoveAll(w.dir))
}
