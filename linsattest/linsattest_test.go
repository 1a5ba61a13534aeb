package linsattest_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type node struct {
	value int
	next  *node
}

// stack is Treiber's stack; a faulty one reads the top and then writes it.
type stack struct {
	top    atomic.Pointer[node]
	faulty bool
}

func (s *stack) swap(old, new *node) bool {
	if s.faulty {
		runtime.Gosched()
		s.top.Store(new)
		return true
	}
	return s.top.CompareAndSwap(old, new)
}

func (s *stack) push(v int) {
	for {
		old := s.top.Load()
		if s.swap(old, &node{v, old}) {
			return
		}
	}
}

func (s *stack) pop() any {
	for {
		old := s.top.Load()
		if old == nil {
			return nil
		}
		if s.swap(old, old.next) {
			return old.value
		}
	}
}

// stacks is a program of so many operations on a new stack.
func stacks(faulty bool, each int) func(r *linsattest.Run) {
	return func(r *linsattest.Run) {
		s := &stack{faulty: faulty}
		for range 4 {
			r.Go(func(p *linsattest.Process) {
				for i := range each {
					if p.Rand().IntN(2) == 0 {
						v := p.ID()*each + i
						p.Do("push", v, func() any { s.push(v); return nil })
					} else {
						p.Do("pop", nil, s.pop)
					}
				}
			})
		}
	}
}

// outcome is what a test did: recorded by a testing.TB that does not fail the real one.
type outcome struct {
	testing.TB
	dir          string
	logs, errors []string
	failed       bool
}

func (o *outcome) Helper()             {}
func (o *outcome) Name() string        { return "TestOf/a stack" }
func (o *outcome) ArtifactDir() string { return o.dir }
func (o *outcome) Log(a ...any)        { o.logs = append(o.logs, fmt.Sprint(a...)) }
func (o *outcome) Logf(f string, a ...any) {
	o.logs = append(o.logs, fmt.Sprintf(f, a...))
}
func (o *outcome) Fatal(a ...any) { o.Fatalf("%s", fmt.Sprint(a...)) }
func (o *outcome) Fatalf(f string, a ...any) {
	o.errors, o.failed = append(o.errors, fmt.Sprintf(f, a...)), true
	runtime.Goexit()
}

// try runs a test that may fail.
func try(t *testing.T, test func(t testing.TB)) *outcome {
	o := &outcome{TB: t, dir: t.TempDir()}
	var done sync.WaitGroup
	done.Go(func() { test(o) })
	done.Wait()
	return o
}

func TestACorrectStackPasses(t *testing.T) {
	linsattest.Check(t, spec.MustLookup("stack"), stacks(false, 30))
}

