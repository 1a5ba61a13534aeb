package conformance_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Specifications against models that are written here once more, from their description alone: over
// Go values instead of numbers, with no regard for package spec, and with whatever a history leaves
// open (a capacity, balances at first, tokens, owners) tried out one by one. Histories are decided
// by trying all orders.

// naiveModel is one object. A step returns the objects that an operation may leave; it never
// changes its receiver.
type naiveModel interface {
	step(o naiveOp) []naiveModel
}

// naiveOp is an operation with its values as Go values: nil, bool, int64, string, []any,
// map[string]any.
type naiveOp struct {
	f, process  string
	arg, result any
	open        bool // the result is not known
}

func goValue(t *history.Values, v history.Value) any {
	switch model.KindOf(t, v) {
	case model.KindBool:
		return v == history.True
	case model.KindInt:
		n, _ := t.AsInt(v)
		return n
	case model.KindString:
		s, _ := t.AsString(v)
		return s
	case model.KindList:
		elements, _ := t.AsList(v)
		list := []any{}
		for _, e := range elements {
			list = append(list, goValue(t, e))
		}
		return list
	case model.KindMap:
		pairs, _ := t.AsMap(v)
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[fmt.Sprint(goValue(t, pairs[i]))] = goValue(t, pairs[i+1])
		}
		return m
	}
	return nil
}

// naiveLinearizable tries all orders of the operations of one object.
func naiveLinearizable(h *history.History, members []history.OpID, starts []naiveModel) bool {
	done := make([]bool, len(members))
	before := func(a, b history.OpID) bool {
		return h.Ops[a].Return < h.Ops[b].Call || slices.Contains(h.Edges, history.Edge{Before: a, After: b})
	}
	var try func(m naiveModel) bool
	try = func(m naiveModel) bool {
		left := false
		for k, i := range members {
			left = left || !done[k] && !h.Ops[i].Pending()
		}
		if !left {
			return true
		}
		for k, i := range members {
			free := !done[k]
			for l, j := range members {
				free = free && (done[l] || l == k || !before(j, i))
			}
			if !free {
				continue
			}
			o := &h.Ops[i]
			f, _ := h.Values.AsString(o.F)
			done[k] = true
			for _, next := range m.step(naiveOp{f, h.Processes[o.Process], goValue(h.Values, o.Arg),
				goValue(h.Values, o.Result), o.Unknown}) {
				if try(next) {
					return true
				}
			}
			done[k] = false
		}
		return false
	}
	return slices.ContainsFunc(starts, try)
}

// naiveBag is a multiset; a queue that is bounded knows its capacity and keeps an order.
type naiveBag struct{ items []any }

func (m naiveBag) step(o naiveOp) (next []naiveModel) {
	switch o.f {
	case "enq":
		return []naiveModel{naiveBag{append(slices.Clone(m.items), o.arg)}}
	case "size":
		if o.open || o.result == int64(len(m.items)) {
			return []naiveModel{m}
		}
		return nil
	case "drain":
		rest := slices.Clone(m.items)
		if !o.open {
			for _, v := range o.result.([]any) {
				k := slices.Index(rest, v)
				if k < 0 {
					return nil
				}
				rest = slices.Delete(rest, k, k+1)
			}
			if len(rest) > 0 {
				return nil
			}
		}
		return []naiveModel{naiveBag{}}
	}
	for k, v := range m.items {
		if o.open || v == o.result {
			if o.f == "peek" {
				next = append(next, m)
			} else {
				next = append(next, naiveBag{slices.Delete(slices.Clone(m.items), k, k+1)})
			}
		}
	}
	if len(m.items) == 0 && (o.open || o.result == nil) {
		next = append(next, m)
	}
	return next
}

type naiveBounded struct {
	items    []any
	capacity int
}

func (m naiveBounded) step(o naiveOp) (next []naiveModel) {
	fits := len(m.items) < m.capacity
	same, more := []naiveModel{m}, []naiveModel{naiveBounded{append(slices.Clone(m.items), o.arg), m.capacity}}
	switch {
	case o.f == "enq" && fits:
		return more
	case o.f == "enq":
		return nil
	case o.f == "offer" && (o.open || o.result == nil || o.result == fits):
		if fits && (o.open || o.result == nil || o.result == true) {
			return more
		}
		return same
	case o.f == "offer":
		return nil
	case o.f == "size" && (o.open || o.result == int64(len(m.items))):
		return same
	case o.f == "size":
		return nil
	}
	var front any
	if len(m.items) > 0 {
		front = m.items[0]
	}
	switch {
	case !o.open && o.result != front:
		return nil
	case o.f == "peek" || front == nil:
		return same
	}
	return []naiveModel{naiveBounded{m.items[1:], m.capacity}}
}

// naiveLock is a lock with owners. Tokens are drawn from 1 to mostToken.
type naiveLock struct {
	people       []string
	owner        string // "" if it is free
	count, limit int
	fenced       bool
	token        int64
}

