package conformance_test

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFormatsDoNotChangeVerdicts judges short histories in the formats of other tools, with the
// verdicts that those tools give.
func TestFormatsDoNotChangeVerdicts(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       bool
	}{
		{"PolyLin: the largest first", "# pqueue\ninsert 5 1 3\npeek 5 2 4\ninsert 6 2 5\npoll 5 6 7\n", false},
		{"PolyLin: the largest first, well",
			"# pqueue\ninsert 5 1 3\ninsert 6 2 5\npoll 6 6 7\npoll 5 8 9\npoll -1 10 11\n", true},
		{"pq", "# pq\ninsert 1 0 1\ninsert 2 2 3\npoll 1 4 5\n", false},
		{"no header", "insert 1 0 1\ninsert 2 2 3\npoll 1 4 5\n", false},
		{"fastlin", "# priorityqueue\ninsert 1 0 1\ninsert 2 2 3\npoll 1 4 5\n", false},
		{"PolyLin's set",
			"# set\nremove 1 0 1 2\ncontains 1 0 4 6\ninsert 1 1 5 7\ncontains 1 1 4 6\ninsert 1 0 3 6\nremove 1 1 4 8\n", true},
		{"PolyLin's set, badly", "# set\ninsert 1 1 0 1\ninsert 1 1 2 3\n", false},
		{"FPTLin's stack", "# stack\n0 1 5 PUSH 1\n1 2 6 PUSH 2\n2 3 7 POP 2\n3 4 8 POP 1\n4 2 9 PEEK -1\n", true},
		{"FPTLin's stack, returns first", "# stack\n0 1 2 PUSH 1\n1 2 3 PUSH 2\n0 3 4 POP 1\n1 4 5 POP 2\n", false},
		{"FPTLin's queue", "# queue\n0 1 4 ENQ 30\n1 2 5 DEQ 30\n3 4 7 DEQ 30\n", false},
		{"FPTLin's priority queue",
			"# priorityqueue\n0 0 4 INSERT 2\n1 1 5 INSERT 5\n3 8 9 PEEK 5\n0 10 14 POLL 2\n1 11 15 POLL 5\n", true},
		{"FPTLin's priority queue, badly", "# priorityqueue\n0 0 4 INSERT 2\n1 1 5 INSERT 5\n3 8 9 PEEK 2\n", false},
		{"FPTLin's rmw",
			"# rmw\n0 1 10 READ_MODIFY_WRITE 0 2\n1 1 10 READ_MODIFY_WRITE 2 3\n2 1 10 READ_MODIFY_WRITE 3 0\n", true},
		{"FPTLin's rmw, badly", "# rmw\n0 1 10 READ_MODIFY_WRITE 0 2\n1 1 10 READ_MODIFY_WRITE 0 3\n", false},
		{"FPTLin's semaphore", "# semaphore\n0 0 2 INCR 1\n1 0 4 DECR 1\n0 3 5 DECR 0\n", true},
		{"FPTLin's semaphore, badly", "# semaphore\n0 0 2 INCR 1\n0 3 5 DECR 1\n1 0 4 DECR 1\n", false},
		{"FPTLin's set",
			"# set\n2 0 2 CONTAINS 2 0\n0 0 4 INSERT 2 1\n1 1 5 CONTAINS 2 1\n3 1 5 CONTAINS 2 0\n2 3 6 REMOVE 2 1\n",
			true},
		{"FPTLin's set, badly", "# set\n0 0 1 INSERT 2 1\n1 1 2 CONTAINS 2 0\n0 2 6 REMOVE 2 1\n", false},
		{"LiMo's pops",
			"# @object atomic-stack\n[0] call push(a)\n[0] return\n[0] call push(b)\n[0] return\n[1] call " +
				"pop(b)\n[1] return\n[1] call pop(a)\n[1] return\n", true},
		{"LiMo's pops, badly",
			"# @object atomic-stack\n[0] call push(a)\n[0] return\n[0] call push(b)\n[0] return\n[1] call " +
				"pop(a)\n[1] return\n", false},
		{"LiMo's bare return",
			"# @object atomic-stack\n[1] call pop\n[1] return\n[0] call push(a)\n[0] return\n[1] call pop\n[1] return\n", false},
		{"Lowe", "2 invokes add 23\n0 invokes contains 23\n2 returns true\n0 returns false\n", true},
		{"Lowe, badly", "2 invokes add 23\n2 returns true\n0 invokes contains 23\n0 returns false\n", false},
		{"Jepsen's JSON",
			`[{"type":"invoke","f":"write","value":1,"process":0},{"type":"ok","f":"write","value":1,"process":0},
			{"type":"invoke","f":"read","value":null,"process":0},{"type":"ok","f":"read","value":1,"process":0}]`,
			true},
		{"Jepsen's JSON, badly",
			`[{"type":"invoke","f":"write","value":1,"process":0},{"type":"ok","f":"write","value":1,"process":0},
			{"type":"invoke","f":"read","value":null,"process":0},{"type":"ok","f":"read","value":2,"process":0}]`,
			false},
		{"Porcupine's JSON",
			`{"ClientId":0,"Input":{"Op":2,"Key":"x","Value":"a"},"Call":0,"Output":{"Value":""},"Return":9}` + "\n" +
				`{"ClientId":1,"Input":{"Op":0,"Key":"x","Value":""},"Call":1,"Output":{"Value":"a"},"Return":8}`,
			true},
		{"Porcupine's JSON, badly",
			`{"ClientId":0,"Input":{"Op":2,"Key":"x","Value":"a"},"Call":0,"Output":{"Value":""},"Return":9}` + "\n" +
				`{"ClientId":1,"Input":{"Op":0,"Key":"x","Value":""},"Call":10,"Output":{"Value":""},"Return":18}`,
			false},
		{"Knossos' tuples", "[0 :invoke :write 1]\n[0 :ok :write 1]\n[0 :invoke :read nil]\n[0 :ok :read 1/2]\n",
			false},
		{"transactions as reads",
			"{:process 0 :type :invoke :f :read :value [[:r :x nil] [:r :y nil]]}\n{:process 1 :type :invoke :f " +
				":write :value [[:w :x 1] [:w :y 1]]}\n" +
				"{:process 1 :type :ok :f :write :value [[:w :x 1] [:w :y 1]]}\n{:process 0 :type :ok :f :read :value " +
				"[[:r :x 1] [:r :y nil]]}\n", false},
	} {
		h, err := history.Read(strings.NewReader(row.text), history.ReadOptions{Name: row.name})
		require.NoError(t, err, row.name)
		s, ok := specs.Lookup(h.Spec)
		if h.Spec == "" {
			guess, err := specs.Recognise(h)
			require.NoError(t, err, row.name)
			s, ok = guess.Spec, true
		}
		require.True(t, ok, "%s: %s", row.name, h.Spec)
		want := engine.NotLinearizable
		if row.want {
			want = engine.Linearizable
		}
		for _, e := range []string{"auto", "all"} {
			r, err := linsat.Check(context.Background(), s, h, linsat.Engine(linsat.Engines(e)))
			require.NoError(t, err, row.name)
			assert.Equal(t, want, r.Verdict, row.name)
		}
	}
}
