package oracle_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen/randomtxn"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
)

// litmus reads transactions, separated by "|": a session, "!" if it aborted, "?" if it is open, and
// accesses. wx1 writes 1 to x, rx1 reads it, ax1 appends 1 to the list x, lx12 reads [1 2]. All
// overlap, unless the text begins with ">": then they come one after the other.
func litmus(text string) *isolation.History {
	h := &isolation.History{Objects: []isolation.Object{{Name: "x"}, {Name: "y"}, {Name: "z"}}}
	for v := range 10 {
		h.Values = append(h.Values, strconv.Itoa(v))
	}
	text, sequential := strings.CutPrefix(text, ">")
	all := strings.Split(text, "|")
	for i, one := range all {
		words := strings.Fields(one)
		x := isolation.Txn{Op: history.OpID(i), Session: int32(words[0][0] - '0'), Call: history.Rank(i),
			Return: history.Rank(len(all) + i)}
		if sequential {
			x.Call, x.Return = history.Rank(2*i), history.Rank(2*i+1)
		}
		switch words[0][1:] {
		case "!":
			x.Status = isolation.Aborted
		case "?":
			x.Status, x.Return = isolation.Open, history.Never
		}
		for _, w := range words[1:] {
			a := isolation.Access{Object: int32(w[1] - 'x')}
			var list []int32
			for _, digit := range w[2:] {
				list = append(list, digit-'0')
			}
			switch w[0] {
			case 'w':
				a.Kind, a.Value = isolation.Write, list[0]
			case 'r':
				a.Value = list[0]
			case 'a':
				a.Kind, a.Value = isolation.Append, list[0]
				h.Objects[a.Object].List = true
			case 'l':
				a.List = list
				h.Objects[a.Object].List = true
			}
			x.Accesses = append(x.Accesses, a)
		}
		h.Txns = append(h.Txns, x)
	}
	return h
}

