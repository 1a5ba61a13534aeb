package monitor

import (
	"fmt"
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
)

// eachOrder calls visit with every order of the calls and returns of n operations, as times.
func eachOrder(n int, visit func(call, ret []int)) {
	call, ret := make([]int, n), make([]int, n)
	state := make([]int, n) // 0: not called, 1: open, 2: returned
	var next func(at int)
	next = func(at int) {
		if at == 2*n {
			visit(call, ret)
			return
		}
		for i := range n {
			switch state[i] {
			case 0:
				call[i] = at
			case 1:
				ret[i] = at
			default:
				continue
			}
			state[i]++
			next(at + 1)
			state[i]--
		}
	}
	next(0)
}

// TestEveryHistoryOfFourOperationsAgreesWithTheDefinition compares with brute force on all
// histories of four completed operations out of a few kinds, without ties.
func TestEveryHistoryOfFourOperationsAgreesWithTheDefinition(t *testing.T) {
	for _, c := range []struct {
		name  string
		kinds []step
		bind  func(t testing.TB, steps []step) *model.Instance
	}{
		{"register", []step{{f: "write", new: 1}, {f: "write", new: 2}, {f: "read"}, {f: "read", new: 1},
			{f: "read", new: 2},
			{f: "cas", old: 0, new: 1}, {f: "cas", old: 1, new: 2}},
			func(t testing.TB, steps []step) *model.Instance { return bindCell(t, steps, 0) }},
		{"map", []step{{f: "read"}, {f: "read", new: 1}, {f: "cas", old: 0, new: 1}, {f: "cas", old: 1, new: 0},
			{f: "cas", old: 0, new: 2}, {f: "cas", old: 2, new: 0}},
			func(t testing.TB, steps []step) *model.Instance { return bindCell(t, steps, 0) }},
		{"set", []step{{f: "add"}, {f: "add", fails: true}, {f: "remove"}, {f: "remove", fails: true}, {f: "contains"},
			{f: "contains", fails: true}}, bindBit},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n tally
			turn, every := 0, testenv.OneOf(40)
			var each func(from int, steps []step)
			each = func(from int, steps []step) {
				if len(steps) < 4 {
					for k := from; k < len(c.kinds); k++ {
						each(k, append(steps, c.kinds[k]))
					}
					return
				}
				eachOrder(4, func(call, ret []int) {
					if turn++; turn%every != 0 || t.Failed() {
						return
					}
					for i := range steps {
						steps[i].call, steps[i].ret = call[i], ret[i]
					}
					n.compare(t, c.bind(t, steps), fmt.Sprintf("%+v", steps))
				})
			}
			each(0, nil)
			assert.Zero(t, n.mine)
			t.Logf("%+v", n)
		})
	}
}
