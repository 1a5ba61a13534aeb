package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/isolationtest"
	"github.com/linsat/linsat/internal/verify/clausal"
)

// at is a place, on one line.
func at(t, access int32) isolation.Place { return isolation.Place{Txn: t, Access: access} }

// Histories that clauses are of.
const (
	registers = `x=1 y=1 | session 0
		x=2 | session 0
		x=1 | open
		x=5 | aborted
		x:1 y:1 | session 1
		y:0 x=3 x:3 | session 1
		x:4 y=9 y:8
		x=0 y=2`
	lists = `x+1 y+1
		x+2 x+3
		x+4 | open
		x:[1] x+5 x:[1 5]
		x:[1 2 3 4] y:[]
		x:[2 3 1]
		x:[1 2] x:[3 1]
		x:[1 6] x:[1 1] x+7 x:[7 1]
		x:[1 9]
		x+9 | aborted
		x:[1 8] x+8
		x+8
		x:[1 2 3 1]`
	doubled = `x+1
		x+1
		x+2
		x:[1] x:[1 2] x:[2 1]`
	overlaps = `x+1 x+1
		x+1
		x+1 | open
		x:[1] x+1 x:[1 1]
		x:[1 1 1] x:[1 1]`
)

// TestClauses says of clauses which literals they have, or why they are refused.
func TestClauses(t *testing.T) {
	for _, c := range []struct {
		history, level, clause, want string
	}{
		{registers, "ser", "unknown", "there is no rule "},
		{registers, "ser", "source", "it takes 1 places"},
		{registers, "ser", "given T1", "and 2 transactions"},
		{registers, "ser", "source 4.0 given>1", "hops: false"},
		{registers, "ser", "source 4.0 e1 e3", "events: false"},
		{registers, "causal", "reached 4.0 T0 T1", "hops: true"},
		{registers, "ser", "cycle e1", "events: true"},

		{registers, "ser", "source 4.0", "from(4.0,0) from(4.0,2)"},
		{registers, "ser", "source 4.1", "true"},
		{registers, "ser", "source 5.0", "true"},
		{registers, "ser", "source 6.0", ""},
		{registers, "ser", "source 5.2", "it is not of what others wrote"},
		{registers, "ser", "source 6.2", "it is not of what others wrote"},
		{registers, "ser", "source 4.9", "access 9 is no read"},
		{registers, "ser", "source 4.-1", "access -1 is no read"},
		{registers, "ser", "source 0.0", "access 0 is no read"},
		{registers, "ser", "source 2.0", "not one that committed"},
		{registers, "ser", "source -1.0", "not one that committed"},
		{registers, "ser", "source 10.0", "not one that committed"},
		{lists, "ser", "source 3.0", "there is a source of it"},
		{lists, "ser", "source 3.2", "there is a source of it"},
		{lists, "ser", "source 4.1", "there is a source of it"},
		{lists, "ser", "source 5.0", "there is a source of it"},
		{lists, "ser", "source 6.0", ""},  // not all that T1 appends
		{lists, "ser", "source 6.1", ""},  // not from its beginning on
		{lists, "ser", "source 7.0", ""},  // nobody appends 6
		{lists, "ser", "source 7.1", ""},  // twice
		{lists, "ser", "source 8.0", ""},  // aborted
		{lists, "ser", "source 12.0", ""}, // twice, T1 in between
		{lists, "ser", "source 10.0", "there is a source of it"},
		{doubled, "ser", "source 3.0", "it is not known which"},
		{doubled, "ser", "source 3.1", "it is not known which"},

		{registers, "ser", "effect 4.0 T2", "¬from(4.0,2) effect(2)"},
		{registers, "ser", "effect 4.0 T0", "true"},
		{registers, "ser", "effect 4.1 T2", "true"},
		{registers, "ser", "effect 4.0 T3", "it aborted"},
		{registers, "ser", "effect 4.0 T30", "there is no such"},
		{registers, "ser", "effect 4.0 T-2", "there is no such"},
		{registers, "ser", "effect 5.0 T-1", "true"},
		{lists, "ser", "effect 4.0 T2", "effect(2)"},
		{lists, "ser", "effect 3.0 T2", "true"},

		{registers, "ser", "written 4.0 T2", "¬from(4.0,2) before(5,9)"},
		{registers, "si", "written 4.1 T0", "before(1,8)"},
		{registers, "si", "written 5.0 T-1", "true"},
		{lists, "si", "written 3.2 T0", "before(1,6)"},
		{lists, "si", "written 4.0 T0", "true"}, // not the last
		{lists, "si", "written 10.0 T10", "true"},
		{doubled, "si", "written 3.0 T0", "¬placed(0,0,0) before(1,6)"},
		{doubled, "si", "written 3.1 T0", "true"}, // not the last

		{registers, "si", "own T4", "before(8,9)"},
		{registers, "si", "own T3", "it aborted"},
		{registers, "ser", "own T4", "it is no rule of serializable"},

		{registers, "ser", "given T0 T1", "does not give that order"},
		{registers, "causal", "given T0 T1", "before(1,3)"},
		{registers, "causal", "given T1 T0", "does not give that order"},
		{registers, "strong-session-snapshot-isolation", "given T0 T1", "before(1,2)"},
		{registers, "causal", "given T1 T1", "it is named twice"},
		{registers, "causal", "given T-1 T1", "there is no such"},
		{"x=1 | session 0 | open\n x=2 | session 0 | open", "causal", "given T0 T1",
			"¬effect(0) ¬effect(1) before(1,3)"},

		{lists, "rc", "version 4.0 T0 T2", "before(1,5)"},
		{lists, "rc", "version 5.0 T1 T0", "¬before(1,3)"},
		{lists, "rc", "version 4.0 T1 T0", "nothing of T1 before"},
		{lists, "rc", "version 3.2 T0 T3", "nothing of T0 before"},
		{lists, "rc", "version 4.1 T0 T1", "nothing of T0 before"},
		{lists, "rc", "version 4.0 T-1 T0", "there is no such"},
		{lists, "rc", "version 7.3 T0 T1", "not of what others wrote"},
		{doubled, "rc", "version 3.1 T0 T2", "nothing of T0 before"},
		{registers, "rc", "version 4.0 T0 T1", "nothing of T0 before"},

		{lists, "rc", "unseen 3.0 T0 T2", "¬effect(2) before(1,5)"},
		{lists, "rc", "unseen 3.2 T0 T3", "before(1,7)"},
		{lists, "rc", "unseen 4.0 T0 T1", "it hides nothing of T1"},
		{lists, "rc", "unseen 3.0 T1 T2", "it shows nothing of T1"},
		{lists, "rc", "unseen 4.1 T-1 T0", "there is no such"},
		{doubled, "rc", "unseen 3.0 T0 T2", "it shows nothing of T0"},

		{registers, "ser", "overwritten 4.1 T0 T7", "¬before(1,15) before(9,15)"},
		{registers, "si", "overwritten 4.0 T0 T2", "¬effect(2) ¬from(4.0,0) ¬before(1,5) ¬before(5,8)"},
		{registers, "prefix", "overwritten 5.0 T-1 T7", "before(10,15)"},
		{registers, "causal", "overwritten 4.0 T0 T2", "no rule of causal"},
		{registers, "ser", "overwritten 4.0 T0 T0", "named twice"},
		{registers, "ser", "overwritten 6.0 T0 T6", "is the reader, or"},
		{"x:0 x=1 x=2", "ser", "overwritten 0.0 T-1 T0", "is the reader, or"},
		{registers, "ser", "overwritten 4.1 T0 T1", "does not write y"},
		{registers, "ser", "overwritten 4.0 T0 T3", "it aborted"},
		{registers, "ser", "overwritten 4.0 T7 T1", "true"}, // T7 left 0
		{registers, "ser", "overwritten 4.0 T0 T-1", "there is no such"},
		{lists, "ser", "overwritten 4.1 T-1 T0", "¬before(1,9)"},

		{registers, "si", "conflict T2 T0", "¬effect(2) ¬before(0,5) before(1,4)"},
		{registers, "si", "conflict T1 T6", "they write no object both"},
		{registers, "prefix", "conflict T0 T1", "it is no rule of prefix"},

		{registers, "rc", "seen 4.1 T0 T7 reads>4@4.0", "true"},
		{"x=1 y=1\n x=1 y=2\n x:1 y:1 x:1", "rc", "seen 2.1 T0 T1 reads>2@2.0", "¬from(2.0,1) ¬before(1,3)"},
		{"x=1 y=1\n x=1 y=2\n x:1 y:1 x:1", "rc", "seen 2.1 T0 T1 reads>2@2.2", "an earlier read"},
		{"x=1 y=1\n x=1 y=2\n x:1 y:1 x:1", "ra", "seen 2.1 T0 T1 reads>2@2.2", "¬from(2.2,1) ¬before(1,3)"},
		{"x=1 | session 1\n x=2 | session 1\n x:1 | session 1", "strong-session-read-atomic",
			"seen 2.0 T0 T1 given>2", "¬before(1,3)"},
		{"x=1 | session 1\n x=2 | session 1\n x:1 | session 1", "strong-session-read-committed",
			"seen 2.0 T0 T1 given>2", "an earlier read"},
		{"x=1 | session 1\n x=2 | session 1\n y=1 | session 1\n x:1 | session 1", "strong-session-read-atomic",
			"seen 3.0 T0 T1 given>2 given>3", "it takes one hop"},
		{"x=1 | session 1\n x=2 | session 1\n y=1 | session 1\n x:1 | session 1", "causal",
			"seen 3.0 T0 T1 given>3", "it is no rule of causal"},

		{"x=1 | session 1\n x=2 | session 1 | open\n y=1 | session 1\n x:1 | session 1", "causal",
			"reached 3.0 T0 T1 given>2 given>3", "¬effect(1) ¬before(1,3)"},
		{"x=1 | session 1\n x=2 | session 1\n y=1 | session 1\n x:1 | session 1", "causal",
			"reached 3.0 T0 T1 given>2", "the hops end there, and not at T3"},
		{registers, "causal", "reached 4.0 T0 T7 overwrites>4@4.0/0", "a hop of the kind overwrites is too much"},
		{registers, "causal", "reached 4.0 T0 T7 writes>4", "a hop of the kind writes is too much"},
		{registers, "causal", "reached 4.0 T0 T7 unknown>4", "a hop of the kind unknown 9"},
		{registers, "causal", "reached 4.0 T0 T7 given>7", "a hop leads from it to itself"},
		{registers, "causal", "reached 4.0 T0 T7 given>3", "it aborted"},
		{registers, "causal", "reached 4.0 T0 T7 given>50", "there is no such"},
		{registers, "causal", "reached 4.0 T0 T7 reads>5@4.1", "it is not the reader, T5"},
		{registers, "causal", "reached 4.0 T0 T7 reads>4@4.1", "true"},
		{registers, "causal", "reached 4.0 T0 T1 given>4", "does not give that order"},
		{registers, "causal", "reached 4.0 T0 T5 reads>5@5.2", "a hop leads from it to itself"},
		{registers, "causal", "reached 4.0 T0 T2 reads>5@5.2", "it is not of what others wrote"},

		{"x:0 x=1\n x:0 x=2", "psi", "visible T0 overwrites>1@0.0/-1 writes>0", "before(1,3)"},
		{"x:0 x=1\n x:0 x=2", "psi", "visible T0 overwrites>1@0.0/-1", "and not where they began"},
		{"x:0 x=1\n x:0 x=2", "psi",
			"visible T0 overwrites>1@0.0/-1 overwrites>0@1.0/-1", "a hop of the kind overwrites is too much"},
		{"x:0 x=1\n x:0 x=2", "ser", "visible T0 writes>1 writes>0", "no rule of serializable"},
		{"x:0 x=1\n y=2", "psi", "visible T0 writes>1 writes>0", "they write no object both"},
		{"x:0 x=1 | session 1\n x=2 | open\n x=3 | session 1 | open", "strong-session-parallel-snapshot",
			"visible T0 given>2 writes>1 writes>0", "¬effect(2) ¬effect(1) before(3,5) before(1,3)"},
		{"x:0 x=1\n x=2 | open", "psi", "visible T0 overwrites>1@0.0/-1 writes>0", "¬effect(1) before(1,3)"},
		{"x=1\n x:1 y:0\n y=2", "psi", "visible T1 overwrites>2@1.0/0 writes>1", "does not write x"},
		{"x=1\n x:1 x=2\n x=3", "psi", "visible T1 overwrites>0@1.0/0 reads>1@1.0", "it is the source itself"},
		{"x=1\n x:1 x=2\n x=3", "psi", "visible T1 overwrites>2@1.0/-1 writes>1", "true"},
		{"x=1\n x:1 x=2\n x=3", "psi", "visible T1 overwrites>2@1.0/0 writes>1", "¬before(1,5) before(3,5)"},
		{"x=1\n x:1 x=2\n x=3", "psi", "visible T2 overwrites>0@1.0/0 writes>2", "it is not the reader"},

		{registers, "si", "cycle e1 e8 e2", "¬before(1,8) before(2,8) before(1,2)"},
		{registers, "ser", "cycle e1 e8 e2", "there are no starts"},
		{registers, "si", "cycle e1 e1 e2", "twice in a row"},
		{registers, "si", "cycle e1 e2 e1", "twice in a row"},
		{registers, "si", "cycle e1 e-1", "there is no event -1"},
		{registers, "si", "cycle e1 e16", "there is no event 16"},
		{registers, "si", "cycle e1 e7", "it aborted"},

		{registers, "ser", "internal 6.2", ""},
		{registers, "ser", "internal 5.2", "does not contradict"},
		{registers, "ser", "internal 6.0", "does not contradict"},
		{lists, "ser", "internal 7.3", ""},
		{lists, "ser", "internal 3.2", "does not contradict"},
		{"x+1 x:[]", "ser", "internal 0.1", ""},
		{"x+1 x+2 x:[2]", "ser", "internal 0.2", ""},

		{lists, "ser", "incompatible 4.0 5.0", ""},
		{lists, "ser", "incompatible 3.0 4.0", "or agrees with it"},
		{lists, "ser", "incompatible 3.2 4.0", "or agrees with it"},
		{"x:[1] y:[2]", "ser", "incompatible 0.0 0.1", "of something else"},
		{lists, "ser", "incompatible 4.0 7.3", "not of what others wrote"},
		{registers, "ser", "incompatible 4.0 6.0", "or agrees with it"},

		{lists, "ser", "twice 7.1", ""},
		{lists, "ser", "twice 12.0", ""},
		{lists, "ser", "twice 4.0", "nothing more often"},
		{"x+1 x+1\n x:[1 1]", "ser", "twice 1.0", "nothing more often"},
		{"x+1 | open\n x+1\n x:[1 1]", "ser", "twice 2.0", "nothing more often"},
		{"x+1 | aborted\n x+1\n x:[1 1]", "ser", "twice 2.0", ""},
		{registers, "ser", "twice 4.0", "nothing more often"},

		{doubled, "ser", "placed 3.0 @0", "placed(0,0,0) placed(0,1,0)"},
		{doubled, "ser", "placed 3.1 @1", "placed(0,2,1)"},
		{doubled, "ser", "placed 3.1 @2", "it shows no element 2"},
		{doubled, "ser", "placed 3.1 @-1", "it shows no element -1"},
		{doubled, "ser", "placed 3.1", "it takes 1 places"},
		{registers, "ser", "placed 4.0 @0", "it is no read of a list"},
		{lists, "ser", "placed 4.0 @2", "placed(0,1,1)"},
		{lists, "ser", "placed 6.0 @1", ""},                // T1 appends 3 as well
		{lists, "ser", "placed 10.0 @1", "placed(0,11,1)"}, // without the reader
		{overlaps, "ser", "placed 4.0 @1", "placed(0,0,0) placed(0,0,1) placed(0,1,1) placed(0,2,1) placed(0,3,1)"},
		{overlaps, "ser", "placed 4.1 @1", "placed(0,0,0) placed(0,1,1) placed(0,2,1) placed(0,3,1)"},
		{overlaps, "ser", "placed 3.0 @0", "placed(0,1,0) placed(0,2,0)"},
		{doubled, "ser", "places 3.0 T0 T1 @0 @0", "¬placed(0,0,0) ¬placed(0,1,0)"},
		{doubled, "ser", "places 3.0 T1 T0 @0 @1", "¬placed(0,1,0) ¬placed(0,0,1) ¬before(1,3)"},
		{doubled, "ser", "places 3.0 T1 T0 @1 @0", "not in this order"},
		{doubled, "ser", "places 3.0 T1 T0 @-1 @0", "not in this order"},
		{doubled, "ser", "places 3.0 T1 @0 @3", "¬placed(0,1,0) ¬placed(0,1,3)"},
		{doubled, "ser", "places 3.0 T1 @0 @0", "not in this order"},
		{doubled, "ser", "places 3.0 T1 T1 @0 @1", "named twice"},
		{doubled, "ser", "places 3.0 T1 T3 @0 @1", "it appends nothing to x"},
		{doubled, "ser", "places 3.0 T-1 T0 @0 @1", "there is no such"},
		{overlaps, "ser", "places 4.0 T0 T1 @0 @1", "¬placed(0,0,0) ¬placed(0,1,1)"},
		{overlaps, "ser", "places 4.0 T0 T1 @0 @2", "¬placed(0,0,0) ¬placed(0,1,2) before(1,3)"},
		{doubled, "ser", "hidden 3.0 T0 T2 @0", "¬placed(0,0,0) before(1,5)"},
		{doubled, "ser", "hidden 3.0 T0 T1 @0", "¬placed(0,0,0) placed(0,1,0) before(1,3)"},
		{doubled, "ser", "hidden 3.0 T0 T1 @1", "it does not show what T0 appended at 1"},
		{overlaps, "ser", "hidden 4.0 T2 T1 @0",
			"¬placed(0,2,0) placed(0,1,0) placed(0,1,1) placed(0,1,2) ¬before(3,5)"},
		{overlaps, "ser", "stands 4.0 T2 @2", "¬placed(0,2,2) effect(2)"},
		{overlaps, "ser", "stands 4.0 T2 @3", "it does not show what T2 appended at 3"},
		{overlaps, "ser", "stands 4.0 T1 @1", "true"},
		{overlaps, "ser", "stands 4.0 T-1 @1", "there is no such"},
	} {
		h := isolationtest.Parse(c.history)
		l, err := isolation.ParseLevel(c.level)
		require.NoError(t, err)
		got := short(c.want, spelled(h, l, clauseOf(t, c.clause)))
		assert.Equal(t, c.want, got, "%s: %s\n%s", c.level, c.clause, c.history)
	}
}

