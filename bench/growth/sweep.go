//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
)

// outcome is what became of a cell.
type outcome struct {
	Verdict string  `json:"verdict,omitempty"`
	Cause   string  `json:"cause,omitempty"` // why it is unknown
	Detail  string  `json:"detail,omitempty"`
	Seconds float64 `json:"seconds"`         // of Check, on the clock
	User    float64 `json:"user"`            // of Check, all threads
	MB      int64   `json:"mb"`              // the most that the process held
	Known   string  `json:"known,omitempty"` // what the generator knows
	// why a violation is not certified
	Uncertified string `json:"uncertified,omitempty"`
	Absent      string `json:"absent,omitempty"` // why there is no such history
}

// row is a line of the file of rows.
type row struct {
	shape
	outcome
}

// unknown reports whether the cell has a history without a verdict.
func (o *outcome) unknown() bool {
	return o.Absent == "" && o.Verdict != engine.Linearizable.String() && o.Verdict != engine.NotLinearizable.String()
}

// sweeper runs the cells of a sweep, each in a process of its own.
type sweeper struct {
	program string // runs a cell when it is given -cell
	specs   []string
	levels  levels
	timeout time.Duration // of each cell
	limit   time.Duration // no cell starts later, 0 for none
	workers int
	rows    string // file
	notes   io.Writer
}

// grace is how long past its time limit a cell may take, with the generation of its history.
const grace = time.Minute

// patience bounds the time limit of a cell on a busy machine, in time limits.
const patience = 4