// The failure shows few operations, and its files are what it says.
func TestAFaultyStackFails(t *testing.T) {
	dir := t.TempDir()
	set(t, "linsat.dir", dir)
	o := try(t, func(t testing.TB) { linsattest.Check(t, spec.MustLookup("stack"), stacks(true, 200)) })
	require.Len(t, o.errors, 1)
	said := o.errors[0]
	require.Regexp(t, `^not linearizable: run \d+, 800 operations; [2-6] of them contradict each other:`, said)
	assert.Contains(t, said, "seed: -linsat.seed ")
	assert.Less(t, strings.Count(said, "\n"), 80)
	small, err := history.ReadFile(filepath.Join(dir, "TestOf-a-stack", "shrunk.jsonl"), history.ReadOptions{})
	require.NoError(t, err)
	whole, err := history.ReadFile(filepath.Join(dir, "TestOf-a-stack", "history.jsonl"), history.ReadOptions{})
	require.NoError(t, err)
	assert.Len(t, whole.Ops, 800)
	assert.LessOrEqual(t, len(small.Ops), 6)
	for _, h := range []*history.History{small, whole} {
		r, err := linsat.Check(t.Context(), spec.MustLookup("stack"), h)
		require.NoError(t, err)
		assert.Equal(t, linsat.NotLinearizable, r.Verdict)
	}
	page, err := os.ReadFile(filepath.Join(dir, "TestOf-a-stack", "violation.html"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "not linearizable")
}

// set sets a flag for one test.
func set(t *testing.T, name, value string) {
	f := lookup(name)
	before := f.Value.String()
	require.NoError(t, f.Value.Set(value))
	t.Cleanup(func() { require.NoError(t, f.Value.Set(before)) })
}

func TestControl(t *testing.T) {
	stack := spec.MustLookup("stack")
	linsattest.Control(t, stack, stacks(true, 50))
	set(t, "linsat.duration", "50ms")
	o := try(t, func(t testing.TB) { linsattest.Control(t, stack, stacks(false, 20)) })
	require.Len(t, o.errors, 1)
	assert.Regexp(t, `^the deliberate fault was not found in \d+ runs with `, o.errors[0])
}

// Programs that are drawn have the object's operations and arguments, and the same seed draws the
// same ones.
func TestRandom(t *testing.T) {
	set(t, "linsat.duration", "100ms")
	object := linsattest.Object{
		New: func() func(f string, arg any) any {
			s := &stack{}
			return func(f string, arg any) any {
				if f == "push" {
					s.push(arg.(int))
					return nil
				}
				return s.pop()
			}
		},
		Ops: []linsattest.Op{{F: "push", Draw: func(r *rand.Rand) any {
			return r.IntN(5)
		}}, {F: "push", Arg: 7}, {F: "pop"}},
	}
	linsattest.Random(t, spec.MustLookup("stack"), object)

	object.Processes, object.Operations = 1, 40
	drawn := func(seed string) (all []string) {
		set(t, "linsat.seed", seed)
		set(t, "linsat.duration", "1ns")
		inner := object.New
		o := object
		o.New = func() func(f string, arg any) any {
			apply := inner()
			return func(f string, arg any) any {
				all = append(all, fmt.Sprint(f, arg))
				return apply(f, arg)
			}
		}
		linsattest.Random(t, spec.MustLookup("stack"), o)
		return all
	}
	first := drawn("11")
	assert.Len(t, first, 40)
	assert.Equal(t, first, drawn("11"))
	assert.NotEqual(t, first, drawn("12"))
	for _, want := range []string{"push7", "pop<nil>"} {
		assert.Contains(t, first, want)
	}
	assert.Regexp(t, `push[0-4]\b`, strings.Join(first, " "))

	o := try(t, func(t testing.TB) { linsattest.Random(t, spec.MustLookup("stack"), linsattest.Object{}) })
	assert.Contains(t, o.errors, "linsattest.Random: Object.New and Object.Ops must be given")
}

func TestWhatElseFails(t *testing.T) {
	set(t, "linsat.duration", "20ms")
	set(t, "linsat.hang", "50ms")
	forever := make(chan int)
	defer close(forever)
	counter := spec.MustLookup("counter")
	for _, row := range []struct {
		name string
		f    func(r *linsattest.Run)
		says []string
	}{
		{"no process", func(r *linsattest.Run) {}, []string{"no process was added"}},
		{"panic of an operation", func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) {
				p.Do("inc", nil, func() any { panic("empty") })
			})
		}, []string{"operation inc of process 0 panicked: empty", "linsattest_test.go",
			"the history up to there is linearizable", "-linsat.seed"}},
		{"panic between operations", func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) { panic("between") })
			r.Go(func(p *linsattest.Process) { p.Do("inc", nil, func() any { return nil }) })
		}, []string{"process 0 panicked: between"}},
		{"hang", func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) { p.Do("inc", nil, func() any { return nil }) })
			r.Go(func(p *linsattest.Process) { p.Do("get", nil, func() any { return <-forever }) })
		}, []string{"operation get of process 1 has not returned after 50ms", "goroutines of the run are left behind"}},
		{"one process twice", func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) {
				p.Call("inc", nil)
				p.Call("inc", nil)
			})
		}, []string{"the recording is not a history: process 0 calls \"inc\" while an operation of it is open"}},
		{"Go too late", func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) {
				r.Go(func(p *linsattest.Process) {})
			})
		}, []string{"Run.Go was called by a process"}},
		{"another specification's operation", func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) { p.Do("push", 1, func() any { return nil }) })
		}, []string{`"push"`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			o := try(t, func(t testing.TB) { linsattest.Check(t, counter, row.f) })
			require.Len(t, o.errors, 1)
			for _, want := range row.says {
				assert.Contains(t, o.errors[0], want)
			}
		})
	}
}

