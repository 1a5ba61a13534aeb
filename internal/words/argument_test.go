package words_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withAxioms are the specifications that have a theory, at least for some of their histories.
var withAxioms = []string{"register", "cas-register", "multi-register", "kv", "set", "mutex", "queue", "stack",
	"priority-queue", "counter"}

// describe writes an operation with its result.
func describe(b *model.Instance) func(op history.OpID) string {
	v := b.Partition.History.Values
	return func(i history.OpID) string {
		o := b.Partition.Ops[i]
		text := v.Format(o.F)
		if s, ok := v.AsString(o.F); ok {
			text = s
		}
		if o.Arg != history.Nil {
			text += " " + v.Format(o.Arg)
		}
		switch {
		case o.Pending():
			text += " (never returned)"
		case !o.Unknown:
			text += " → " + v.Format(o.Result)
		}
		return fmt.Sprintf("%s (#%s)", text, b.Partition.ID(i))
	}
}

func sentences(t testing.TB, b *model.Instance, c *proof.Weakening) []string {
	p, err := explain.Prove(context.Background(), b, c, 0)
	require.NoError(t, err)
	require.NotNil(t, p.Argument)
	out, err := words.Argument(b, c, p.Argument, describe(b))
	require.NoError(t, err)
	return claim.Texts(out)
}

func fromJSON(t testing.TB, text string) *model.Instance {
	h, err := history.Read(strings.NewReader(text), history.ReadOptions{})
	require.NoError(t, err)
	s, _ := specs.Lookup(h.Spec)
	b, err := s.Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}

// Arguments that a reader takes at once.
func TestSentencesReadWell(t *testing.T) {
	for _, c := range []struct{ what, history string }{
		{"a stale read", `{"spec": "register", "operations": [
			{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "write", "arg": 2, "call": 2, "return": 3},
			{"process": 1, "f": "read", "result": 1, "call": 4, "return": 5}]}`},
		{"two reads, in whichever order", `{"spec": "register", "operations": [
			{"process": 0, "f": "read", "result": 1, "call": 10, "return": 20}, {"process": 1, "f": "read", "result": 2, "call": 11, "return": 21},
			{"process": 2, "f": "write", "arg": 1, "call": 1, "return": 3}, {"process": 3, "f": "write", "arg": 2, "call": 2, "return": 4}]}`},
		{"chains of cas that lead nowhere", `{"spec": "cas-register", "operations": [
			{"process": 0, "f": "write", "arg": 1, "call": 0, "return": 1}, {"process": 1, "f": "cas", "arg": [0, 2], "call": 0},
			{"process": 2, "f": "cas", "arg": [3, 2], "call": 0}, {"process": 3, "f": "cas", "arg": [2, 3], "call": 1}, {"process": 4, "f": "cas", "arg": [3, 4], "call": 1},
			{"process": 0, "f": "read", "result": 4, "call": 5, "return": 6}]}`},
		{"more changes than writers", `{"spec": "cas-register", "initial": 4, "operations": [
			{"process": 0, "f": "cas", "arg": [4, 1], "result": true, "call": 1, "return": 2}, {"process": 0, "f": "cas", "arg": [4, 2], "result": true, "call": 5, "return": 6},
			{"process": 0, "f": "cas", "arg": [4, 3], "result": true, "call": 9, "return": 10}, {"process": 1, "f": "write", "arg": 4, "call": 0}]}`},
		{"locked twice", `{"spec": "mutex", "operations": [
			{"process": 0, "f": "acquire", "call": 0, "return": 9}, {"process": 1, "f": "acquire", "call": 1, "return": 8}, {"process": 2, "f": "acquire", "call": 2, "return": 7},
			{"process": 3, "f": "release", "call": 0, "return": 9}]}`},
		{"out of order", `{"spec": "queue", "operations": [
			{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3},
			{"process": 1, "f": "deq", "result": 2, "call": 4, "return": 5}, {"process": 1, "f": "deq", "result": 1, "call": 6, "return": 7}]}`},
		{"lost", `{"spec": "queue", "operations": [
			{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, {"process": 1, "f": "deq", "result": null, "call": 4, "return": 5}]}`},
		{"under the plates", `{"spec": "stack", "operations": [
			{"process": 0, "f": "push", "arg": 23, "call": 0, "return": 5}, {"process": 1, "f": "push", "arg": 20, "call": 3, "return": 10},
			{"process": 0, "f": "push", "arg": 19, "call": 6, "return": 7}, {"process": 0, "f": "pop", "result": 19, "call": 8, "return": 12}, {"process": 0, "f": "pop", "result": 23, "call": 13, "return": 14}, {"process": 2, "f": "pop", "result": null, "call": 15, "return": 16}]}`},
		{"the best first", `{"spec": "priority-queue", "operations": [
			{"process": 0, "f": "insert", "arg": 1, "call": 0, "return": 1}, {"process": 1, "f": "insert", "arg": 2, "call": 0, "return": 1},
			{"process": 0, "f": "deletemin", "result": 2, "call": 4, "return": 5}, {"process": 0, "f": "deletemin", "result": 1, "call": 6, "return": 7}]}`},
		{"the same twice", `{"spec": "queue", "operations": [
			{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, {"process": 0, "f": "deq", "result": 1, "call": 2, "return": 3}, {"process": 1, "f": "deq", "result": 1, "call": 2, "return": 3}]}`},
		{"counted", `{"spec": "counter", "operations": [
			{"process": 0, "f": "inc", "call": 0, "return": 1}, {"process": 1, "f": "inc", "arg": 2, "call": 0, "return": 9}, {"process": 0, "f": "read", "result": 2, "call": 4, "return": 5}]}`},
	} {
		b := fromJSON(t, c.history)
		got := strings.Join(sentences(t, b, proof.Everything()), "\n")
		assert.Equal(t, expected[c.what], got, c.what)
	}
}

