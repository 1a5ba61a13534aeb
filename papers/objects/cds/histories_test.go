//go:build !linsat_native

package cds

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unannotated are the specifications of the structures: shipped ones, but for the MPMC queue, whose
// operations are halves of those of a queue.
var unannotated = map[string]struct {
	spec   spec.Spec
	record func(method string, args, result any) cdsspec.Operation
}{
	"chase-lev": {spec.MustLookup("deque"), func(method string, args, result any) cdsspec.Operation {
		switch {
		case method == "Push":
			return cdsspec.Operation{F: "pushback", Arg: args}
		case result == abort:
			return cdsspec.Operation{}
		case result == empty:
			result = nil
		}
		return cdsspec.Operation{F: map[string]string{"Take": "popback", "Steal": "popfront"}[method], Result: result}
	}},
	"spsc-queue": {spec.MustLookup("queue"), recordQueue},
	"ms-queue-c11": {spec.MustLookup("queue"), func(method string, args, result any) cdsspec.Operation {
		if got, ok := result.(taken); ok && !got.ok {
			result = nil
		} else if ok {
			result = got.value
		}
		return recordQueue(method, args, result)
	}},
	"mpmc-queue": {halves(), func(method string, args, result any) cdsspec.Operation {
		o := cdsspec.Operation{F: strings.ToLower(method)}
		if method == "Prepare" {
			o.Arg = args
		}
		if b, ok := result.(bin); ok {
			o.Result = b.ok
		}
		return o
	}},
	"rcu": {spec.MustLookup("register"), func(method string, args, result any) cdsspec.Operation {
		if method == "Update" {
			return cdsspec.Operation{F: "write", Arg: args}
		}
		if got := result.(snapshot); got.version > 0 {
			return cdsspec.Operation{F: "read", Result: got.data}
		}
		return cdsspec.Operation{F: "read"}
	}},
	"click-hashtable": {spec.MustLookup("kv"), func(method string, args, result any) cdsspec.Operation {
		if result == 0 {
			result = nil
		}
		if method == "Get" {
			return cdsspec.Operation{F: "get", Key: args, Result: result}
		}
		return cdsspec.Operation{F: "swap", Key: args.(pair).key, Arg: args.(pair).content, Result: result}
	}},
	"mcs-lock": {spec.MustLookup("mutex"), func(method string, _, _ any) cdsspec.Operation {
		return cdsspec.Operation{F: strings.ToLower(method)}
	}},
	"linux-rwlock": {spec.MustLookup("rwmutex"), func(method string, _, result any) cdsspec.Operation {
		if result == false {
			return cdsspec.Operation{} // tries may fail in vain
		}
		f := map[string]string{"ReadLock": "rlock", "ReadTryLock": "tryrlock", "ReadUnlock": "runlock",
			"WriteLock": "lock", "WriteTryLock": "trylock", "WriteUnlock": "unlock"}[method]
		o := cdsspec.Operation{F: f}
		if strings.HasPrefix(f, "try") {
			o.Result = true
		}
		return o
	}},
}

// halves specifies a bounded queue by how many insertions and removals have begun and ended. A
// prepare or a fetch may fail in vain.
func halves() spec.Spec {
	s, err := spec.Define(spec.Definition[ends]{
		Name:       "halves",
		Operations: []meta.Operation{{Name: "prepare"}, {Name: "publish"}, {Name: "fetch"}, {Name: "consume"}},
		Step: func(s ends, c spec.Call) []spec.Outcome[ends] {
			next := s
			possible := true
			switch c.F {
			case "prepare":
				next.prepared++
				possible = s.prepared-s.consumed < spec.As[int](c.Arg)
			case "fetch":
				next.fetched++
				possible = s.fetched < s.published
			case "publish":
				next.published++
				return []spec.Outcome[ends]{{Next: next}}
			case "consume":
				next.consumed++
				return []spec.Outcome[ends]{{Next: next}}
			}
			failed := spec.Outcome[ends]{Output: false, Next: s}
			if !possible {
				return []spec.Outcome[ends]{failed}
			}
			return []spec.Outcome[ends]{failed, {Output: true, Next: next}}
		},
	})
	if err != nil {
		panic(err)
	}
	return s
}

func recordQueue(method string, args, result any) cdsspec.Operation {
	if method == "Enqueue" {
		return cdsspec.Operation{F: "enq", Arg: args}
	}
	return cdsspec.Operation{F: "deq", Result: result}
}

// TestWithoutAnnotations compares the annotated verdicts of the structures with what specifications
// of their operations say about histories. Where they differ, the test says why.
func TestWithoutAnnotations(t *testing.T) {
	differ := map[string]cdsspec.Verdict{
		// both threads do an update and then a read: in program order no sequential history
		// explains that both reads find the first version
		"rcu two objects, hb":         cdsspec.Correctness,
		"rcu two objects, opo and hb": cdsspec.Cycle,
		// readers have no names in the specification, so that a reader's unlock can need the lock
		// of another reader, with which it does not synchronise
		"linux-rwlock tries, opo and hb": cdsspec.Synchronization,
		"linux-rwlock paper, opo and hb": cdsspec.Synchronization,
	}
	compared := 0
	for _, s := range Structures() {
		u, known := unannotated[s.Key]
		require.True(t, known, s.Key)
		for _, d := range s.Drivers {
			slow := s.Key == "linux-rwlock" && d.Name == "paper"
			if !d.Paper && d.Name != "two objects" || slow && !testenv.Full() {
				continue
			}
			annotated := verdict(t, d.Program, c11.Options{})
			for _, points := range []bool{false, true} {
				name := s.Key + " " + d.Name + map[bool]string{false: ", hb", true: ", opo and hb"}[points]
				r, err := cdsspec.CheckHistories(context.Background(), d.Program, u.spec, u.record,
					cdsspec.Options{Points: points})
				require.NoError(t, err, name)
				if want, other := differ[name]; other {
					assert.Equal(t, want, r.Verdict, "%s: %s", name, r.Text())
				} else {
					assert.Equal(t, annotated.Verdict, r.Verdict, "%s: %s", name, r.Text())
					assert.Equal(t, annotated.Counts, r.Counts, name)
				}
				compared++
			}
		}
	}
	assert.GreaterOrEqual(t, compared, 16)
}
