package verify_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Trying everything costs what is open at a time, not the length of the history, even where an
// operation never returns. Where one returns at the end, it gives up rather than take the length
// for every step.
func TestPlainSearchCostsWhatIsOpen(t *testing.T) {
	semaphore, _ := specs.Lookup("semaphore")
	for _, open := range []string{"", "for ever", "to the end"} {
		b := history.NewBuilder()
		clock := int64(1)
		add := func(process int, f string, result history.Value, pending bool) {
			_, err := b.Add(history.Record{Process: b.Process(strconv.Itoa(process)), F: b.Values.String(f),
				Key: history.NoKey, Result: result,
				Call: clock, Return: clock + 1, Pending: pending})
			require.NoError(t, err)
			clock += 2
		}
		pending := 0
		if open == "for ever" {
			add(10, "release", history.Nil, true)
			pending++
		}
		for range 30_000 {
			add(0, "acquire", history.Nil, false)
			add(0, "release", history.Nil, false)
		}
		add(0, "acquire", history.Nil, false)
		if open == "to the end" {
			_, err := b.Add(history.Record{Process: b.Process("10"), F: b.Values.String("release"), Key: history.NoKey,
				Return: clock})
			require.NoError(t, err)
			pending++
			clock++
		}
		for k := range pending + 1 {
			add(1+k, "tryacquire", b.Values.Bool(true), false)
		}
		h, err := b.Finish()
		require.NoError(t, err)
		bound, err := semaphore.Bind(model.Whole(h))
		require.NoError(t, err)
		start := time.Now()
		_, err = verify.Exhausted(bound, &proof.Weakening{Cut: history.Never}, base.MaxNodes)
		if open == "to the end" {
			assert.ErrorIs(t, err, base.ErrTooLarge)
		} else {
			assert.NoError(t, err)
		}
		assert.Less(t, time.Since(start), 20*time.Second)
	}
}
