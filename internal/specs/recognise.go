package specs

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Guess is a specification that a history does not name, recognised by its operations.
type Guess struct {
	Spec model.Spec
	// From holds the names of the operations that show it, as the history writes them, sorted.
	From []string
	// Others holds the specifications with another meaning that have all these operations, too.
	Others []string
}

// Recognise guesses the specification of a history that names none, by the names of its operations
// and by their arguments and results. It uses what test suites and model libraries mean by these
// names (conventions), or else the only specification that fits. It never guesses from reads alone.
// The error is a *history.Error that lists the names and what fits.
func Recognise(h *history.History) (*Guess, error) {
	names := functions(h)
	if len(h.Ops) == 0 {
		return &Guess{Spec: Register()}, nil // every specification accepts it
	}
	if err := transactional(h, names); err != nil {
		return nil, err
	}
	fits, near := fitting(h, names)
	for _, c := range conventions {
		if !slices.Contains(fits, c.spec) || !c.holds(h, names) {
			continue
		}
		spec := c.spec
		if weaker := Weaker(spec); promisesNoOrder(h.Test) && slices.Contains(fits, weaker) {
			spec = weaker
		}
		s, _ := Lookup(spec)
		g := &Guess{Spec: s, From: names}
		for _, other := range fits {
			if other != spec && !slices.Contains(c.same, other) {
				g.Others = append(g.Others, other)
			}
		}
		return g, nil
	}
	list := strings.Join(names, ", ")
	reads := true // no operation can change the object, whichever it is
	for _, name := range fits {
		s, _ := Lookup(name)
		reads = reads && onlyReads(s, h)
		if len(fits) == 1 && !reads {
			return &Guess{Spec: s, From: names}, nil
		}
	}
	e := &history.Error{File: h.Source,
		What: "the history does not name its specification, and none can be inferred from its operations: " + list,
		Hint: "name one with --spec: `linsat specs` lists them, and a file can hold your own (docs/own-specification.md)"}
	switch {
	case len(fits) > 0:
		e.What = "the history does not name its specification, and its operations fit several: " + list
		e.Hint = "name one of them, such as --spec " + fits[0] + ": " + strings.Join(fits, ", ")
		if reads {
			e.What = "the history does not name its specification, and reads alone do not show it: " + list
		}
	case len(near) > 0:
		e.Hint += ". The nearest: " + strings.Join(near, "; ")
	}
	return nil, e
}

// promisesNoOrder reports whether a test has the name of Jepsen's workload of queues without
// order.
func promisesNoOrder(test string) bool {
	test = Fold(test)
	return strings.Contains(test, "totalqueue") || strings.Contains(test, "unorderedqueue")
}

// Weaker returns a specification of the same operations that allows more, and that objects may have
// promised in place of the one that operations suggest; "" for none.
func Weaker(spec string) string {
	if spec == "queue" {
		return "unordered-queue"
	}
	return ""
}

// functions lists the names of the operations, those known to have failed included, sorted.
func functions(h *history.History) []string {
	seen := map[history.Value]bool{}
	var names []string
	note := func(f history.Value) {
		if !seen[f] {
			seen[f] = true
			name, _ := h.Values.AsString(f)
			names = append(names, name)
		}
	}
	for i := range h.Ops {
		note(h.Ops[i].F)
	}
	for _, f := range h.FailedF {
		note(f)
	}
	slices.Sort(names)
	return names
}

// convention is what the users of some names mean by them.
type convention struct {
	spec  string
	names []string // all names that it has
	needs []string // at least one of which must occur
	same  []string // specifications that give the names the same meaning
	shows func(h *history.History) bool
}

// conventions lists what Jepsen's tests, Knossos' models, Porcupine's logs and java.util.concurrent
// mean.
var conventions = []convention{
	{spec: "bank", names: []string{"read", "transfer"}, needs: []string{"transfer"}},
	{spec: "multi-register", names: []string{"txn"}, needs: []string{"txn"}},
	{spec: "multi-register", names: []string{"read", "write", "txn"}, needs: []string{"write"},
		shows: func(h *history.History) bool {
			return given(h, "write", model.KindMap)
		}},
	{spec: "set", names: []string{"add", "broadcast", "read"}, needs: []string{"add", "broadcast"},
		shows: func(h *history.History) bool { return found(h, "read", model.KindList) }},
	{spec: "counter", names: []string{"add", "inc", "increment", "incr", "dec", "decrement", "decr", "read"},
		needs: []string{"add", "inc", "increment", "incr", "dec", "decrement", "decr"},
		shows: func(h *history.History) bool { return found(h, "read", model.KindInt) }},
	{spec: "log", names: []string{"append", "read"}, needs: []string{"append"}, shows: func(h *history.History) bool {
		return found(h, "read", model.KindList)
	}},
	{spec: "register", names: []string{"read", "write"}, needs: []string{"write"}, same: []string{"cas-register", "kv",
		"counter"}, shows: plain},
	{spec: "cas-register", names: []string{"read", "write", "cas"}, needs: []string{"cas"},
		same: []string{"kv", "counter"}, shows: plain},
	{spec: "kv", names: []string{"get", "put", "append", "delete", "cas"}, needs: []string{"put", "append", "delete",
		"cas"}, shows: keyed},
	{spec: "fenced-mutex", names: []string{"acquire", "release", "lock", "unlock", "tryacquire", "trylock"},
		needs: []string{"acquire", "lock"},
		shows: func(h *history.History) bool {
			return found(h, "acquire", model.KindInt) || found(h, "lock", model.KindInt)
		}},
	{spec: "mutex", names: []string{"acquire", "release", "lock", "unlock", "tryacquire", "trylock"},
		needs: []string{"acquire", "lock", "tryacquire", "trylock"}},
	{spec: "queue", names: []string{"enqueue", "dequeue", "drain"}, needs: []string{"enqueue"}},
	{spec: "stack", names: []string{"push", "pop"}, needs: []string{"push"}},
	{spec: "unique-ids", names: []string{"generate"}, needs: []string{"generate"}},
}

