package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Metamorphic laws: what a change of a history does to its verdict, without knowing the verdict.
// Histories are changed as text, in linsat's JSON, so that reading takes part.

// document is a history as JSON.
type document struct {
	Spec       string           `json:"spec"`
	Initial    *any             `json:"initial,omitempty"`
	Operations []map[string]any `json:"operations"`
	Order      [][2]any         `json:"order,omitempty"`
}

// documentOf writes h, with an id for every operation by which "order" names it, and with room
// between the times.
func documentOf(t *testing.T, h *history.History, name string) *document {
	var text bytes.Buffer
	require.NoError(t, history.WriteJSON(&text, h))
	decoder := json.NewDecoder(&text)
	decoder.UseNumber()
	d := &document{}
	require.NoError(t, decoder.Decode(d))
	d.Spec = name
	id := func(x any) string { return fmt.Sprintf("op %v", x) }
	for k, o := range d.Operations {
		known, named := o["id"]
		if !named {
			known = k
		}
		o["id"] = id(known)
		for _, event := range []string{"call", "return"} {
			if _, ok := o[event]; ok {
				o[event] = 100 * at(o, event)
			}
		}
	}
	for k := range d.Order {
		d.Order[k] = [2]any{id(d.Order[k][0]), id(d.Order[k][1])}
	}
	return d
}

// at is a time of an operation.
func at(o map[string]any, event string) int64 {
	switch n := o[event].(type) {
	case json.Number:
		t, err := n.Int64()
		if err != nil {
			panic(err)
		}
		return t
	case int64:
		return n
	}
	panic(fmt.Sprintf("%s of %v", event, o))
}

