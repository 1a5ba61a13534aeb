package specs

import (
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// call is one operation of a sequential history for tests: arguments and results as Go values.
type call struct {
	f           string
	arg, result any
}

// unknown as a result says that it is not known; pending, that the operation never returned.
type (
	unknownResult struct{}
	pendingCall   struct{}
)

// value interns a Go value: nil, bool, int, string, []any and map[string]any.
func value(t *history.Values, x any) history.Value {
	switch x := x.(type) {
	case nil:
		return history.Nil
	case bool:
		return t.Bool(x)
	case int:
		return t.Int(int64(x))
	case int64:
		return t.Int(x)
	case string:
		return t.String(x)
	case []any:
		elements := make([]history.Value, len(x))
		for i, e := range x {
			elements[i] = value(t, e)
		}
		return t.List(elements)
	}
	panic("unforeseen value in a test")
}

// noInitial is an absent initial state.
type noInitial struct{}

// sequential builds a history of calls one after another (those that never returned stay open).
func sequential(t require.TestingT, initial any, calls []call) *model.Partition {
	b := history.NewBuilder()
	if initial != (noInitial{}) {
		b.SetInitial(value(b.Values, initial))
	}
	for i, c := range calls {
		r := history.Record{Process: b.Process(string(rune('a' + i))), F: b.Values.String(c.f), Key: history.NoKey,
			Arg: value(b.Values, c.arg), Call: int64(2 * i), Return: int64(2*i + 1)}
		switch c.result.(type) {
		case pendingCall:
			r.Pending = true
		case unknownResult:
		default:
			r.Result = value(b.Values, c.result)
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	for i, c := range calls {
		if c.result == (unknownResult{}) {
			h.Ops[i].Unknown = true
		}
	}
	return model.Whole(h)
}

// run applies all operations of a partition in their order and returns, sorted as the machine
// yields them, the descriptions of the states before the first operation that is refused everywhere
// (or at the end), its position (or the number of operations) and its refusal in the first of these
// states.
func run(t require.TestingT, b *model.Instance) (states []string, stopped int, refusal string) {
	m := b.NewMachine()
	current := []model.State{m.Init()}
	for i := range b.Partition.Ops {
		var next []model.State
		seen := map[model.State]bool{}
		for _, s := range current {
			for _, n := range m.Step(s, history.OpID(i), nil) {
				if !seen[n] {
					seen[n] = true
					next = append(next, n)
				}
			}
		}
		if len(next) == 0 {
			return describe(m, current), i, b.Refusal(m, current[0], history.OpID(i))
		}
		current = next
	}
	return describe(m, current), len(b.Partition.Ops), ""
}

func describe(m model.Machine, states []model.State) []string {
	var out []string
	for _, s := range states {
		out = append(out, m.Describe(s))
	}
	return out
}

// behaviour is a row of a table test: what a sequence of calls leads to.
type behaviour struct {
	name    string
	initial any
	calls   []call
	states  []string // before the refused call, or at the end
	refused string   // why the last call is refused; "" if it is not
}

func testBehaviour(t *testing.T, s model.Spec, rows []behaviour) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			b, err := s.Bind(sequential(t, row.initial, row.calls))
			require.NoError(t, err)
			states, stopped, refusal := run(t, b)
			assert.Equal(t, row.states, states)
			assert.Equal(t, row.refused, refusal)
			if row.refused == "" {
				assert.Equal(t, len(row.calls), stopped)
			} else {
				assert.Equal(t, len(row.calls)-1, stopped, "only the last call is refused")
			}
		})
	}
}

// badInput is a row of a table test: what Bind refuses.
type badInput struct {
	name    string
	initial any
	calls   []call
	what    string
}

func testBadInput(t *testing.T, s model.Spec, rows []badInput) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := s.Bind(sequential(t, row.initial, row.calls))
			var bad *history.Error
			require.ErrorAs(t, err, &bad)
			assert.Equal(t, row.what, bad.What)
			assert.NotEmpty(t, bad.Hint)
		})
	}
}

// testAliases checks that every other name of an operation, in any case and with dashes and
// underscores, is bound like the name itself; args gives each operation an argument.
func testAliases(t *testing.T, s model.Spec, args map[string]any) {
	t.Helper()
	for _, o := range s.Info().Operations {
		for _, a := range o.Aliases {
			for _, spelling := range []string{a, "_" + a, a[:1] + "-" + a[1:], string(a[0]-'a'+'A') + a[1:]} {
				b, err := s.Bind(sequential(t, noInitial{}, []call{{o.Name, args[o.Name], pendingCall{}},
					{spelling, args[o.Name], pendingCall{}}}))
				require.NoError(t, err, spelling)
				assert.Equal(t, b.EquivID[0], b.EquivID[1], "%s is %s", spelling, o.Name)
			}
		}
	}
}
