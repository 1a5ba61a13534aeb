package encode

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// drained makes a history of a collection that is drained often, mostly without a result.
func drained(r *rand.Rand, spec, insert, remove string) string {
	n := 5 + r.IntN(6)
	at := newTiming(r, n, 1+r.IntN(n), 0.15, 0)
	ops := make([]map[string]any, n)
	for i := range ops {
		o := &at.part.Ops[i]
		ops[i] = map[string]any{"process": i, "call": o.Call}
		f := []string{insert, insert, insert, remove, remove, "size", "drain"}[r.IntN(7)]
		if ops[i]["f"] = f; f == insert {
			ops[i]["arg"] = 1 + r.IntN(3)
		}
	}
	var all []int // next to leave first
	for _, i := range at.real {
		var result any
		switch o := ops[i]; o["f"] {
		case insert:
			all = append(all, o["arg"].(int))
			if k := len(all) - 1; spec == "stack" {
				all = slices.Insert(all[:k], 0, all[k])
			} else if spec == "priority-queue" {
				slices.Sort(all)
			}
			continue
		case "size":
			result = len(all)
		case "drain":
			result, all = append([]int{}, all...), nil
		default:
			if len(all) > 0 {
				result, all = all[0], all[1:]
			}
		}
		if k, is := result.(int); is && r.IntN(n) == 0 {
			result = max(1, k+r.IntN(3)-1)
		}
		ops[i]["result"] = result
	}
	for i, o := range ops {
		if at.part.Ops[i].Pending() {
			delete(o, "result")
			continue
		}
		o["return"] = at.part.Ops[i].Return
		if o["f"] != insert && r.Float64() < map[any]float64{"drain": 0.8, "size": 0, remove: 0.25}[o["f"]] {
			delete(o, "result")
			o["forgotten"] = true
		}
	}
	text, _ := json.Marshal(map[string]any{"spec": spec, "operations": ops})
	return string(text)
}

// Drains of unknown result agree with the definition, in collections of few values.
func TestDrainsOfUnknownResultAgreeWithTheDefinition(t *testing.T) {
	for _, c := range [][3]string{{"queue", "enq", "deq"}, {"stack", "push", "pop"},
		{"priority-queue", "insert", "deletemin"}, {"deque", "pushback", "popfront"}} {
		var verdicts [3]int
		n := testenv.Scale(600, 20_000)
		for seed := range uint64(n) {
			text := drained(rand.New(rand.NewPCG(seed, 9)), c[0], c[1], c[2])
			h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
			require.NoError(t, err, text)
			what := func() string { return fmt.Sprintf("seed %d: %s", seed, text) }
			verdicts[agree(t, bind(t, c[0], model.Whole(h)), what)]++
		}
		t.Logf("%s: %d linearizable, %d not", c[0], verdicts[engine.Linearizable], verdicts[engine.NotLinearizable])
		require.Greater(t, verdicts[engine.Linearizable], testenv.MoreThan(n/5))
		require.Greater(t, verdicts[engine.NotLinearizable], testenv.MoreThan(n/20))
	}
}