func (d *document) text() string {
	b, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// copy is a deep copy.
func (d *document) copy() *document {
	decoder := json.NewDecoder(strings.NewReader(d.text()))
	decoder.UseNumber()
	c := &document{}
	if err := decoder.Decode(c); err != nil {
		panic(err)
	}
	return c
}

func (d *document) read(t *testing.T) *history.History {
	h, err := history.Read(strings.NewReader(d.text()), history.ReadOptions{})
	require.NoError(t, err, d.text())
	return h
}

// neighbours are the operations of the same process before and after operation k, nil where there
// is none.
func (d *document) neighbours(k int) (before, after map[string]any) {
	o := d.Operations[k]
	for i, p := range d.Operations {
		if i == k || p["process"] != o["process"] {
			continue
		}
		if earlier := at(p, "call") < at(o, "call") || at(p, "call") == at(o, "call") && i < k; earlier {
			if before == nil || at(p, "call") >= at(before, "call") {
				before = p
			}
		} else if after == nil || at(p, "call") < at(after, "call") {
			after = p
		}
	}
	return before, after
}

// The changes. Each returns nil where it does not apply.

func shifted(d *document, r *rand.Rand) *document {
	c := d.copy()
	by, factor := r.Int64N(1_000_000)-500_000, 1+r.Int64N(1000)
	for _, o := range c.Operations {
		o["call"] = factor*at(o, "call") + by
		if _, ok := o["return"]; ok {
			o["return"] = factor*at(o, "return") + by
		}
	}
	return c
}

// reordered puts the operations down in another order: any, but that operations of one process at
// one moment stay in theirs, since nothing else tells which of them came first.
func reordered(d *document, r *rand.Rand) *document {
	c := d.copy()
	r.Shuffle(len(c.Operations), func(i, j int) { c.Operations[i], c.Operations[j] = c.Operations[j], c.Operations[i] })
	for i, p := range c.Operations {
		for j := range i {
			q := c.Operations[j]
			if p["process"] == q["process"] && at(p, "call") == at(q, "call") {
				c.Operations = nil
				break
			}
		}
		if c.Operations == nil {
			return nil
		}
	}
	r.Shuffle(len(c.Order), func(i, j int) { c.Order[i], c.Order[j] = c.Order[j], c.Order[i] })
	return c
}

func renamedProcesses(d *document, r *rand.Rand) *document {
	c := d.copy()
	names := r.Perm(1000)
	seen := map[any]any{}
	for _, o := range c.Operations {
		p := o["process"]
		if seen[p] == nil {
			seen[p] = names[len(seen)]
			if r.IntN(2) == 0 {
				seen[p] = fmt.Sprintf("process é%d", names[len(seen)])
			}
		}
		o["process"] = seen[p]
	}
	return c
}

// renamedValues renames values and keys one to one, numbers in their order and texts letter by
// letter, where the specification takes them for names.
func renamedValues(d *document, r *rand.Rand) *document {
	c := d.copy()
	add, turn := 1+r.Int64N(1000), rune(1+r.IntN(20))
	text := func(s string) string {
		return strings.Map(func(x rune) rune { return x + turn }, s)
	}
	var rename func(v any) any
	rename = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			n, err := v.Int64()
			if err != nil {
				panic(err)
			}
			return n + add
		case string:
			return text(v)
		case []any:
			out := make([]any, len(v))
			for i := range v {
				out[i] = rename(v[i])
			}
			return out
		case map[string]any:
			out := map[string]any{}
			for k := range v {
				out[text(k)] = rename(v[k])
			}
			return out
		}
		return v
	}
	numbers := slices.Contains([]string{"counter", "mutex", "owned-mutex", "reentrant-mutex", "fenced-mutex", "rwmutex",
		"semaphore", "bank"}, c.Spec)
	if c.Initial != nil && !numbers {
		switch initial := (*c.Initial).(type) {
		case json.Number:
			if c.Spec != "bounded-queue" { // whose capacity it is
				*c.Initial = rename(initial)
			}
		case map[string]any:
			switch c.Spec {
			case "bounded-queue":
				initial["items"] = rename(initial["items"])
			case "etcd":
				*c.Initial = renamedFields(initial, text)
			default:
				*c.Initial = rename(initial)
			}
		default:
			*c.Initial = rename(initial)
		}
	}
	for _, o := range c.Operations {
		if key, ok := o["key"]; ok {
			o["key"] = rename(key)
		}
		for _, field := range []string{"arg", "result"} {
			switch f := o["f"]; {
			case c.Spec == "etcd":
				if v, ok := o[field]; ok {
					o[field] = renamedFields(v, text)
				}
			case numbers, f == "size" && field == "result", f == "offer" && field == "result", c.Spec == "log" &&
				(f == "append") == (field == "result"):
			case f == "txn" && o[field] != nil:
				for _, step := range o[field].([]any) {
					s := step.([]any)
					s[1], s[2] = rename(s[1]), rename(s[2])
				}
			default:
				if v, ok := o[field]; ok {
					o[field] = rename(v)
				}
			}
		}
	}
	return c
}

// renamedFields renames the keys and values of etcd's requests and responses that are texts, which
// stand in fields of these names.
func renamedFields(v any, text func(string) string) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = renamedFields(v[i], text)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			s, isText := v[k].(string)
			// The end "\x00" stands for all keys that follow.
			if isText && (k == "key" || k == "value" || k == "end" && s != "\x00") {
				out[k] = text(s)
			} else {
				out[k] = renamedFields(v[k], text)
			}
		}
		return out
	}
	return v
}

// withoutPending drops a pending operation that no edge names (edges also hand on the order between
// others).
func withoutPending(d *document, r *rand.Rand) *document {
	c := d.copy()
	var pending []int
	for k, o := range c.Operations {
		_, returned := o["return"]
		named := slices.ContainsFunc(c.Order, func(e [2]any) bool { return slices.Contains(e[:], o["id"]) })
		if !returned && o["status"] != "fail" && !named {
			pending = append(pending, k)
		}
	}
	if len(pending) == 0 || len(c.Operations) == 1 {
		return nil
	}
	k := pending[r.IntN(len(pending))]
	c.Operations = slices.Delete(c.Operations, k, k+1)
	return c
}

