package spectest_test

import (
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec/spectest"
	"github.com/stretchr/testify/require"
)

type (
	samples = []spectest.Sample
	values  = []any
)

var truth = values{true, false}

// locks gives the samples of a lock's operations by name.
func locks(plain []string, try []string) (out samples) {
	for _, f := range plain {
		out = append(out, spectest.Sample{F: f})
	}
	for _, f := range try {
		out = append(out, spectest.Sample{F: f, Results: truth})
	}
	return out
}

// owned gives the samples of a lock with owners; acquisitions give tokens.
func owned(tries, tokens values) (out samples) {
	for _, owner := range (values{nil, "b", map[string]any{"owner": nil}}) {
		out = append(out, spectest.Sample{F: "acquire", Process: "a", Arg: owner, Results: tokens, More: tokens != nil},
			spectest.Sample{F: "release", Process: "a", Arg: owner, Results: truth},
			spectest.Sample{F: "tryacquire", Process: "a", Arg: owner, Results: tries, More: tokens != nil})
	}
	return out
}

func collection(insert, remove, peek []string, elements ...any) (out samples) {
	for _, f := range insert {
		for _, e := range elements {
			out = append(out, spectest.Sample{F: f, Arg: e})
		}
	}
	for _, f := range append(append([]string{}, remove...), peek...) {
		out = append(out, spectest.Sample{F: f, Results: append(values{nil}, elements...)})
	}
	if insert[0] == "insert" && remove[0] != "deletemin" {
		return out
	}
	return append(out, spectest.Sample{F: "size", Results: values{0, 1, 2}, More: true},
		spectest.Sample{F: "drain", Results: values{values{}, values{elements[0]}, values{elements[0], elements[1]},
			values{elements[1], elements[0]}}, More: true})
}

func strs(elements ...string) (out values) {
	for _, s := range elements {
		out = append(out, s)
	}
	return out
}