const mostToken = 14

func (m naiveLock) step(o naiveOp) (next []naiveModel) {
	callers := []string{o.process}
	switch a := o.arg.(type) {
	case string:
		callers = []string{a}
	case map[string]any:
		if name, known := a["owner"].(string); known {
			callers = []string{name}
		} else {
			callers = m.people
		}
	}
	for _, who := range callers {
		if o.f == "release" {
			if m.owner == who && (o.open || o.result != false) {
				after := m
				if after.count--; after.count == 0 {
					after.owner = ""
				}
				next = append(next, after)
			}
			if m.owner != who && (o.open || o.result == false) {
				next = append(next, m)
			}
			continue
		}
		try := o.f == "tryacquire"
		recorded, tokened := o.result.(int64)
		got := o.open || !try || tokened || o.result == true || o.result == nil
		missed := try && (o.open || o.result == false || o.result == nil)
		fits := func(token int64) bool { return o.open || !m.fenced || !tokened || recorded == token }
		switch {
		case m.owner == "" && got && m.fenced:
			for token := m.token + 1; token <= mostToken; token++ {
				if fits(token) {
					after := m
					after.owner, after.count, after.token = who, 1, token
					next = append(next, after)
				}
			}
		case m.owner == "" && got:
			after := m
			after.owner, after.count = who, 1
			next = append(next, after)
		case m.owner == who && m.count < m.limit:
			if got && fits(m.token) {
				after := m
				after.count++
				next = append(next, after)
			}
		case m.owner != "" && missed:
			next = append(next, m)
		}
	}
	return next
}

// naiveBank keeps every account in a map; one that is absent holds nothing.
type naiveBank struct {
	balances  map[string]int64
	overdraft bool
}

func (m naiveBank) step(o naiveOp) (next []naiveModel) {
	if o.f == "read" {
		if o.open {
			return []naiveModel{m}
		}
		found := map[string]int64{}
		for account, n := range o.result.(map[string]any) {
			if n.(int64) != 0 {
				found[account] = n.(int64)
			}
		}
		now := maps.Clone(m.balances)
		maps.DeleteFunc(now, func(_ string, n int64) bool { return n == 0 })
		if maps.Equal(found, now) {
			return []naiveModel{m}
		}
		return nil
	}
	a := o.arg.(map[string]any)
	from, to, amount := a["from"].(string), a["to"].(string), a["amount"].(int64)
	covered := m.overdraft || m.balances[from] >= amount
	switch {
	case covered && (o.open || o.result != false):
		after := maps.Clone(m.balances)
		after[from] -= amount
		after[to] += amount
		return []naiveModel{naiveBank{after, m.overdraft}}
	case !covered && (o.open || o.result == false):
		return []naiveModel{m}
	}
	return nil
}

// naiveStarts lists the objects that the operations of one object may start from.
func naiveStarts(name string, h *history.History, members []history.OpID) (starts []naiveModel) {
	var initial any
	if h.HasInitial {
		initial = goValue(h.Values, h.Initial)
	}
	options, _ := initial.(map[string]any)
	number := func(option string, otherwise int64) int64 {
		if n, ok := options[option].(int64); ok {
			return n
		}
		return otherwise
	}
	switch name {
	case "etcd":
		return []naiveModel{newNaiveEtcd(initial)}
	case "unordered-queue":
		items, _ := initial.([]any)
		return []naiveModel{naiveBag{items}}
	case "bounded-queue":
		items, isList := initial.([]any)
		if !isList {
			items, _ = options["items"].([]any)
		}
		capacity := number("capacity", 0)
		if n, isInt := initial.(int64); isInt {
			capacity = n
		}
		if capacity > 0 {
			return []naiveModel{naiveBounded{items, int(capacity)}}
		}
		for n := len(items); n <= len(items)+len(members); n++ {
			starts = append(starts, naiveBounded{items, n})
		}
		return starts
	case "owned-mutex", "reentrant-mutex", "fenced-mutex":
		lock := naiveLock{people: []string{"?"}, limit: 1, fenced: name == "fenced-mutex", token: number("fence", 0)}
		if name == "reentrant-mutex" {
			lock.limit = 1000
		}
		lock.limit = int(number("limit", int64(lock.limit)))
		if lock.owner, _ = options["owner"].(string); lock.owner != "" {
			lock.count = int(number("count", 1))
			lock.people = append(lock.people, lock.owner)
		}
		for _, i := range members {
			who := h.Processes[h.Ops[i].Process]
			switch a := goValue(h.Values, h.Ops[i].Arg).(type) {
			case string:
				who = a
			case map[string]any:
				if name, ok := a["owner"].(string); ok {
					who = name
				}
			}
			if !slices.Contains(lock.people, who) {
				lock.people = append(lock.people, who)
			}
		}
		return []naiveModel{lock}
	}
	overdraft, _ := options["overdraft"].(bool)
	balances := map[string]int64{}
	stated, isStated := options["balances"].(map[string]any)
	if !isStated && options["overdraft"] == nil {
		stated, isStated = options, initial != nil
	}
	for account, n := range stated {
		balances[account] = n.(int64)
	}
	if isStated {
		return []naiveModel{naiveBank{balances, overdraft}}
	}
	return naiveBalances(h, members, overdraft)
}