// TestIsolationLitmus: for each model in the order of isolation.Model, "s" if its strict level
// holds, "p" if that with sessions is the strongest, "n" if that without, "-" if none holds.
func TestIsolationLitmus(t *testing.T) {
	for _, row := range [][3]string{
		{"nothing", "0", "sssssss"},
		{"serial", "> 0 wx1 wy2 | 1 rx1 wx3 | 0 rx3 ry2", "sssssss"},
		{"serial lists", "> 0 ax1 ax2 | 1 lx12 ax3 lx123 | 0 lx123 ly", "sssssss"},
		{"dirty write, G0", "0 wx1 wy1 | 1 wx2 wy2 | 2 rx2 ry1 rx2", "-------"},
		{"dirty write of lists, G0", "0 ax1 ay1 | 1 ax2 ay2 | 2 lx12 ly21", "-------"},
		{"incompatible orders", "0 ax1 | 1 ax2 | 2 lx12 | 3 lx21", "-------"},
		{"aborted read, G1a", "0! wx1 | 1 rx1", "-------"},
		{"aborted read of a list, G1a", "0! ax1 | 1 lx1", "-------"},
		{"a value that another one wrote, too", "0! wx1 | 1 rx1 | 2 wx1", "sssssss"},
		{"intermediate read, G1b", "0 wx1 wx2 | 1 rx1", "-------"},
		{"intermediate read of a list, G1b", "0 ax1 ax2 | 1 lx1", "-------"},
		{"circular information flow, G1c", "0 wx1 ry1 | 1 wy1 rx1", "-------"},
		{"garbage", "0 rx7", "-------"},
		{"own write not read", "0 wx1 rx2 | 1 wx2", "-------"},
		{"own append not read", "0 ax1 lx", "-------"},
		{"own append read", "0 ax1 lx21 ax3 lx213 | 1 ax2", "sssssss"},
		{"duplicate append", "0 ax1 | 1 lx11", "-------"},
		{"value appended twice", "0 ax1 | 1 lx11 | 2 ax1", "sssssss"},
		{"open one that is read", "0? wx1 | 1 rx1 | 2 rx0", "sssssss"},
		{"open one that is not read", "0? wx1 wy1 | 1 rx0 ry0", "sssssss"},
		{"open one read in part", "0? wx1 wy1 | 1 rx0 ry1", "s------"},
		{"read skew, G-single", "0 wx1 wy1 | 1 rx0 ry1", "s------"},
		{"read skew of what was seen", "0 wx1 wy1 | 1 ry1 rx0", "-------"},
		{"unrepeatable read", "0 wx1 | 1 rx0 rx1", "s------"},
		{"unrepeatable read back", "0 wx1 | 1 rx1 rx0", "-------"},
		{"lost update", "0 rx0 wx1 | 1 rx0 wx2", "ssss---"},
		{"lost update of a list", "0 lx ax1 | 1 lx ax2 | 2 lx12", "ssss---"},
		{"long fork", "0 wx1 | 1 wy1 | 2 rx1 ry0 | 3 rx0 ry1", "sss-s--"},
		{"long fork of lists", "0 ax1 | 1 ay1 | 2 lx1 ly | 3 lx ly1", "sss-s--"},
		{"write skew, G2-item", "0 rx0 ry0 wx1 | 1 rx0 ry0 wy1", "ssssss-"},
		{"write skew of lists", "0 lx ly ax1 | 1 lx ly ay1", "ssssss-"},
		{"read-only anomaly", "0 ry0 wy2 | 1 rx0 ry0 wx1 | 2 rx0 ry2", "ssssss-"},
		{"causality violation", "0 wx1 | 1 rx1 wy1 | 2 ry1 rx0", "ss-----"},
		{"non-monotonic reads of a session", "0 wx1 | 1 rx1 | 1 rx0", "ss-nnnn"},
		{"own write of a session not read", "0 wx1 | 0 rx0", "sn-nnnn"},
		{"writes of a session not in order", "0 wx1 | 0 wx2 | 1 rx2 | 1 rx1", "ss-nnnn"},
		{"read from a later one of the session", "0 rx1 | 0 wx1", "nn-nnnn"},
		{"appends of a session not in order", "0 ax1 | 0 ax2 | 1 lx21", "nn-nnnn"},
		{"stale read", "> 0 wx1 | 1 rx0", "spppppp"},
		{"read from the future", "> 0 rx1 | 1 wx1", "ppppppp"},
		{"real time between writes", "> 0 wx1 | 1 wx2 | 2 rx1", "spppppp"},
	} {
		h, got := litmus(row[1]), ""
		for m := isolation.ReadCommitted; m <= isolation.Serializable; m++ {
			holds := []byte("-")
			for o, letter := range []byte("nps") {
				l := isolation.Level{Model: m, Given: isolation.Order(o)}
				if slices.Contains(isolation.Levels(), l) && oracle.Isolated(h, l) {
					holds = []byte{letter}
				}
			}
			got += string(holds)
		}
		assert.Equal(t, row[2], got, "%s: %s", row[0], row[1])
	}
}

// TestIsolationImplications: on random histories, what is at a level is at those that it implies,
// and is not always at one that it does not imply.
func TestIsolationImplications(t *testing.T) {
	n := 3000
	if testenv.Full() {
		n = 20_000
	}
	levels := isolation.Levels()
	apart := map[[2]isolation.Level]int{}
	holding := map[isolation.Level]int{}
	for seed := range n {
		h := randomtxn.History(rand.New(rand.NewPCG(uint64(seed), 1)), 6)
		holds := map[isolation.Level]bool{}
		for _, l := range levels {
			if holds[l] = oracle.Isolated(h, l); holds[l] {
				holding[l]++
			}
		}
		for _, l := range levels {
			for _, k := range levels {
				if holds[l] && !holds[k] {
					assert.False(t, l.Implies(k), "seed %d: %s, not %s", seed, l, k)
					apart[[2]isolation.Level{l, k}]++
				}
			}
		}
	}
	for _, l := range levels {
		t.Logf("%s: %d of %d", l, holding[l], n)
		assert.Less(t, holding[l], n-n/20, l.String())
		for _, k := range levels {
			if !l.Implies(k) {
				assert.Positive(t, apart[[2]isolation.Level{l, k}], "%s, not %s", l, k)
			}
		}
	}
}
