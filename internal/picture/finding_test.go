package picture

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFindingsAreSound: of a part that is linearizable by the definition nothing is found,
// whichever operations are compared; and what a register found was left by one of its origins.
func TestFindingsAreSound(t *testing.T) {
	compared := map[string]int{}
	for _, name := range []string{"bank", "set", "register", "cas-register", "kv"} {
		s, ok := specs.Lookup(name)
		require.True(t, ok)
		for seed := range uint64(full(1000)) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Least: 4, Most: 7, Keys: 1})
			require.NoError(t, err)
			for _, part := range model.Split(s, h, model.ByKey) {
				b, err := s.Bind(part)
				if err != nil {
					continue
				}
				if ok, _ := oracle.Linearizable(b); ok {
					compared[name] += sound(t, h, b, seed)
				}
			}
		}
	}
	for name, n := range compared {
		assert.Greater(t, n, 300, name)
	}
}

// sound fails where something is found wrong in a part. It returns how often it looked.
func sound(t *testing.T, h *history.History, b *model.Instance, seed uint64) (looked int) {
	t.Helper()
	f := &finder{p: New(&words.Run{History: h}, Highlight{}), r: &result.Result{Partition: b.Partition}, b: b}
	f.p.marked = map[string]bool{}
	about := b.Spec.Info().Name
	if model.As[*model.GrowingTheory](b) != nil {
		fates := f.fates(model.As[*model.GrowingTheory](b))
		for x := range fates {
			looked++
			assert.True(t, fates[x].twice < 0 && fates[x].early < 0 && len(fates[x].missed) == 0,
				"%s %d: element %d is %s", about, seed, x, fates[x].word())
		}
	}
	register, isRegister := b.Axiomatic().(*model.RegisterTheory)
	for k := range b.Partition.Ops {
		to := history.OpID(k)
		for from := proof.Initial; int(from) < b.Partition.Len(); from++ {
			if from >= 0 && !b.Partition.Precedes(from, to) {
				continue
			}
			if isRegister && !b.Partition.Ops[k].Pending() && finds(register, to) >= 0 &&
				(from < 0 || leaves(register, from) >= 0 && register.Object[from] == register.Object[to]) {
				looked++
				assert.Nil(t, f.reach(register, from, to), "%s %d: from %d to %d", about, seed, from, to)
			}
			bank := model.As[*model.BankTheory](b)
			if bank == nil {
				continue
			}
			for _, view := range bank.Sums() {
				a, ok := f.account(view, from, to)
				if !ok {
					continue
				}
				looked++
				found, _ := a.after.Int64()
				assert.False(t, a.wrong, "%s %d: %s", about, seed, a.what)
				if a.could != nil {
					assert.Contains(t, a.could, found, "%s %d: %s", about, seed, a.what)
					assert.Zero(t, a.off(), "%s %d: %s", about, seed, a.what)
				}
			}
		}
	}
	if isRegister && len(b.Partition.Ops) <= 6 {
		looked += sourced(t, f, register, seed)
	}
	return looked
}

// sourced goes through all orders that the machine and time allow, and fails where the operation
// that left a value is none of its origins.
func sourced(t *testing.T, f *finder, theory *model.RegisterTheory, seed uint64) (looked int) {
	t.Helper()
	ops := f.b.Partition.Ops
	by, start := make([][]history.OpID, len(ops)), make([]bool, len(ops))
	for i := range ops {
		if finds(theory, history.OpID(i)) >= 0 {
			by[i], start[i] = f.origins(theory, history.OpID(i))
		}
	}
	m := f.b.NewMachine()
	type held struct {
		value int32
		by    history.OpID
	}
	var follow func(s model.State, done uint, cells []held, check func())
	follow = func(s model.State, done uint, cells []held, check func()) {
		complete := true
		for i := range ops {
			complete = complete && (done>>i&1 == 1 || ops[i].Pending())
		}
		if complete {
			check()
		}
	next:
		for i := range ops {
			if done>>i&1 == 1 {
				continue
			}
			for j := range ops {
				if done>>j&1 == 0 && ops[j].Return < ops[i].Call {
					continue next
				}
			}
			op, cell := history.OpID(i), theory.Object[i]
			for _, after := range m.Step(s, op, nil) {
				now, later := append([]held(nil), cells...), check
				if v := finds(theory, op); v >= 0 && !ops[i].Pending() {
					from, was := cells[cell].by, check
					later = func() {
						was()
						looked++
						if from < 0 {
							assert.True(t, start[i], "seed %d: %d found what was there at the start", seed, i)
						} else {
							assert.Contains(t, by[i], from, "seed %d: operation %d", seed, i)
						}
					}
				}
				for _, mode := range theory.Of(op) {
					if mode.Leaves != model.Keep && mode.Allows(cells[cell].value) {
						now[cell] = held{mode.Leaves, op}
					}
				}
				follow(after, done|1<<i, now, later)
			}
		}
	}
	cells := make([]held, len(theory.Init))
	for c, v := range theory.Init {
		cells[c] = held{v, -1}
	}
	follow(m.Init(), 0, cells, func() {})
	return looked
}

// foundIn is the finding of a history, as text.
func foundIn(t *testing.T, input string) (*Finding, string) {
	t.Helper()
	h := wordstest.Parse(t, input)
	run := wordstest.Checked(t, h)
	p := New(run, CoreHighlight(&run.Result))
	require.NotNil(t, p.Finding)
	var b strings.Builder
	b.WriteString(p.Finding.Title + "\n")
	for _, r := range p.Finding.Rows {
		mark := " "
		if r.Wrong {
			mark = "✗"
		} else if r.Maybe {
			mark = "?"
		}
		b.WriteString(mark + " " + strings.Join(r.Cells, " | ") + "\n")
	}
	b.WriteString(strings.Join(p.Finding.Notes, "\n"))
	return p.Finding, b.String()
}