// widened lets an operation begin earlier or end later, within what its process leaves free.
func widened(d *document, r *rand.Rand) *document {
	c := d.copy()
	k := r.IntN(len(c.Operations))
	o := c.Operations[k]
	before, after := c.neighbours(k)
	call := at(o, "call") - r.Int64N(2000)
	if before != nil {
		if _, ok := before["return"]; !ok {
			return nil
		}
		call = max(call, at(before, "return")+1)
	}
	o["call"] = min(call, at(o, "call"))
	if _, ok := o["return"]; ok {
		end := at(o, "return") + r.Int64N(2000)
		if after != nil {
			end = min(end, at(after, "call")-1)
		}
		o["return"] = max(end, at(o, "return"))
	}
	return c
}

// unanswered takes the return and the result from the last operation of a process.
func unanswered(d *document, r *rand.Rand) *document {
	c := d.copy()
	k := r.IntN(len(c.Operations))
	o := c.Operations[k]
	if _, after := c.neighbours(k); after != nil || o["status"] == "fail" {
		return nil
	}
	delete(o, "return")
	delete(o, "result")
	delete(o, "status")
	return c
}

// loosened drops an explicit edge. (What it handed on through others goes with it.)
func loosened(d *document, r *rand.Rand) *document {
	if len(d.Order) == 0 {
		return nil
	}
	c := d.copy()
	k := r.IntN(len(c.Order))
	c.Order = slices.Delete(c.Order, k, k+1)
	return c
}

var metamorphoses = []struct {
	name   string
	change func(d *document, r *rand.Rand) *document
	// yes: a yes stays a yes; no: a no stays a no.
	yes, no bool
}{
	{"shifted times", shifted, true, true},
	{"other order in the file", reordered, true, true},
	{"other processes", renamedProcesses, true, true},
	{"other values", renamedValues, true, true},
	{"a pending operation less", withoutPending, false, true},
	{"a wider interval", widened, true, false},
	{"a response less", unanswered, true, false},
	{"an edge less", loosened, true, false},
}

// TestVerdictsSurviveTransformations changes small histories in ways that keep a verdict or can
// change it in one direction only, and asks again with another engine and another split.
func TestVerdictsSurviveTransformations(t *testing.T) {
	scopes := []model.Partitioning{model.ByKey, model.ByObject, model.Unpartitioned}
	engines := []string{"auto", "search", "sat", "monitor"}
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kept, moved := 0, 0
			for seed := range uint64(testenv.Scale(100, 2000)) {
				small, err := gen.Small(name, seed, gen.SmallOptions{Most: 10, NoEnds: true})
				require.NoError(t, err)
				d := documentOf(t, small, name)
				if len(d.Operations) == 0 { // all failed
					continue
				}
				r := rand.New(rand.NewPCG(seed, 77))
				ask := func(d *document, e string) engine.Verdict {
					result, err := linsat.Check(context.Background(), s, d.read(t), linsat.Engine(linsat.Engines(e)),
						linsat.Partition(linsat.Partitioning(scopes[r.IntN(3)].String())),
						linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
					require.NoError(t, err, "seed %d: %s", seed, d.text())
					return result.Verdict
				}
				was := ask(d, "search")
				require.NotEqual(t, engine.Unknown, was, "seed %d", seed)
				for _, m := range metamorphoses {
					c := m.change(d, r)
					if c == nil {
						continue
					}
					e := engines[r.IntN(len(engines))]
					is := ask(c, e)
					switch {
					case is == engine.Unknown:
						assert.Contains(t, engines[2:], e, "seed %d, %s: %s", seed, m.name, c.text())
					case is == was:
						kept++
					default:
						moved++
						stays := m.yes && was == engine.Linearizable || m.no && was == engine.NotLinearizable
						require.False(t, stays, "seed %d: %s by %s makes %v of %v:\n%s\n%s", seed, m.name, e, is, was,
							d.text(), c.text())
					}
				}
			}
			t.Logf("%d verdicts kept, %d changed in the direction that may", kept, moved)
			assert.Greater(t, kept, 100)
			assert.Positive(t, moved)
		})
	}
}