// clauseOf reads a clause: its rule, places as 4.0, transactions as T4, events as e9, places in
// lists as @3, and hops as given>4, writes>4, reads>4@4.0 and overwrites>4@3.0/1, which is from T1.
func clauseOf(t *testing.T, text string) (c isolation.Clause) {
	for k, word := range strings.Fields(text) {
		kind, rest, hop := strings.Cut(word, ">")
		var n, access int32
		switch {
		case k == 0 && c.Rule.UnmarshalText([]byte(word)) != nil:
			c.Rule = 99
		case k == 0:
		case hop:
			h := isolation.Hop{Kind: 99}
			_ = h.Kind.UnmarshalText([]byte(kind))
			got, _ := fmt.Sscanf(rest, "%d@%d.%d/%d", &h.To, &h.Place.Txn, &h.Place.Access, &h.From)
			require.Positive(t, got, word)
			c.Hops = append(c.Hops, h)
		case scan(word, "T%d", &n):
			c.Txns = append(c.Txns, n)
		case scan(word, "@%d", &n):
			c.At = append(c.At, n)
		case scan(word, "e%d", &n):
			c.Events = append(c.Events, n)
		default:
			require.True(t, scan(word, "%d.%d", &n, &access), word)
			c.Places = append(c.Places, at(n, access))
		}
	}
	return c
}