func TestFindingOfAnAccount(t *testing.T) {
	_, text := foundIn(t, `{"spec": "bank", "initial": {"a": 10, "b": 10, "c": 5}, "operations": [
		{"process": 0, "f": "transfer", "arg": {"from": "a", "to": "b", "amount": 4}, "call": 0, "return": 1},
		{"process": 1, "f": "transfer", "arg": {"from": "a", "to": "c", "amount": 1}, "call": 0},
		{"process": 2, "f": "read", "call": 2, "return": 3, "result": {"a": 8, "b": 12, "c": 5}}]}`)
	assert.Equal(t, `Account a has 8 in read #2, but can only have 5 or 6; account b is wrong as well
✗ a | 10 | −4 (1 transfer) | 1 transfer | 5 or 6 | 8 | 2 more
✗ b | 10 | +4 (1 transfer) | – | 14 | 12 | 2 less
  c | 5 | – | 1 transfer | 5 or 6 | 5 | 
  total | 25 | – | – | 25 | 25 | 
On account a, certainly in between: a → b: 4 (#0).
None, some or all of these may be: a → c: 1 (#1, never returned); no choice of them makes 8.`, text)
}

func TestFindingOfATotal(t *testing.T) {
	_, text := foundIn(t, `{"spec": "bank", "operations": [
		{"process": 0, "f": "read", "call": 0, "return": 1, "result": {"a": 10, "b": 10, "c": 5}},
		{"process": 1, "f": "transfer", "arg": {"from": "a", "to": "b", "amount": 4}, "call": 2},
		{"process": 3, "f": "transfer", "arg": {"from": "c", "to": "b", "amount": 1}, "call": 2},
		{"process": 4, "f": "transfer", "arg": {"from": "a", "to": "b", "amount": 1}, "call": 2},
		{"process": 2, "f": "read", "call": 4, "return": 5, "result": {"a": 6, "b": 15, "c": 5}}]}`)
	assert.Equal(t, `The total is 26 in read #4, and was 25: account b has 1 more than transfers make
✗ total | 25 | 26 | +1 | transfers do not change it
  a | 10 | 6 | −4 | 
? b | 10 | 15 | +5 | 1 more than these transfers make
The fewest accounts differ if this came in between: a → b: 4 (#1, never returned).
1 other account is not listed.`, text)
}

func TestFindingOfElements(t *testing.T) {
	f, text := foundIn(t, `{"spec": "set", "operations": [
		{"process": 0, "f": "add", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "add", "arg": 2, "call": 2, "return": 3},
		{"process": 1, "f": "add", "arg": 3, "call": 2},
		{"process": 2, "f": "read", "call": 4, "return": 5, "result": [1, 2]},
		{"process": 2, "f": "read", "call": 6, "return": 7, "result": [2, 7]},
		{"process": 2, "f": "read", "call": 8, "return": 9, "result": [2, 7]}]}`)
	assert.Contains(t, text, "✗ 1 | #0, 0 to 1 | read #3 | 2 reads, #4 to #5 | lost\n")
	assert.Contains(t, text, "✗ 7 | never | 2 reads, #4 to #5 | no read | unexpected\n")
	assert.Len(t, f.Rows, 2)
	assert.Equal(t, []string{"added", "found", "missed"}, []string{f.Rows[0].Strip[0].What, f.Rows[0].Strip[1].What,
		f.Rows[0].Strip[2].What})
}

func TestFindingOfTwoOrders(t *testing.T) {
	_, text := foundIn(t, `{"spec": "set", "operations": [
		{"process": 0, "f": "add", "arg": 1, "call": 0, "return": 9},
		{"process": 1, "f": "add", "arg": 2, "call": 0, "return": 9},
		{"process": 2, "f": "read", "call": 1, "return": 5, "result": [1]},
		{"process": 3, "f": "read", "call": 1, "return": 5, "result": [2]}]}`)
	assert.Equal(t, `Nothing is removed, so one of 1 and 2 was there first; by these operations neither was
✗ read → [1] (#2) | 1 to 5 | ✓ found | ✗ missed
✗ read → [2] (#3) | 1 to 5 | ✗ missed | ✓ found
`, text)
}

func TestFindingOfAnOpenCas(t *testing.T) {
	f, text := foundIn(t, `{"spec": "cas-register", "operations": [
		{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1},
		{"process": 1, "f": "cas", "arg": [1, 2], "call": 2},
		{"process": 2, "f": "write", "arg": 3, "call": 3},
		{"process": 4, "f": "cas", "arg": [5, 1], "call": 3},
		{"process": 0, "f": "read", "result": 1, "call": 4, "return": 5},
		{"process": 3, "f": "read", "result": 2, "call": 6, "return": 7},
		{"process": 0, "f": "read", "result": 1, "call": 8, "return": 9}]}`)
	assert.Equal(t, `read → 1 (#6) found 1, which cannot be there after read → 2 (#5)
  2 | it is there after read → 2 (#5)
  3 | by write 3 (#2, never returned)
✗ 1 | not at all: cas [5, 1] (#3, never returned) needs 5; write 1 (#0) was over before #5 was called
cas [1, 2] (#1, never returned) did take effect: nothing else can have left the 2 of #5.`, text)
	assert.Equal(t, [][2]history.OpID{{1, 5}}, f.Explains)
}