var expected = map[string]string{
	"a stale read": `CONTRADICTION: after write 2 → null (#1) the value stays 2 until read → 1 (#2), which needs 1: write 1 → null (#0) returned before #1.`,
	"two reads, in whichever order": `1. read → 1 (#0) got its value from write 1 → null (#2): nothing else can have put it there.
2. read → 2 (#1) got its value from write 2 → null (#3): nothing else can have put it there.
3. So write 2 → null (#3) comes before write 1 → null (#2): otherwise it would overwrite it before read → 1 (#0) reads [1] (#3 < #0).
4. CONTRADICTION: write 1 → null (#2) stands between write 2 → null (#3) and read → 2 (#1), which got its value from there [2] (#3 <[3] #2 < #1).`,
	"chains of cas that lead nowhere": `CONTRADICTION: from the start the value can only be null or 1 until read → 4 (#5), which needs 4: cas [0, 2] (never returned) (#1) needs 0; cas [3, 2] (never returned) (#2) and cas [3, 4] (never returned) (#4) need 3; cas [2, 3] (never returned) (#3) needs 2.`,
	"more changes than writers":       `CONTRADICTION: cas [4, 1] → true (#0), cas [4, 2] → true (#1) and cas [4, 3] → true (#2) each take the value away from 4, 3 times in all; it can be there at first and be brought back only once, by write 4 (never returned) (#3).`,
	"locked twice":                    `CONTRADICTION: acquire → null (#0), acquire → null (#1) and acquire → null (#2) each take the lock, 3 times in all; it can be free at first and be released only once, by release → null (#3).`,
	"out of order":                    `CONTRADICTION: enq 1 → null (#0) returned before enq 2 → null (#1) was called, so first in, first out: deq → 1 (#3) comes before deq → 2 (#2); but #2 returned before #3 was called.`,
	"lost":                            `CONTRADICTION: enq 1 → null (#0) is never taken out, yet deq → null (#1) finds nothing after it (#0 < #1).`,
	"under the plates":                `CONTRADICTION: push 20 → null (#1) is never taken out, yet pop → null (#5) finds nothing after it (#1 < #5).`,
	"the best first":                  `CONTRADICTION: insert 1 → null (#0) is better than insert 2 → null (#1) and there when deletemin → 2 (#2) comes (#0 < #2), so deletemin → 1 (#3) comes before #2; but #2 returned before #3 was called.`,
	"the same twice":                  `CONTRADICTION: 1 is taken out twice, by deq → 1 (#1) and deq → 1 (#2), but put in only once, by enq 1 → null (#0).`,
	"counted":                         `CONTRADICTION: read → 2 (#2) sees 2; the counter starts at 0; in between come inc → null (#0) (#0 < #2); in between may come inc 2 → null (#1): that cannot make 2.`,
}