// TestQuasiVerdictsSurviveTransformations does the same under factors, and compares bounds and
// meanings with each other: K with K+1, slots with classes, drained or not, the bound 0 with plain
// linearizability, the least bound with the single ones.
func TestQuasiVerdictsSurviveTransformations(t *testing.T) {
	for _, s := range specs.All() {
		info := s.Info()
		if !slices.ContainsFunc(info.Classes, func(c model.Class) bool { return c.Relaxable }) {
			continue
		}
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			var accepted, refused int
			for seed := range uint64(testenv.Scale(100, 600)) {
				small, err := gen.Small(info.Name, seed, gen.SmallOptions{Most: 7, NoEnds: true, Relax: int(seed % 3)})
				require.NoError(t, err)
				d := documentOf(t, small, info.Name)
				if len(d.Operations) == 0 { // all failed
					continue
				}
				r := rand.New(rand.NewPCG(seed, 78))
				ask := func(d *document, factor string, relax quasi.Question) (engine.Verdict, *linsat.Least) {
					request, err := quasi.Parse(info, factor)
					require.NoError(t, err)
					relax.Factor, relax.Free = request.Factor, request.Free
					result, err := linsat.Check(context.Background(), s, d.read(t), linsat.Quasi(relax),
						linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
					require.NoError(t, err, "seed %d: %s", seed, d.text())
					require.NotEqual(t, engine.Unknown, result.Verdict, "seed %d %s %+v: %v %s: %s", seed, factor,
						relax, result.Cause, result.Detail, d.text())
					return result.Verdict, result.Least
				}
				drain := seed%2 == 0
				yes := map[quasi.Meaning]int{} // the least bound among those tried
				bounds := []string{"0", "1", "2", "inf"}
				for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
					relax := quasi.Question{Meaning: meaning, Drain: drain}
					yes[meaning] = len(bounds)
					for k, factor := range bounds {
						v, _ := ask(d, factor, relax)
						if v == engine.Linearizable {
							accepted++
							yes[meaning] = min(yes[meaning], k)
						} else {
							refused++
							require.Less(t, k, yes[meaning], "seed %d, %v: refused at %s, accepted at %s: %s", seed,
								meaning, factor, bounds[min(k, yes[meaning])], d.text())
						}
						m := metamorphoses[r.IntN(len(metamorphoses))]
						if c := m.change(d, r); c != nil {
							if w, _ := ask(c, factor, relax); w != v {
								stays := m.yes && v == engine.Linearizable || m.no && v == engine.NotLinearizable
								require.False(t, stays, "seed %d: %s makes %v of %v at %s (%v):\n%s\n%s", seed, m.name,
									w, v, factor, meaning, d.text(), c.text())
							}
						}
					}
					v, least := ask(d, "min", relax)
					require.True(t, least.Settled(), "seed %d", seed)
					switch at := yes[meaning]; {
					case at == len(bounds):
						require.Equal(t, engine.NotLinearizable, v, "seed %d: %s", seed, d.text())
						require.Equal(t, quasi.Unbounded, least.Low, "seed %d: %s", seed, d.text())
					case at == len(bounds)-1:
						require.Greater(t, least.Low, int32(2), "seed %d: %s", seed, d.text())
						require.Less(t, least.Low, quasi.Unbounded, "seed %d: %s", seed, d.text())
					default:
						require.Equal(t, int32(at), least.Low, "seed %d: %s", seed, d.text())
					}
				}
				require.LessOrEqual(t, yes[quasi.Classes], yes[quasi.Slots],
					"seed %d: classes accepts what slots accepts: %s", seed, d.text())
				if !drain {
					plain, err := linsat.Check(context.Background(), s, d.read(t),
						linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
					require.NoError(t, err)
					require.Equal(t, plain.Verdict == engine.Linearizable, yes[quasi.Slots] == 0, "seed %d: %s",
						seed, d.text())
				}
			}
			t.Logf("%d accepted, %d refused", accepted, refused)
			assert.Greater(t, min(accepted, refused), testenv.MoreThan(50))
		})
	}
}