// naiveBalances lists the balances at first that could make a difference. What one read found, less
// the sum of the transfers that may have gone before, is among them; without a read, all up to the
// sum of all amounts.
func naiveBalances(h *history.History, members []history.OpID, overdraft bool) (starts []naiveModel) {
	var accounts []string
	var reads []map[string]any
	var transfers []map[string]any
	note := func(account string) {
		if !slices.Contains(accounts, account) {
			accounts = append(accounts, account)
		}
	}
	for _, i := range members {
		o := &h.Ops[i]
		if f, _ := h.Values.AsString(o.F); f == "transfer" {
			a := goValue(h.Values, o.Arg).(map[string]any)
			note(a["from"].(string))
			note(a["to"].(string))
			transfers = append(transfers, a)
		} else if !o.Unknown {
			found := goValue(h.Values, o.Result).(map[string]any)
			reads = append(reads, found)
			for account := range found {
				note(account)
			}
		}
	}
	seen := map[string]bool{}
	add := func(balances map[string]int64) {
		for _, n := range balances {
			if n < 0 && !overdraft {
				return
			}
		}
		if k := fmt.Sprint(balances); !seen[k] {
			seen[k] = true
			starts = append(starts, naiveBank{balances, overdraft})
		}
	}
	if len(reads) == 0 {
		most := int64(1) // as much as all transfers together suffices for each
		for _, a := range transfers {
			most += a["amount"].(int64)
		}
		all := []map[string]int64{{}}
		for _, account := range accounts {
			var more []map[string]int64
			for _, balances := range all {
				for n := range most + 1 {
					wider := maps.Clone(balances)
					wider[account] = n
					more = append(more, wider)
				}
			}
			all = more
		}
		for _, balances := range all {
			add(balances)
		}
		return starts
	}
	for subset := range 1 << len(transfers) {
		balances := map[string]int64{}
		for _, account := range accounts {
			n, _ := reads[0][account].(int64)
			balances[account] = n
		}
		for k, a := range transfers {
			if subset>>k&1 != 0 {
				balances[a["from"].(string)] += a["amount"].(int64)
				balances[a["to"].(string)] -= a["amount"].(int64)
			}
		}
		add(balances)
	}
	return starts
}

// TestVerdictsAgreeWithNaiveModels compares the models above with every engine.
func TestVerdictsAgreeWithNaiveModels(t *testing.T) {
	for _, name := range []string{"unordered-queue", "bounded-queue", "owned-mutex", "reentrant-mutex", "fenced-mutex",
		"bank", "etcd"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			var verdicts [2]int
			by := map[string]int{}
			n := uint64(testenv.Scale(600, 20_000))
			for seed := range n {
				h, err := gen.Small(name, seed, gen.SmallOptions{Least: 2, Most: 6, NoEdges: true, All: seed%2 == 0})
				require.NoError(t, err)
				members := map[history.Value][]history.OpID{}
				for i := range h.Ops {
					members[h.Ops[i].Key] = append(members[h.Ops[i].Key], history.OpID(i))
				}
				want := engine.Linearizable
				if slices.ContainsFunc(h.Edges, func(e history.Edge) bool {
					return h.Ops[e.Before].Key != h.Ops[e.After].Key
				}) {
					continue // then objects cannot be decided separately
				}
				for _, object := range members {
					if !naiveLinearizable(h, object, naiveStarts(name, h, object)) {
						want = engine.NotLinearizable
					}
				}
				verdicts[want-engine.Linearizable]++
				for _, choice := range []string{"search", "sat", "monitor", "all"} {
					r, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Engines(choice)),
						linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}), linsat.Timeout(20*time.Second))
					require.NoError(t, err, "%s, seed %d by %s: %s", name, seed, choice, show(h))
					if r.Verdict == engine.Unknown && (choice == "monitor" || choice == "sat" &&
						r.Cause == engine.Unsupported) {
						continue // without a theory, or not a question that monitors decide
					}
					by[string(choice)]++
					assert.Equal(t, want, r.Verdict, "%s, seed %s by %s: %s", name, strconv.FormatUint(seed, 10),
						choice, show(h))
				}
				if t.Failed() {
					return
				}
			}
			t.Logf("%d linearizable, %d not; decided %v", verdicts[0], verdicts[1], by)
			assert.Greater(t, verdicts[0], int(n)/10)
			assert.Greater(t, verdicts[1], int(n)/10)
		})
	}
}