// run decides the cells that have no row yet, and appends a row for each. Longer histories of a
// shape are not tried once one stays unknown or has no place for its violation. A wrong verdict,
// or an error, ends the sweep.
func (s *sweeper) run(ctx context.Context) error {
	done, err := readRows(s.rows)
	if err != nil {
		return err
	}
	known := map[shape]outcome{}
	for _, r := range done {
		known[r.shape] = r.outcome
	}
	f, err := os.OpenFile(s.rows, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	start := time.Now()
	var wait sync.WaitGroup
	var one sync.Mutex // of the file and the notes
	cells := make(chan shape)
	for range s.workers {
		wait.Go(func() {
			for at := range cells {
				if err := s.lengths(ctx, at, known, start, func(r row) error {
					one.Lock()
					defer one.Unlock()
					fmt.Fprintln(s.notes, r.text())
					return json.NewEncoder(f).Encode(r)
				}); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, at := range s.levels.order(s.specs) {
		if ctx.Err() != nil || s.over(start) {
			break
		}
		cells <- at
	}
	close(cells)
	wait.Wait()
	return context.Cause(ctx)
}

func (s *sweeper) over(start time.Time) bool { return s.limit > 0 && time.Since(start) > s.limit }

// lengths runs the histories of one shape, shortest first.
func (s *sweeper) lengths(ctx context.Context, at shape, known map[shape]outcome, start time.Time,
	write func(row) error) error {
	for _, at.Operations = range s.levels.operations {
		o, seen := known[at]
		if !seen {
			if ctx.Err() != nil || s.over(start) {
				return nil
			}
			var err error
			if o, err = s.cell(ctx, at); err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return fmt.Errorf("%s: %w", at.command(), err)
			}
			if err := write(row{at, o}); err != nil {
				return err
			}
		}
		if o.unknown() || o.Absent != "" {
			return nil
		}
	}
	return nil
}

// cell decides one cell. Where its time was up although a busy machine gave it less than half of
// that time, it gets twice as long.
func (s *sweeper) cell(ctx context.Context, at shape) (o outcome, err error) {
	for limit := s.timeout; ; limit *= 2 {
		o, err = s.process(ctx, at, limit)
		if err != nil || o.Cause != engine.Timeout.String() || 2*o.User >= s.timeout.Seconds() ||
			limit >= patience*s.timeout {
			return o, err
		}
	}
}

// process decides one cell in a process of its own, so that neither its memory nor its garbage is
// that of the next.
func (s *sweeper) process(ctx context.Context, at shape, limit time.Duration) (o outcome, err error) {
	question, err := json.Marshal(at)
	if err != nil {
		return o, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	c := exec.CommandContext(ctx, s.program, "-cell", string(question), "-timeout", limit.String())
	c.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(max(1, runtime.NumCPU()/s.workers)))
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	err = c.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return outcome{Verdict: engine.Unknown.String(), Cause: "killed", Seconds: (limit + grace).Seconds()}, nil
	}
	if err != nil {
		return o, fmt.Errorf("%w: %s", err, bytes.TrimSpace(complaint.Bytes()))
	}
	return o, json.Unmarshal(out.Bytes(), &o)
}

// decideCell is what the process of a cell does: it answers as JSON.
func decideCell(w io.Writer, question string, timeout time.Duration) error {
	var at shape
	if err := json.Unmarshal([]byte(question), &at); err != nil {
		return err
	}
	o, err := at.decide(timeout)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(o)
}

// decide generates the history and checks it as a user does: reasons included. A verdict that
// contradicts what the generator knows is an error.
func (s shape) decide(timeout time.Duration) (o outcome, err error) {
	c, err := gen.Generate(s.options())
	if err != nil {
		return outcome{Absent: err.Error()}, nil
	}
	sp, ok := specs.Lookup(s.Spec)
	if !ok {
		return o, fmt.Errorf("unknown specification %q", s.Spec)
	}
	options := []linsat.Option{linsat.Timeout(timeout)}
	if s.Quasi > 0 {
		request, err := quasi.Parse(sp.Info(), strconv.Itoa(s.Quasi))
		if err != nil {
			return o, err
		}
		options = append(options, linsat.Quasi(quasi.Question{Factor: request.Factor, Drain: true}))
		if c.Known == gen.No {
			c.Known = gen.Unclear // displaced by more than the bound, or not
		}
	}
	start, user := time.Now(), userTime()
	r, err := linsat.Check(context.Background(), sp, c.History, options...)
	if err != nil {
		return o, err
	}
	o = outcome{
		Verdict: r.Verdict.String(), Known: c.Known.String(), Detail: r.Detail,
		Seconds: time.Since(start).Seconds(), User: (userTime() - user).Seconds(), MB: mostMemory(),
	}
	switch r.Verdict {
	case engine.Unknown:
		o.Cause = r.Cause.String()
	case engine.Linearizable:
		if c.Known == gen.No {
			return o, errors.New("wrong verdict: linearizable")
		}
	case engine.NotLinearizable:
		if c.Known == gen.Yes {
			return o, errors.New("wrong verdict: not linearizable")
		}
		o.Uncertified = r.Uncertified
	}
	return o, nil
}

// mostMemory returns the megabytes that this process held at most.
func mostMemory() int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(r.Maxrss) >> 20
	}
	return int64(r.Maxrss) >> 10
}

// text is a line about a row for the log of a sweep.
func (r row) text() string {
	what := r.Verdict
	switch {
	case r.Absent != "":
		what = "left out: " + r.Absent
	case r.unknown():
		what += " (" + r.Cause + ")"
	case r.Uncertified != "":
		what += ", uncertified: " + r.Uncertified
	}
	return fmt.Sprintf("%-10s %5d MB  %s  # %s", time.Duration(r.Seconds*1e9).Round(100*time.Microsecond), r.MB,
		r.command(), what)
}

// readRows reads the rows of earlier runs, none if there is no file. A last line without its end,
// of a run that was stopped, is an error: it would spoil the next line.
func readRows(file string) ([]row, error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []row
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(rows)+1, err)
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}

// chosenSpecs are those of -specs, in the order of gen, or all.
func chosenSpecs(only []string) ([]string, error) {
	all := gen.Specs()
	if len(only) == 0 {
		return all, nil
	}
	for _, name := range only {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("no histories of %q can be generated", name)
		}
	}
	return slices.DeleteFunc(all, func(name string) bool { return !slices.Contains(only, name) }), nil
}