// A panic does not hide a violation: the outcome of that operation is unknown.
func TestAPanicIsAnUnknownOutcome(t *testing.T) {
	set(t, "linsat.dir", t.TempDir())
	o := try(t, func(t testing.TB) {
		linsattest.Check(t, spec.MustLookup("register"), func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) {
				p.Do("read", nil, func() any { return 5 })
				p.Do("write", 5, func() any { panic("disk full") })
			})
		})
	})
	require.Len(t, o.errors, 1)
	assert.Regexp(t, `^not linearizable`, o.errors[0])
}

// Without overlap there is a warning, and with it there is none.
func TestWarnsIfNothingOverlaps(t *testing.T) {
	set(t, "linsat.duration", "20ms")
	warned := func(processes int) bool {
		var inside, most atomic.Int64
		o := try(t, func(t testing.TB) {
			linsattest.Check(t, spec.MustLookup("counter"), func(r *linsattest.Run) {
				var n atomic.Int64
				for range processes {
					r.Go(func(p *linsattest.Process) {
						for range 3 {
							p.Do("inc", nil, func() any {
								most.Store(max(most.Load(), inside.Add(1)))
								for deadline := time.Now().Add(time.Second); processes > 1 && most.Load() < 2 &&
									time.Now().Before(deadline); {
									runtime.Gosched()
								}
								n.Add(1)
								inside.Add(-1)
								return nil
							})
						}
					})
				}
			})
		})
		assert.False(t, o.failed, o.errors)
		return strings.Contains(strings.Join(o.logs, "\n"), "warning: no two operations overlapped")
	}
	assert.True(t, warned(1))
	assert.False(t, warned(4))
}

// The options are those of linsat.Check: a queue of two lanes is a queue within a factor.
func TestOptions(t *testing.T) {
	set(t, "linsat.duration", "20ms")
	set(t, "linsat.dir", t.TempDir())
	queue := spec.MustLookup("queue")
	program := func(r *linsattest.Run) {
		r.Go(func(p *linsattest.Process) {
			for _, v := range []int{1, 2} {
				p.Do("enq", v, func() any { return nil })
			}
			for _, v := range []int{2, 1} {
				p.Do("deq", nil, func() any { return v })
			}
		})
	}
	request, err := quasi.Parse(queue.Info(), "2")
	require.NoError(t, err)
	o := try(t, func(t testing.TB) { linsattest.Check(t, queue, program) })
	assert.True(t, o.failed)
	linsattest.Check(t, queue, program, linsat.Quasi(quasi.Question{Factor: request.Factor}))
}

// A panic that says much does not fill the output.
func TestOutputIsBounded(t *testing.T) {
	o := try(t, func(t testing.TB) {
		linsattest.Check(t, spec.MustLookup("counter"), func(r *linsattest.Run) {
			r.Go(func(p *linsattest.Process) {
				p.Do("inc", nil, func() any { panic(strings.Repeat(strings.Repeat("x", 1000)+"\n", 1000)) })
			})
		})
	})
	require.Len(t, o.errors, 1)
	assert.Less(t, len(o.errors[0]), 20_000)
	assert.Regexp(t, regexp.MustCompile(`… and \d+ more lines`), o.errors[0])
}
