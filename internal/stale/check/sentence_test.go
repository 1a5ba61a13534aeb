package check

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/words"
	"github.com/linsat/linsat/internal/subhistory"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var named = regexp.MustCompile(`\(#(\d+)\)`)

// TestSentencesAreEnough: the operations that a sentence names, with the writes of what they read,
// are a no by definition. Sentences that list the whole core are left out.
func TestSentencesAreEnough(t *testing.T) {
	said := map[string]int{}
	for seed := range uint64(testenv.Scale(600, 20_000)) {
		name := []string{"register", "kv"}[seed%2]
		sp, _ := specs.Lookup(name)
		h := random(t, name, seed)
		x, err := stale.Of(sp, h)
		if err != nil || len(h.Edges) > 0 {
			continue
		}
		questions := []stale.Question{{}, {Bound: 1}, {Bound: 2}, {Kind: stale.Moved, Bound: 2}}
		if x.OnlyReadsAndWrites() == nil {
			questions = append(questions, stale.Question{Kind: stale.Regular},
				stale.Question{Kind: stale.WeaklyRegular})
		}
		for _, q := range questions {
			a := Ask(context.Background(), x, q)
			if a.Verdict != Fails {
				continue
			}
			text := words.Sentence(x, q, a.Certificate.Core)
			require.True(t, strings.HasSuffix(text, "."), "seed %d: %q", seed, text)
			if strings.HasPrefix(text, "These operations") {
				said["whole core"]++
				continue
			}
			said["a reason"]++
			part := naming(h, text)
			small, err := subhistory.Of(h, part)
			require.NoError(t, err)
			for k, i := range part {
				small.Origins[k].CallTime, small.Origins[k].ReturnTime = h.Origins[i].CallTime, h.Origins[i].ReturnTime
			}
			assert.False(t, defined(t, small, name, q), "seed %d, %v: %s", seed, q, text)
		}
	}
	t.Log(said)
	assert.Greater(t, said["a reason"], testenv.MoreThan(5*said["whole core"]))
}

// naming lists the operations that a text names, and the writes of what those read.
func naming(h *history.History, text string) (ops []history.OpID) {
	var read []history.Value
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		for i := range h.Ops {
			if h.ID(history.OpID(i)) == m[1] {
				ops = append(ops, history.OpID(i))
				read = append(read, h.Ops[i].Result)
			}
		}
	}
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Arg != history.Nil && slices.Contains(read, o.Arg) {
			ops = append(ops, history.OpID(i))
		}
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}
