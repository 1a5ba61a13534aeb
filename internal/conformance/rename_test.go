package conformance_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// renamedHistory returns h with other names of operations.
func renamedHistory(t *testing.T, s spec.Spec, h *history.History, names map[string]string) *history.History {
	var text bytes.Buffer
	require.NoError(t, history.WriteJSON(&text, h))
	again, err := history.Read(&text, history.ReadOptions{})
	require.NoError(t, err)
	known := map[string]string{}
	for _, o := range s.Info().Operations {
		for _, name := range append([]string{o.Name}, o.Aliases...) {
			known[name] = names[o.Name]
		}
	}
	for i := range again.Ops {
		name, _ := again.Values.AsString(again.Ops[i].F)
		require.NotEmpty(t, known[name], name)
		again.Ops[i].F = again.Values.String(known[name])
	}
	return again
}

// A shipped specification under other names answers as before, by the same engines and with the
// same kinds of proof, and its certificates hold.
func TestRenamedSpecificationsAnswerAlike(t *testing.T) {
	ctx := context.Background()
	for _, s := range specs.All() {
		info := s.Info()
		names, own := map[string]string{}, map[string]string{}
		for k, o := range info.Operations { // the names of one another, and a new one
			own[o.Name] = o.Name
			names[o.Name] = info.Operations[(k+1)%len(info.Operations)].Name
		}
		names[info.Operations[0].Name] = "my " + info.Operations[0].Name
		renamed, err := spec.Rename(s, names)
		require.NoError(t, err)
		t.Run(info.Name, func(t *testing.T) {
			t.Parallel()
			compared, n := 0, testenv.Scale(150, 2_000)
			for seed := range uint64(n) {
				h, err := gen.Small(info.Name, seed, gen.SmallOptions{All: seed%2 == 1})
				require.NoError(t, err)
				other := renamedHistory(t, s, h, names)
				h = renamedHistory(t, s, h, own) // read, as the other one is
				choice := linsat.Engine(linsat.Engines([]string{"auto", "all", "sat", "monitor"}[seed%4]))
				want, err := linsat.Check(ctx, s, h, choice, linsat.Workers(1))
				require.NoError(t, err, "seed %d", seed)
				got, err := linsat.Check(ctx, renamed, other, choice, linsat.Workers(1))
				require.NoError(t, err, "seed %d", seed)
				require.Equal(t, want.Verdict, got.Verdict, "seed %d", seed)
				require.Equal(t, want.Cause, got.Cause, "seed %d", seed)
				require.Equal(t, want.Certified, got.Certified, "seed %d: %s", seed, got.Uncertified)
				if seed%4 >= 2 { // otherwise engines race, and the winner decides what is said
					assert.Equal(t, want.Engines, got.Engines, "seed %d", seed)
					// Where a core may not be minimal, the time for it was up.
					if w, g := full(&want).Core, full(&got).Core; w != nil && g != nil && w.Minimal && g.Minimal {
						compared++
						assert.Equal(t, w.Argument != nil, g.Argument != nil, "seed %d", seed)
					}
				}
				if got.Verdict == engine.Unknown || !got.Certified {
					continue
				}
				certificate, err := linsat.Certify(other, &got)
				require.NoError(t, err)
				require.NoError(t, linsat.Verify(ctx, renamed, other, certificate), "seed %d", seed)
			}
			t.Logf("%d cores compared", compared)
			assert.Greater(t, compared, n/20)
		})
	}
}

func TestRenamedQueueUnderAFactor(t *testing.T) {
	s, err := spec.Rename(specs.Queue(), map[string]string{"enq": "submit", "deq": "fetch"})
	require.NoError(t, err)
	h, err := history.Read(
		bytes.NewBufferString(
			`{"operations": [{"process": 0, "f": "submit", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "submit", "arg": 2, "call": 2, "return": 3},
		{"process": 0, "f": "fetch", "call": 4, "return": 5, "result": 2}, {"process": 0, "f": "fetch", "call": 6, "return": 7, "result": 1}]}`), history.ReadOptions{})
	require.NoError(t, err)
	for bound, want := range map[string]engine.Verdict{"0": engine.NotLinearizable, "1": engine.Linearizable} {
		request, err := quasi.Parse(s.Info(), bound)
		require.NoError(t, err)
		r, err := linsat.Check(context.Background(), s, h, linsat.Quasi(quasi.Question{Factor: request.Factor}))
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, bound)
	}
	_, err = linsat.Check(context.Background(), specs.Queue(), h)
	assert.ErrorContains(t, err, `queue has no operation "submit"`)
}

func TestRenameRefusesWhatMakesNoSense(t *testing.T) {
	mine, err := spec.Define(spec.Definition[int64]{Name: "mine", Step: func(int64, spec.Call) []spec.Outcome[int64] {
		return nil
	}})
	require.NoError(t, err)
	for _, c := range []struct {
		s     spec.Spec
		names map[string]string
		says  string
	}{
		{nil, map[string]string{"enq": "submit"}, "it is nil"},
		{specs.Queue(), nil, "there is no operation of queue to rename"},
		{specs.Queue(), map[string]string{"offr": "x"}, "queue has no operation offr; its operations are enq, deq"},
		{specs.Queue(), map[string]string{"insert_it": "enq"},
			`queue has no operation insert_it; the map's keys are its names, the values are yours: {"enq": "insert_it"}`},
		{specs.Queue(), map[string]string{"enq": " "}, "the new name of enq of queue is empty"},
		{specs.Queue(), map[string]string{"enq": "deq"}, "both enq and deq of queue would be called deq"},
		{specs.Queue(), map[string]string{"enq": "x", "deq": "X"}, "both enq and deq of queue would be called"},
		{specs.Queue(), map[string]string{"enq": "x", "enqueue": "y"}, "enq of queue is renamed twice"},
		{mine, map[string]string{"enq": "x"}, "mine is not a specification that linsat ships"},
	} {
		_, err := spec.Rename(c.s, c.names)
		assert.ErrorContains(t, err, c.says)
	}
	s, err := spec.Rename(specs.Queue(), map[string]string{"enqueue": "submit"})
	require.NoError(t, err)
	_, err = spec.Rename(s, map[string]string{"submit": "x"})
	assert.ErrorContains(t, err, "queue is renamed already")
	relaxed, err := spec.Relax(s, "out-of-order=1")
	require.NoError(t, err)
	assert.Equal(t, "submit", relaxed.Info().Operations[0].Name)
	h, err := history.Read(
		bytes.NewBufferString(
			`{"operations": [{"process": 0, "f": "submit", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "submit", "arg": 2, "call": 2, "return": 3}, {"process": 0, "f": "deq", "call": 4, "return": 5, "result": 2}]}`), history.ReadOptions{})
	require.NoError(t, err)
	r, err := linsat.Check(context.Background(), relaxed, h)
	require.NoError(t, err)
	assert.Equal(t, engine.Linearizable, r.Verdict)
	// What a history has to state is known under any name.
	silent, err := history.Read(
		bytes.NewBufferString(
			`{"operations": [{"process": 0, "f": "submit", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "fetch", "call": 4, "return": 5}]}`), history.ReadOptions{})
	require.NoError(t, err)
	both, err := spec.Rename(specs.Queue(), map[string]string{"enq": "submit", "deq": "fetch"})
	require.NoError(t, err)
	_, err = linsat.Check(context.Background(), both, silent)
	assert.ErrorContains(t, err, "fetch returned, but the history does not state its result")
}