// holds reports whether all names are of the convention, and one that it needs occurs.
func (c *convention) holds(h *history.History, names []string) bool {
	needed := false
	for _, name := range names {
		name = Fold(name)
		if !slices.Contains(c.names, name) {
			return false
		}
		needed = needed || slices.Contains(c.needs, name)
	}
	return needed && (c.shows == nil || c.shows(h))
}

// given reports whether there are operations of that name, all with an argument of the kind.
func given(h *history.History, name string, kind model.Kind) bool {
	some := false
	for i := range h.Ops {
		o := &h.Ops[i]
		if !is(h, o.F, name) {
			continue
		}
		if model.KindOf(h.Values, o.Arg) != kind {
			return false
		}
		some = true
	}
	return some
}

// found reports whether operations of that name returned something, and always of that kind.
func found(h *history.History, name string, kind model.Kind) bool {
	some := false
	for i := range h.Ops {
		o := &h.Ops[i]
		if !is(h, o.F, name) || o.Unknown || o.Result == history.Nil {
			continue
		}
		if model.KindOf(h.Values, o.Result) != kind {
			return false
		}
		some = true
	}
	return some
}

// plain reports whether no read names what it reads, as a read of one of several registers does.
func plain(h *history.History) bool {
	for i := range h.Ops {
		if o := &h.Ops[i]; is(h, o.F, "read") && o.Arg != history.Nil {
			return false
		}
	}
	return true
}

// keyed reports whether every operation names a key.
func keyed(h *history.History) bool {
	return !slices.ContainsFunc(h.Ops, func(o history.Op) bool { return o.Key == history.NoKey })
}

func is(h *history.History, f history.Value, name string) bool {
	s, _ := h.Values.AsString(f)
	return Fold(s) == name
}

// fitting lists the specifications that have all the names and accept the values of the first
// operations; and for the nearest others what is missing.
func fitting(h *history.History, names []string) (fits, near []string) {
	type miss struct {
		spec    string
		lacks   []string
		because string
	}
	var misses []miss
	for _, s := range builtin {
		info := s.Info()
		table := NameTable(info.Operations)
		m := miss{spec: info.Name}
		for _, name := range names {
			if _, ok := table[Fold(name)]; !ok {
				m.lacks = append(m.lacks, name)
			}
		}
		if len(m.lacks) == 0 {
			err := trial(s, h)
			if err == nil {
				fits = append(fits, info.Name)
				continue
			}
			m.because = err.Error()
			var e *history.Error
			if errors.As(err, &e) {
				m.because = e.What
			}
		}
		if len(m.lacks) < len(names) {
			misses = append(misses, m)
		}
	}
	sort.SliceStable(misses, func(a, b int) bool { return len(misses[a].lacks) < len(misses[b].lacks) })
	for _, m := range misses[:min(len(misses), 4)] {
		if m.because != "" {
			near = append(near, m.spec+" ("+m.because+")")
		} else {
			near = append(near, m.spec+" lacks "+strings.Join(m.lacks, ", "))
		}
	}
	return fits, near
}

// trial binds the first operations.
func trial(s model.Spec, h *history.History) error {
	if s.Info().KeyIsPiece && !keyed(h) {
		return fmt.Errorf("not every operation names a key")
	}
	p := model.Whole(h)
	p.Edges = nil
	p.Ops = p.Ops[:min(len(p.Ops), fitted)]
	_, err := s.Bind(p)
	return err
}

// onlyReads reports whether none of the first operations can change the object.
func onlyReads(s model.Spec, h *history.History) bool {
	p := model.Whole(h)
	p.Edges = nil
	p.Ops = p.Ops[:min(len(p.Ops), fitted)]
	b, err := s.Bind(p)
	return err == nil && !slices.Contains(b.ReadOnly, false)
}

// transactional is the error for transactions that append to lists, which no specification has.
func transactional(h *history.History, names []string) error {
	if i := Appending(h); i >= 0 && slices.Contains(names, "txn") {
		return h.OpError(i, "a transaction that appends to lists, which no specification describes",
			"`linsat solve` decides levels of isolation of such a history: --consistency LEVEL")
	}
	return nil
}

// Appending returns the first transaction that appends to a list; -1 for none.
func Appending(h *history.History) history.OpID {
	for i := range h.Ops {
		steps, _ := h.Values.AsList(h.Ops[i].Arg)
		for _, step := range steps {
			access, _ := h.Values.AsList(step)
			if len(access) == 0 {
				continue
			}
			if f, _ := h.Values.AsString(access[0]); f == "append" {
				return history.OpID(i)
			}
		}
	}
	return -1
}
