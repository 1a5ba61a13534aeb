//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
)

// question is a history and its verdict.
type question struct {
	name string
	h    *history.History
	want engine.Verdict // Unknown: the tools only have to agree
}

// spent is the cost of one run over all questions, a lower bound if the tool gave up.
type spent struct {
	wall, cpu time.Duration // cpu is user time, of all threads
	verdicts  []engine.Verdict
}

func (s spent) undecided() int {
	n := 0
	for _, v := range s.verdicts {
		if v == engine.Unknown {
			n++
		}
	}
	return n
}

// tool decides questions; it is nil for a tool that does not support a work.
type tool func(q question) (engine.Verdict, error)

// measure lets a tool decide all questions, one after the other, and adds their times up, or takes
// the median of them.
func measure(t tool, questions []question, spread bool) (spent, error) {
	runtime.GC()
	var s spent
	var each taken
	for _, q := range questions {
		wall, cpu := time.Now(), userTime()
		v, err := t(q)
		each.add(spent{wall: time.Since(wall), cpu: userTime() - cpu})
		if err != nil {
			return s, fmt.Errorf("%s: %w", q.name, err)
		}
		s.verdicts = append(s.verdicts, v)
	}
	s.wall, s.cpu = sum(each.wall), sum(each.cpu)
	if spread {
		s.wall, s.cpu = median(each.wall), median(each.cpu)
	}
	return s, nil
}

func sum(all []time.Duration) (total time.Duration) {
	for _, d := range all {
		total += d
	}
	return total
}

// userTime is what this process has used so far, in user mode.
func userTime() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano())
}

// ours is linsat, checking only.
func ours(scope model.Partitioning, timeout time.Duration) tool {
	return func(q question) (engine.Verdict, error) {
		s, ok := specs.Lookup(q.h.Spec)
		if !ok {
			return engine.Unknown, fmt.Errorf("unknown specification %q", q.h.Spec)
		}
		r, err := linsat.Check(context.Background(), s, q.h, linsat.Partition(linsat.Partitioning(scope.String())),
			linsat.Timeout(timeout), linsat.First(), linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
		return r.Verdict, err
	}
}

// theirs is Porcupine; its input is built before the clock starts.
func theirs(questions []question, whole bool, timeout time.Duration) (tool, error) {
	type prepared struct {
		m   porcupine.Model
		ops []porcupine.Operation
	}
	ready := map[string]prepared{}
	for _, q := range questions {
		m, err := modelFor(q.h, whole)
		if err != nil {
			return nil, err
		}
		ops, err := translate(q.h)
		if err != nil {
			return nil, err
		}
		ready[q.name] = prepared{m, ops}
	}
	return func(q question) (engine.Verdict, error) {
		p := ready[q.name]
		switch porcupine.CheckOperationsTimeout(p.m, p.ops, timeout) {
		case porcupine.Ok:
			return engine.Linearizable, nil
		case porcupine.Illegal:
			return engine.NotLinearizable, nil
		}
		return engine.Unknown, nil
	}, nil
}

// process is one run of a program on a file: its time from start to end, its largest resident size,
// and what it printed.
type process struct {
	wall, cpu time.Duration
	resident  int64 // bytes
	out       string
	code      int
}

func execute(timeout time.Duration, program string, args ...string) (process, error) {
	return executeWithin(timeout, math.MaxInt64, program, args...)
}

// executeWithin ends the program once it holds more than so many bytes.
func executeWithin(timeout time.Duration, most int64, program string, args ...string) (process, error) {
	ctx, stop := context.WithTimeout(context.Background(), timeout)
	defer stop()
	c := exec.CommandContext(ctx, program, args...)
	var out bytes.Buffer
	c.Stdout = &out
	start := time.Now()
	if err := c.Start(); err != nil {
		return process{}, err
	}
	done, resident := make(chan struct{}), make(chan int64)
	go watchResident(c.Process, most, done, resident)
	err := c.Wait()
	p := process{wall: time.Since(start), out: out.String()}
	close(done)
	p.resident = <-resident
	if c.ProcessState == nil {
		return p, err
	}
	p.code, p.cpu = c.ProcessState.ExitCode(), c.ProcessState.UserTime()
	if ctx.Err() != nil {
		return p, fmt.Errorf("%s gave no answer within %v", filepath.Base(program), timeout)
	}
	if p.resident > most {
		return p, fmt.Errorf("%s gave no answer within %d MB", filepath.Base(program), most>>20)
	}
	return p, nil
}

// watchResident sends the largest resident size of a process, in bytes, that it saw until done, 0
// where /proc does not tell. It ends a process that holds more than most. The size that the kernel
// reports for a child that ended is of no use: it counts what this process held when the child
// began.
func watchResident(p *os.Process, most int64, done <-chan struct{}, resident chan<- int64) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var held int64
	for {
		select {
		case <-done:
			resident <- held
			return
		case <-tick.C:
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(status)) {
			var kilobytes int64
			if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kilobytes); n == 1 {
				held = max(held, 1024*kilobytes)
			}
		}
		if held > most {
			p.Kill() // an error says that it has ended already
		}
	}
}

// fastlin runs the program on a file in its format and returns its verdict and the time that it
// says the algorithm took.
func fastlin(program, file string, timeout time.Duration) (engine.Verdict, time.Duration, process, error) {
	p, err := execute(timeout, program, "-t", "-x", file)
	if err != nil {
		return engine.Unknown, 0, p, err
	}
	var said int
	var seconds float64
	if _, err := fmt.Sscan(p.out, &said, &seconds); err != nil {
		return engine.Unknown, 0, p, fmt.Errorf("fastlin says %q", strings.TrimSpace(p.out))
	}
	v := engine.NotLinearizable
	if said == 1 {
		v = engine.Linearizable
	}
	return v, time.Duration(seconds * float64(time.Second)), p, nil
}

// verdictOf is the verdict behind an exit code of linsat solve.
func verdictOf(p process) engine.Verdict {
	switch p.code {
	case 0:
		return engine.Linearizable
	case 1:
		return engine.NotLinearizable
	}
	return engine.Unknown
}

// store writes a history into a new file below dir.
func store(dir, name string, write func(f *os.File) error) (string, error) {
	f, err := os.CreateTemp(dir, "*-"+name)
	if err != nil {
		return "", err
	}
	if err := write(f); err != nil {
		f.Close()
		return "", err
	}
	return f.Name(), f.Close()
}

// median of durations, the lower one of two.
func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(all))
	return s[(len(s)-1)/2]
}

// agree describes contradictions between the verdicts of two runs over the questions, "" if there
// are none.
func agree(questions []question, who string, got []engine.Verdict, other []engine.Verdict) string {
	for i, v := range got {
		want := questions[i].want
		if want == engine.Unknown && other != nil {
			want = other[i]
		}
		if v != engine.Unknown && want != engine.Unknown && v != want {
			return fmt.Sprintf("WRONG: %s says %v of %s, which is %v", who, v, questions[i].name, want)
		}
	}
	return ""
}