// Every argument can be told: one contradiction a leaf, sentences numbered, nothing left of formats
// or of the axioms' own spelling.
func TestEveryArgumentHasSentences(t *testing.T) {
	rounds := uint64(150)
	if testenv.Full() {
		rounds = 2000
	}
	told, long := 0, 0
	for _, name := range withAxioms {
		s, _ := specs.Lookup(name)
		for seed := range rounds {
			h, err := gen.Small(name, seed, gen.SmallOptions{})
			require.NoError(t, err)
			b, err := s.Bind(model.Whole(h))
			require.NoError(t, err)
			p, err := explain.Prove(context.Background(), b, proof.Everything(), 2000)
			require.NoError(t, err)
			if p.Argument == nil {
				continue
			}
			said, err := words.Argument(b, proof.Everything(), p.Argument, describe(b))
			require.NoError(t, err)
			lines := claim.Texts(said)
			all := strings.Join(lines, "\n")
			where := fmt.Sprintf("%s seed %d:\n%s", name, seed, all)
			require.Equal(t, p.Argument.Size().Leaves, strings.Count(all, "CONTRADICTION"), where)
			for _, bad := range []string{"%!", "src(", "in(", "mode(", "()", " :", "INIT", "PAST", "NONE", "ITEM",
				"=> ", "[0]"} {
				require.NotContains(t, strings.ReplaceAll(all, "priority", ""), bad, where)
			}
			told++
			if len(lines) > 3 {
				long++
			}
		}
	}
	t.Logf("%d arguments told, %d in more than 3 lines", told, long)
	assert.Greater(t, told, 300)
}

// Long histories are proved as they are, where few steps are enough.
func TestLongHistoriesAreProvedInFewSteps(t *testing.T) {
	proved := 0
	for _, name := range withAxioms {
		s, _ := specs.Lookup(name)
		for _, v := range gen.Violations() {
			c, err := gen.Generate(gen.Options{Spec: name, Operations: 200, Seed: 5, Overlap: 3, Violation: v})
			if err != nil || c.Known != gen.No {
				continue // no place for the violation
			}
			found := false
			for _, part := range model.Split(s, c.History, model.ByKey) {
				b, err := s.Bind(part)
				require.NoError(t, err)
				p, err := explain.Prove(context.Background(), b, proof.Everything(), 200)
				require.NoError(t, err)
				if p.Argument == nil {
					continue
				}
				found = true
				proved++
				lines, err := words.Argument(b, proof.Everything(), p.Argument, describe(b))
				require.NoError(t, err)
				assert.Less(t, len(lines), 10, "%s with %v", name, v)
			}
			assert.True(t, found, "%s with %v: %s", name, v, c.Mutation)
		}
	}
	assert.Greater(t, proved, 10)
}

// What is not so in the whole history, or would take too many words, is not said: another short
// sentence is.
func TestArgumentsClaimNoMoreThanTheHistory(t *testing.T) {
	for says, text := range map[string]string{
		`CONTRADICTION: get("7") → "a" (#2) needs "a", which the value cannot have become since append("7") "b" (#1): nothing in between can leave "a".`: `
			{"spec": "kv", "operations": [
			{"process": 0, "f": "append", "key": "7", "arg": "a", "call": 0, "return": 1}, {"process": 0, "f": "append", "key": "7", "arg": "b", "call": 2, "return": 3},
			{"process": 0, "f": "get", "key": "7", "result": "a", "call": 4, "return": 5}, {"process": 0, "f": "get", "key": "7", "result": "ab", "call": 6, "return": 7}]}`,
		`CONTRADICTION: read → 4 (#6) needs 4, which the value cannot have become since cas [4, 0] → true (#0): nothing in between can leave 4.`: `
			{"spec": "cas-register", "initial": 4, "operations": [
			{"process": 0, "f": "cas", "arg": [4, 0], "result": true, "call": 0, "return": 1}, {"process": 1, "f": "write", "arg": 5, "call": 0},
			{"process": 2, "f": "write", "arg": 6, "call": 0}, {"process": 3, "f": "write", "arg": 7, "call": 0}, {"process": 4, "f": "write", "arg": 8, "call": 0},
			{"process": 5, "f": "cas", "arg": [3, 4], "result": false, "call": 0, "return": 9}, {"process": 0, "f": "read", "result": 4, "call": 3, "return": 5}]}`,
		`CONTRADICTION: from the start the value can only be null or 1 until read → 0 (#2), which needs 0: nothing before it can leave another value.`: `
			{"spec": "cas-register", "operations": [
			{"process": 0, "f": "write", "arg": 1, "call": 0}, {"process": 1, "f": "cas", "arg": [0, 3], "result": false, "call": 1, "return": 2},
			{"process": 2, "f": "read", "result": 0, "call": 1, "return": 2}]}`,
	} {
		h := wordstest.Parse(t, text)
		assert.Equal(t, says, strings.Join(words.Reasons(&wordstest.Checked(t, h).Result), "\n"))
	}
}