// kits holds a kit for every specification that linsat brings along.
var kits = map[string]spectest.Kit{
	"register": {
		Initials: values{1, "x"},
		Samples: samples{
			{F: "read", Results: values{nil, 1, 2, "x"}}, {F: "write", Arg: 1}, {F: "write", Arg: 2},
			{F: "put", Arg: nil},
			{F: "swap", Arg: 1, Results: values{nil, 1, 2, "x"}},
			{F: "swap", Arg: nil, Results: values{nil, 1, 2, "x"}},
		},
	},
	"cas-register": {
		Initials: values{1},
		Samples: samples{
			{F: "read", Results: values{nil, 1, 2}}, {F: "write", Arg: 1},
			{F: "cas", Arg: values{1, 2}, Results: truth},
			{F: "cas", Arg: values{2, 2}, Results: truth}, {F: "cas", Arg: values{nil, 1}, Results: truth},
			{F: "swap", Arg: 2, Results: values{nil, 1, 2}},
			{F: "compareandexchange", Arg: values{1, 2}, Results: values{1, 2, false}},
			{F: "compareandexchange", Arg: values{2, 1}, Results: values{true, false, 1}},
		},
	},
	"multi-register": {
		Initials: values{map[string]any{"x": 1}},
		Samples: samples{
			{F: "read", Arg: map[string]any{"x": nil}, Results: values{map[string]any{"x": nil}, map[string]any{"x": 1},
				map[string]any{"x": 2}}},
			{F: "read", Arg: values{"x", "y"}, Results: values{map[string]any{"x": 1, "y": 1},
				map[string]any{"x": 1, "y": nil}}, More: true},
			{F: "write", Arg: map[string]any{"x": 1}}, {F: "write", Arg: map[string]any{"y": 1}},
			{F: "write", Arg: map[string]any{"x": 2, "y": 1}},
			{F: "txn", Arg: values{values{"r", "x", nil}, values{"w", "x", 2}, values{"r", "x"}},
				Results: values{values{values{"r", "x", 1}, values{"w", "x", 2}, values{"r", "x", 2}},
					values{values{"r", "x", 1}, values{"w", "x", 2}, values{"r", "x", 1}}}, More: true},
			{F: "txn", Arg: values{values{"r", "y", nil}, values{"w", "x", 1}},
				Results: values{values{values{"r", "y", 1}, values{"w", "x", 1}}}, More: true},
		},
	},
	"kv": {
		Initials: values{map[string]any{"x": "a"}},
		Samples: samples{
			{F: "get", Key: "x", Results: append(values{nil}, strs("", "a", "b", "ab", "aa", "aab", "c")...),
				More: true},
			{F: "put", Key: "x", Arg: "a"}, {F: "put", Key: "x", Arg: "c"}, {F: "delete", Key: "x"},
			{F: "put", Key: "x", Arg: "a", Results: values{true, "a", "c", "b"}, More: true},
			{F: "delete", Key: "x", Results: values{true, false}},
			{F: "swap", Key: "x", Arg: "c", Results: values{nil, "a", "ab"}, More: true},
			{F: "getanddelete", Key: "x", Results: values{nil, "a", "c"}, More: true},
			{F: "compareandexchange", Key: "x", Arg: strs("a", "b"), Results: values{"a", "c", true, false}},
			{F: "append", Key: "x", Arg: "a"}, {F: "append", Key: "x", Arg: "ab"}, {F: "append", Key: "x", Arg: ""},
			{F: "append", Key: "x", Arg: nil},
			{F: "cas", Key: "x", Arg: strs("aa", "b"), Results: truth}, {F: "cas", Key: "x", Arg: values{nil, "aab"},
				Results: truth},
			{F: "get", Key: 1, Results: values{nil, 3}}, {F: "put", Key: 1, Arg: 3},
			{F: "delete", Key: 1, Results: values{3, true, false}},
		},
	},
	"set": {
		Initials: values{values{1, 3}},
		Samples: samples{
			{F: "add", Arg: 1, Results: truth}, {F: "add", Arg: "x", Results: truth},
			{F: "remove", Arg: 1, Results: truth}, {F: "contains", Arg: 1, Results: truth},
			{F: "contains", Arg: "x", Results: truth}, {F: "size", Results: values{0, 1, 2, 3}},
			{F: "elements", Results: values{values{}, values{1}, values{"x", 1}, values{1, 1}}, More: true},
		},
	},
	"queue": {Initials: values{values{2, 1}}, Samples: collection([]string{"enq"}, []string{"deq"},
		[]string{"peek"}, 1, 2)},
	"unordered-queue": {Initials: values{values{"x", 1}}, Samples: collection([]string{"enq"}, []string{"deq"},
		[]string{"peek"}, 1, "x", values{1, 2})},
	"bounded-queue": {
		Initials: values{1, values{2}, map[string]any{"capacity": 2, "items": values{1, 2}}},
		Samples: samples{
			{F: "enq", Arg: 1}, {F: "enq", Arg: 2}, {F: "deq", Results: values{nil, 1, 2}},
			{F: "peek", Results: values{nil, 1, 2}},
			{F: "offer", Arg: 1, Results: truth}, {F: "offer", Arg: 2, Results: truth},
			{F: "size", Results: values{0, 1, 2}, More: true},
		},
	},
	"stack": {Initials: values{values{2, 1}}, Samples: collection([]string{"push"}, []string{"pop"},
		[]string{"peek"}, 1, 2)},
	"deque": {Initials: values{values{2, 1}}, Samples: collection([]string{"pushfront", "pushback"},
		[]string{"popfront", "popback"},
		[]string{"peekfront", "peekback"}, 1, 2)},
	"priority-queue": {Initials: values{values{2, 1}}, Samples: collection([]string{"insert"}, []string{"deletemin"},
		[]string{"min"}, 1, 2, values{1, "x"})},
	"max-priority-queue": {Initials: values{values{2, 1}}, Samples: collection([]string{"insert"},
		[]string{"deletemax"}, []string{"max"}, 1, 2,
		values{1, "x"})},
	"counter": {
		Initials: values{2},
		Samples: samples{
			{F: "inc"}, {F: "inc", Arg: 2}, {F: "dec"}, {F: "read", Results: values{-1, 0, 1, 2, 3}, More: true},
			{F: "getandinc", Results: values{0, 1, 2}, More: true},
			{F: "incr", Results: values{nil, 1, 2, 3}}, {F: "getanddec", Results: values{0, 1, 2}, More: true},
			{F: "incandget", Arg: 2, Results: values{1, 2, 3}, More: true},
			{F: "decandget", Results: values{-1, 0, 1}, More: true}, {F: "write", Arg: 2},
			{F: "swap", Arg: 0, Results: values{0, 1, 2}, More: true},
			{F: "cas", Arg: values{1, 0}, Results: truth}, {F: "compareandexchange", Arg: values{2, 3},
				Results: values{1, 2, false}},
		},
	},
	"mutex": {Initials: values{true, false}, Samples: locks([]string{"acquire", "release"},
		[]string{"tryacquire"})},
	"owned-mutex": {Initials: values{map[string]any{"owner": "a"}}, Samples: owned(truth, nil)},
	"reentrant-mutex": {Initials: values{map[string]any{"owner": "a", "count": 2}, map[string]any{"limit": 2}},
		Samples: owned(truth, nil)},
	"fenced-mutex": {
		Symbolic: true,
		Initials: values{map[string]any{"owner": "a", "fence": 1}, map[string]any{"limit": 2},
			map[string]any{"fence": 2, "owner": 7, "limit": 3, "count": 2}},
		Samples: owned(values{false, 1, 2, 3}, values{1, 2, 3, nil}),
	},
	"rwmutex": {Initials: values{true, 2}, Samples: locks([]string{"rlock", "runlock", "lock", "unlock"},
		[]string{"tryrlock", "trylock"})},
	"semaphore": {
		Initials: values{0, 3},
		Samples: samples{
			{F: "acquire"}, {F: "acquire", Arg: 2}, {F: "release"}, {F: "release", Arg: 2},
			{F: "tryacquire", Results: truth},
			{F: "tryacquire", Arg: 2, Results: truth}, {F: "tryacquire", Arg: 0, Results: truth},
		},
	},
	"unique-ids": { // a state stands for all with more ids, which no result names
		Symbolic: true,
		Initials: values{values{1}},
		Samples:  samples{{F: "generate", Results: values{1, 2, "a", values{1}}, More: true}},
	},
	"bank": {
		Symbolic: true,
		Initials: values{map[string]any{"a": 2, "b": 0}, map[string]any{"overdraft": true,
			"balances": map[string]any{"a": 1}}, map[string]any{"overdraft": true}},
		Samples: samples{
			{F: "read", Results: values{map[string]any{"a": 2, "b": 0}, map[string]any{"a": 1, "b": 1},
				map[string]any{"b": 1}}, More: true},
			{F: "transfer", Arg: map[string]any{"from": "a", "to": "b", "amount": 1}, Results: truth},
			{F: "transfer", Arg: map[string]any{"from": "b", "to": "a", "amount": 2}, Results: truth},
			{F: "transfer", Arg: map[string]any{"from": "a", "to": "a", "amount": 1}, Results: truth},
			{F: "transfer", Arg: map[string]any{"from": "a", "to": "b", "amount": 0}, Results: truth},
		},
	},
	"etcd": {
		Initials: values{map[string]any{"revision": 3,
			"kvs": values{map[string]any{"key": "a", "value": 1, "lease": 1}}, "leases": values{1}}},
		Samples: samples{
			{F: "put", Arg: map[string]any{"key": "a", "value": 1}, Results: values{nil, map[string]any{"revision": 2},
				map[string]any{"revision": 3}}, More: true},
			{F: "put", Arg: map[string]any{"key": "ab", "value": 2, "lease": 1},
				Results: values{nil, map[string]any{"error": "no lease"}}},
			{F: "range", Arg: map[string]any{"key": "a", "prefix": true}, Results: values{map[string]any{"count": 0},
				map[string]any{"revision": 2, "kvs": values{map[string]any{"key": "a", "value": 1}}},
				map[string]any{"count": 2}}, More: true},
			{F: "range", Arg: map[string]any{"key": "a", "revision": 2},
				Results: values{map[string]any{"error": "future"}, map[string]any{"error": "compacted"},
					map[string]any{"kvs": values{map[string]any{"key": "a", "mod": 2, "version": 1}}}}, More: true},
			{F: "delete", Arg: map[string]any{"key": "a"}, Results: values{nil, map[string]any{"deleted": 0},
				map[string]any{"deleted": 1}}, More: true},
			{F: "txn", Arg: map[string]any{"compare": values{map[string]any{"key": "a", "target": "mod", "value": 2}},
				"then": values{values{"put", map[string]any{"key": "a", "value": 2}}},
				"else": values{values{"delete", map[string]any{"key": "ab"}}}},
				Results: values{nil, map[string]any{"succeeded": true}, map[string]any{"succeeded": false,
					"responses": values{map[string]any{"deleted": 1}}}}, More: true},
			{F: "grant", Arg: map[string]any{"lease": 1},
				Results: values{nil, map[string]any{"error": "lease exists"}}},
			{F: "revoke", Arg: map[string]any{"lease": 1}, Results: values{nil, map[string]any{"error": "no lease"}}},
			{F: "compact", Arg: map[string]any{"revision": 2},
				Results: values{nil, map[string]any{"error": "compacted"}, map[string]any{"error": "future"}}},
			{F: "defragment"},
		},
	},
	"log": {
		Initials: values{values{1}},
		Samples: samples{
			{F: "append", Arg: 1, Results: values{0, 1, 2}, More: true},
			{F: "append", Arg: 2, Results: values{nil, 0, 1}, More: true},
			{F: "read", Results: values{values{}, values{1}, values{1, 2}}, More: true},
			{F: "read", Arg: 1, Results: values{values{}, values{2}}, More: true},
		},
	},
}

// runs is how many random histories of each kind a specification is tested with.
func runs(t *testing.T, full int) int {
	if testenv.Full() {
		return full
	}
	if testing.Short() {
		return full / 100
	}
	return full / 40
}

func TestBuiltin(t *testing.T) {
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			kit, ok := kits[name]
			require.True(t, ok, "there is no kit")
			kit.Runs = runs(t, 10_000)
			for _, g := range gen.Specs() {
				if g == name {
					kit.Histories = func(seed uint64) (*history.History, error) {
						return gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 0})
					}
				}
			}
			require.Empty(t, spectest.Check(s, kit))
		})
	}
}