func scan(word, format string, into ...any) bool {
	n, _ := fmt.Sscanf(word, format, into...)
	return n == len(into)
}

// short returns what is wanted if the text has it.
func short(want, text string) string {
	if want != "" && want != "true" && !strings.Contains(want, "(") && strings.Contains(text, want) {
		return want
	}
	return text
}

// spelled writes the literals of a clause, or the error; "true" if one is.
func spelled(h *isolation.History, l isolation.Level, of isolation.Clause) string {
	x, err := newIndex(h, []isolation.Clause{of})
	if err != nil {
		return err.Error()
	}
	c := &clauses{index: x, level: l, number: map[statement]clausal.Lit{}}
	lits, err := c.literals(&of)
	if err != nil {
		return err.Error()
	}
	var words []string
	for _, l := range lits {
		if l == always {
			return "true"
		}
		word := ""
		switch l.what {
		case isTrue:
			continue
		case isBefore:
			word = fmt.Sprintf("before(%d,%d)", l.a, l.b)
		case isFrom:
			word = fmt.Sprintf("from(%d.%d,%d)", l.p.Txn, l.p.Access, l.a)
		case isPlaced:
			word = fmt.Sprintf("placed(%d,%d,%d)", l.p.Txn, l.a, l.b)
		case isEffect:
			word = fmt.Sprintf("effect(%d)", l.a)
		}
		if l.not {
			word = "¬" + word
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
