package monitor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logTally counts what became of the histories of a test.
type logTally struct{ yes, no, proved, undecided int }

// compare compares the monitor with the definition.
func (n *logTally) compare(t *testing.T, h *history.History, what func() string) {
	b := bindAs(t, "log", model.Whole(h))
	a := plainly(t, b)
	if a.Verdict == engine.Unknown {
		if a.Cause != engine.Unsupported {
			n.undecided++
		}
		return
	}
	want, _ := oracle.Linearizable(b)
	require.Equal(t, want, a.Verdict == engine.Linearizable, what())
	if !want {
		n.no++
		if a.Proof != nil {
			n.proved++
			require.NoError(t, verify.Proof(t.Context(), nil, b, a.Proof), what())
		}
		return
	}
	n.yes++
	if n.yes%4 == 0 {
		assertNoConflict(t, b, what)
	}
	require.NoError(t, verify.Witness(b, a.Witness), what())
	require.NoError(t, oracle.Replay(b, a.Witness), what())
}

// assertNoConflict asks about all pairs of a linearizable log.
func assertNoConflict(t *testing.T, b *model.Instance, what func() string) {
	var reads []history.OpID
	for i := range model.As[*model.LogTheory](b).Ops {
		if !b.Partition.Ops[i].Pending() && model.As[*model.LogTheory](b).Ops[i].Reads {
			reads = append(reads, history.OpID(i))
		}
	}
	for first := range history.OpID(len(b.Partition.Ops)) {
		for second := range history.OpID(len(b.Partition.Ops)) {
			require.Error(t, verify.Log(b, &proof.LogConflict{First: first - 1, Second: second}), what())
			require.Error(t, verify.Log(b, &proof.LogConflict{First: first - 1, Second: second, Reads: reads}), what())
		}
		require.Error(t, verify.Log(b, &proof.LogConflict{First: history.OpID(len(b.Partition.Ops)) - 1,
			Second: first}), what())
	}
}

func TestLogsAgreeWithTheDefinition(t *testing.T) {
	var n logTally
	for seed := range uint64(sample(400_000)) {
		h, err := gen.Small("log", seed, gen.SmallOptions{All: seed%2 == 1, NoEdges: true,
			Most: 5 + int(seed%5), Keys: 1})
		require.NoError(t, err)
		n.compare(t, h, func() string { return fmt.Sprintf("seed %d", seed) })
	}
	t.Logf("%+v", n)
	assert.Greater(t, min(n.yes, n.no), 10*n.undecided)
	assert.Greater(t, n.proved, n.no*9/10)
}

// Logs of few values in which most appends never return, or do not tell their offset.
func TestLogsOfUnknownOffsetsAgreeWithTheDefinition(t *testing.T) {
	var n logTally
	rng := rand.New(rand.NewPCG(5, 5))
	for turn := range sample(600_000) {
		b := history.NewBuilder()
		var records []history.Record
		var contents []history.Value
		values := 1 + rng.IntN(4)
		for i := range 3 + rng.IntN(6) {
			call := int64(2*i - rng.IntN(8))
			r := history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey, F: b.Values.String("append"),
				Call: call, Return: max(call, int64(2*i+rng.IntN(8))), Result: history.Nil}
			r.Arg = b.Values.Int(int64(rng.IntN(values)))
			if rng.IntN(3) == 0 {
				from := rng.IntN(len(contents) + 1)
				found := contents[from:]
				if len(found) > 0 && rng.IntN(8) == 0 { // oftener than it was appended, perhaps
					found = append(slices.Clone(found), found[0])
				}
				r.F, r.Arg, r.Result = b.Values.String("read"), b.Values.Int(int64(from)), b.Values.List(found)
				if rng.IntN(2) == 0 { // at most so many
					most := rng.IntN(len(found) + 2)
					r.Arg = b.Values.List([]history.Value{r.Arg, b.Values.Int(int64(most))})
					r.Result = b.Values.List(found[:min(most, len(found))])
				}
			} else {
				switch rng.IntN(4) {
				case 0:
					r.Result = b.Values.Int(int64(len(contents)))
				case 1:
					r.Pending = true
				}
				if !r.Pending || rng.IntN(3) > 0 {
					contents = append(slices.Clone(contents), r.Arg)
				}
			}
			records = append(records, r)
		}
		if rng.IntN(2) == 0 {
			x, y := &records[rng.IntN(len(records))], &records[rng.IntN(len(records))]
			x.Call, x.Return, y.Call, y.Return = y.Call, y.Return, x.Call, x.Return
		}
		if x := &records[rng.IntN(len(records))]; rng.IntN(4) == 0 && !x.Pending &&
			x.Result != history.Nil {
			if _, isInt := b.Values.AsInt(x.Result); isInt {
				x.Result = b.Values.Int(int64(rng.IntN(4)))
			}
		}
		slices.SortStableFunc(records, func(x, y history.Record) int { return int(x.Call - y.Call) })
		for _, r := range records {
			_, err := b.Add(r)
			require.NoError(t, err)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		n.compare(t, h, func() string { return fmt.Sprintf("turn %d: %+v", turn, records) })
	}
	t.Logf("%+v", n)
	assert.Greater(t, min(n.yes, n.no), n.undecided)
}

// Long logs are decided, and their moments ascend within the intervals.
func TestLongLogsAreDecided(t *testing.T) {
	for _, o := range []gen.Options{{Processes: 16}, {Processes: 4, PendingRate: 0.05},
		{Processes: 64, PendingRate: 0.01, Values: 4}} {
		o.Spec, o.Operations, o.Seed = "log", testenv.Scale(3000, 100_000), 3
		c, err := gen.Generate(o)
		require.NoError(t, err)
		s, _ := specs.Lookup("log")
		b, err := s.Bind(model.Whole(c.History))
		require.NoError(t, err)
		a := plainly(t, b)
		require.Equal(t, engine.Linearizable, a.Verdict, "%+v: %v %s", o, a.Cause, a.Detail)
		require.NoError(t, verify.Witness(b, a.Witness))
		l := &logHistory{ops: b.Partition.Ops, log: model.As[*model.LogTheory](b)}
		require.True(t, l.read())
		fits, known := l.match(t.Context())
		require.True(t, fits && known)
		sequence, fits := l.sequence()
		require.True(t, fits)
		last := history.Rank(-1)
		for _, s := range sequence {
			assert.GreaterOrEqual(t, s.at, last)
			assert.True(t, l.ops[s.op].Call <= s.at && s.at <= l.ops[s.op].Return)
			last = s.at
		}
	}
}
