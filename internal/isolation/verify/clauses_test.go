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
)

// TestClauses says of clauses which literals they have, or why they are refused.
func TestClauses(t *testing.T) {
	reads := func(to int32, p isolation.Place) isolation.Hop {
		return isolation.Hop{Kind: isolation.Reads, To: to, Place: p}
	}
	given := func(to int32) isolation.Hop { return isolation.Hop{Kind: isolation.Given, To: to} }
	writes := func(to int32) isolation.Hop { return isolation.Hop{Kind: isolation.Writes, To: to} }
	over := func(to, from int32, p isolation.Place) isolation.Hop {
		return isolation.Hop{Kind: isolation.Overwrites, To: to, Place: p, From: from}
	}
	type places = []isolation.Place
	type txns = []int32
	type hops = []isolation.Hop
	for _, c := range []struct {
		history, level string
		clause         isolation.Clause
		want           string
	}{
		{registers, "ser", isolation.Clause{Rule: 99}, "there is no such rule"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource}, "it takes 1 places"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{1}}, "and 2 transactions"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(4, 0)}, Hops: hops{given(1)}}, "hops: false"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(4, 0)}, Events: txns{1, 3}}, "events: false"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 1}}, "hops: true"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1}}, "events: true"},

		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(4, 0)}}, "from(4.0,0) from(4.0,2)"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(4, 1)}}, "true"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(5, 0)}}, "true"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(6, 0)}}, ""},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(5, 2)}}, "it is not of what others wrote"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(6, 2)}}, "it is not of what others wrote"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(4, 9)}}, "access 9 is no read"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(4, -1)}}, "access -1 is no read"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(0, 0)}}, "access 0 is no read"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(2, 0)}}, "not one that committed"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(-1, 0)}}, "not one that committed"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(10, 0)}}, "not one that committed"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(3, 0)}}, "there is a source of it"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(3, 2)}}, "there is a source of it"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(4, 1)}}, "there is a source of it"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(5, 0)}}, "there is a source of it"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(6, 0)}}, ""},  // not all that T1 appends
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(6, 1)}}, ""},  // not from its beginning on
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(7, 0)}}, ""},  // nobody appends 6
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(7, 1)}}, ""},  // twice
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(8, 0)}}, ""},  // aborted
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(12, 0)}}, ""}, // twice, T1 in between
		{lists, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(10, 0)}}, "there is a source of it"},
		{doubled, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(3, 0)}}, "it is not known which"},
		{doubled, "ser", isolation.Clause{Rule: isolation.RuleSource, Places: places{at(3, 1)}}, "it is not known which"},

		{registers, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(4, 0)}, Txns: txns{2}}, "¬from(4.0,2) effect(2)"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(4, 0)}, Txns: txns{0}}, "true"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(4, 1)}, Txns: txns{2}}, "true"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(4, 0)}, Txns: txns{3}}, "it aborted"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(4, 0)}, Txns: txns{30}}, "there is no such"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(4, 0)}, Txns: txns{-2}}, "there is no such"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(5, 0)}, Txns: txns{-1}}, "true"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(4, 0)}, Txns: txns{2}}, "effect(2)"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleEffect, Places: places{at(3, 0)}, Txns: txns{2}}, "true"},

		{registers, "ser", isolation.Clause{Rule: isolation.RuleWritten, Places: places{at(4, 0)}, Txns: txns{2}}, "¬from(4.0,2) before(5,9)"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleWritten, Places: places{at(4, 1)}, Txns: txns{0}}, "before(1,8)"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleWritten, Places: places{at(5, 0)}, Txns: txns{-1}}, "true"},
		{lists, "si", isolation.Clause{Rule: isolation.RuleWritten, Places: places{at(3, 2)}, Txns: txns{0}}, "before(1,6)"},
		{lists, "si", isolation.Clause{Rule: isolation.RuleWritten, Places: places{at(4, 0)}, Txns: txns{0}}, "true"}, // not the last
		{lists, "si", isolation.Clause{Rule: isolation.RuleWritten, Places: places{at(10, 0)}, Txns: txns{10}}, "true"},
		{doubled, "si", isolation.Clause{Rule: isolation.RuleWritten, Places: places{at(3, 0)}, Txns: txns{0}}, "it is not known which"},

		{registers, "si", isolation.Clause{Rule: isolation.RuleOwn, Txns: txns{4}}, "before(8,9)"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleOwn, Txns: txns{3}}, "it aborted"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleOwn, Txns: txns{4}}, "it is no rule of serializable"},

		{registers, "ser", isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{0, 1}}, "does not give that order"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{0, 1}}, "before(1,3)"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{1, 0}}, "does not give that order"},
		{registers, "strong-session-snapshot-isolation", isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{0, 1}}, "before(1,2)"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{1, 1}}, "it is named twice"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{-1, 1}}, "there is no such"},
		{"x=1 | session 0 | open\n x=2 | session 0 | open", "causal",
			isolation.Clause{Rule: isolation.RuleGiven, Txns: txns{0, 1}}, "¬effect(0) ¬effect(1) before(1,3)"},

		{lists, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(4, 0)}, Txns: txns{0, 2}}, "before(1,5)"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(5, 0)}, Txns: txns{1, 0}}, "¬before(1,3)"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(4, 0)}, Txns: txns{1, 0}}, "nothing of T1 before"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(3, 2)}, Txns: txns{0, 3}}, "nothing of T0 before"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(4, 1)}, Txns: txns{0, 1}}, "nothing of T0 before"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(4, 0)}, Txns: txns{-1, 0}}, "there is no such"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(7, 3)}, Txns: txns{0, 1}}, "not of what others wrote"},
		{doubled, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(3, 1)}, Txns: txns{0, 2}}, "nothing of T0 before"},
		{registers, "rc", isolation.Clause{Rule: isolation.RuleVersion, Places: places{at(4, 0)}, Txns: txns{0, 1}}, "nothing of T0 before"},

		{lists, "rc", isolation.Clause{Rule: isolation.RuleUnseen, Places: places{at(3, 0)}, Txns: txns{0, 2}}, "¬effect(2) before(1,5)"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleUnseen, Places: places{at(3, 2)}, Txns: txns{0, 3}}, "before(1,7)"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleUnseen, Places: places{at(4, 0)}, Txns: txns{0, 1}}, "it hides nothing of T1"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleUnseen, Places: places{at(3, 0)}, Txns: txns{1, 2}}, "it shows nothing of T1"},
		{lists, "rc", isolation.Clause{Rule: isolation.RuleUnseen, Places: places{at(4, 1)}, Txns: txns{-1, 0}}, "there is no such"},
		{doubled, "rc", isolation.Clause{Rule: isolation.RuleUnseen, Places: places{at(3, 0)}, Txns: txns{0, 2}}, "it shows nothing of T0"},

		{registers, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 1)}, Txns: txns{0, 7}}, "¬before(1,15) before(9,15)"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 0)}, Txns: txns{0, 2}},
			"¬effect(2) ¬from(4.0,0) ¬before(1,5) ¬before(5,8)"},
		{registers, "prefix", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(5, 0)}, Txns: txns{-1, 7}}, "before(10,15)"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 0)}, Txns: txns{0, 2}}, "no rule of causal"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 0)}, Txns: txns{0, 0}}, "named twice"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(6, 0)}, Txns: txns{0, 6}}, "is the reader, or"},
		{"x:0 x=1 x=2", "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(0, 0)}, Txns: txns{-1, 0}}, "is the reader, or"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 1)}, Txns: txns{0, 1}}, "does not write y"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 0)}, Txns: txns{0, 3}}, "it aborted"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 0)}, Txns: txns{7, 1}}, "true"}, // T7 left 0
		{registers, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 0)}, Txns: txns{0, -1}}, "there is no such"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleOverwritten, Places: places{at(4, 1)}, Txns: txns{-1, 0}}, "¬before(1,9)"},

		{registers, "si", isolation.Clause{Rule: isolation.RuleConflict, Txns: txns{2, 0}}, "¬effect(2) ¬before(0,5) before(1,4)"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleConflict, Txns: txns{1, 6}}, "they write no object both"},
		{registers, "prefix", isolation.Clause{Rule: isolation.RuleConflict, Txns: txns{0, 1}}, "it is no rule of prefix"},

		{registers, "rc", isolation.Clause{Rule: isolation.RuleSeen, Places: places{at(4, 1)}, Txns: txns{0, 7}, Hops: hops{reads(4, at(4, 0))}}, "true"},
		{"x=1 y=1\n x=1 y=2\n x:1 y:1 x:1", "rc", isolation.Clause{Rule: isolation.RuleSeen, Places: places{at(2, 1)}, Txns: txns{0, 1},
			Hops: hops{reads(2, at(2, 0))}}, "¬from(2.0,1) ¬before(1,3)"},
		{"x=1 y=1\n x=1 y=2\n x:1 y:1 x:1", "rc", isolation.Clause{Rule: isolation.RuleSeen, Places: places{at(2, 1)}, Txns: txns{0, 1},
			Hops: hops{reads(2, at(2, 2))}}, "an earlier read"},
		{"x=1 y=1\n x=1 y=2\n x:1 y:1 x:1", "ra", isolation.Clause{Rule: isolation.RuleSeen, Places: places{at(2, 1)}, Txns: txns{0, 1},
			Hops: hops{reads(2, at(2, 2))}}, "¬from(2.2,1) ¬before(1,3)"},
		{"x=1 | session 1\n x=2 | session 1\n x:1 | session 1", "strong-session-read-atomic", isolation.Clause{Rule: isolation.RuleSeen,
			Places: places{at(2, 0)}, Txns: txns{0, 1}, Hops: hops{given(2)}}, "¬before(1,3)"},
		{"x=1 | session 1\n x=2 | session 1\n x:1 | session 1", "strong-session-read-committed", isolation.Clause{Rule: isolation.RuleSeen,
			Places: places{at(2, 0)}, Txns: txns{0, 1}, Hops: hops{given(2)}}, "an earlier read"},
		{"x=1 | session 1\n x=2 | session 1\n y=1 | session 1\n x:1 | session 1", "strong-session-read-atomic", isolation.Clause{
			Rule: isolation.RuleSeen, Places: places{at(3, 0)}, Txns: txns{0, 1}, Hops: hops{given(2), given(3)}}, "it takes one hop"},
		{"x=1 | session 1\n x=2 | session 1\n y=1 | session 1\n x:1 | session 1", "causal", isolation.Clause{
			Rule: isolation.RuleSeen, Places: places{at(3, 0)}, Txns: txns{0, 1}, Hops: hops{given(3)}}, "it is no rule of causal"},

		{"x=1 | session 1\n x=2 | session 1 | open\n y=1 | session 1\n x:1 | session 1", "causal", isolation.Clause{
			Rule: isolation.RuleReached, Places: places{at(3, 0)}, Txns: txns{0, 1}, Hops: hops{given(2), given(3)}}, "¬effect(1) ¬before(1,3)"},
		{"x=1 | session 1\n x=2 | session 1\n y=1 | session 1\n x:1 | session 1", "causal", isolation.Clause{
			Rule: isolation.RuleReached, Places: places{at(3, 0)}, Txns: txns{0, 1}, Hops: hops{given(2)}}, "the hops end there, and not at T3"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{over(4, 0, at(4, 0))}},
			"a hop of the kind overwrites is too much"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{writes(4)}},
			"a hop of the kind writes is too much"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{{Kind: 9, To: 4}}},
			"a hop of the kind unknown 9"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{given(7)}},
			"a hop leads from it to itself"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{given(3)}}, "it aborted"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{given(50)}}, "there is no such"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{reads(5, at(4, 1))}},
			"it is not the reader, T5"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 7}, Hops: hops{reads(4, at(4, 1))}}, "true"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 1}, Hops: hops{given(4)}},
			"does not give that order"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 5}, Hops: hops{reads(5, at(5, 2))}},
			"a hop leads from it to itself"},
		{registers, "causal", isolation.Clause{Rule: isolation.RuleReached, Places: places{at(4, 0)}, Txns: txns{0, 2}, Hops: hops{reads(5, at(5, 2))}},
			"it is not of what others wrote"},

		{"x:0 x=1\n x:0 x=2", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{0}, Hops: hops{over(1, -1, at(0, 0)), writes(0)}}, "before(1,3)"},
		{"x:0 x=1\n x:0 x=2", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{0}, Hops: hops{over(1, -1, at(0, 0))}}, "and not where they began"},
		{"x:0 x=1\n x:0 x=2", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{0}, Hops: hops{over(1, -1, at(0, 0)), over(0, -1, at(1, 0))}},
			"a hop of the kind overwrites is too much"},
		{"x:0 x=1\n x:0 x=2", "ser", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{0}, Hops: hops{writes(1), writes(0)}}, "no rule of serializable"},
		{"x:0 x=1\n y=2", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{0}, Hops: hops{writes(1), writes(0)}}, "they write no object both"},
		{"x:0 x=1 | session 1\n x=2 | open\n x=3 | session 1 | open", "strong-session-parallel-snapshot", isolation.Clause{Rule: isolation.RuleVisible,
			Txns: txns{0}, Hops: hops{given(2), writes(1), writes(0)}}, "¬effect(2) ¬effect(1) before(3,5) before(1,3)"},
		{"x:0 x=1\n x=2 | open", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{0}, Hops: hops{over(1, -1, at(0, 0)), writes(0)}},
			"¬effect(1) before(1,3)"},
		{"x=1\n x:1 y:0\n y=2", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{1}, Hops: hops{over(2, 0, at(1, 0)), writes(1)}}, "does not write x"},
		{"x=1\n x:1 x=2\n x=3", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{1}, Hops: hops{over(0, 0, at(1, 0)), reads(1, at(1, 0))}},
			"it is the source itself"},
		{"x=1\n x:1 x=2\n x=3", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{1}, Hops: hops{over(2, -1, at(1, 0)), writes(1)}}, "true"},
		{"x=1\n x:1 x=2\n x=3", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{1}, Hops: hops{over(2, 0, at(1, 0)), writes(1)}},
			"¬before(1,5) before(3,5)"},
		{"x=1\n x:1 x=2\n x=3", "psi", isolation.Clause{Rule: isolation.RuleVisible, Txns: txns{2}, Hops: hops{over(0, 0, at(1, 0)), writes(2)}}, "it is not the reader"},

		{registers, "si", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1, 8, 2}}, "¬before(1,8) before(2,8) before(1,2)"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1, 8, 2}}, "there are no starts"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1, 1, 2}}, "twice in a row"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1, 2, 1}}, "twice in a row"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1, -1}}, "there is no event -1"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1, 16}}, "there is no event 16"},
		{registers, "si", isolation.Clause{Rule: isolation.RuleCycle, Events: txns{1, 7}}, "it aborted"},

		{registers, "ser", isolation.Clause{Rule: isolation.RuleInternal, Places: places{at(6, 2)}}, ""},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleInternal, Places: places{at(5, 2)}}, "does not contradict"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleInternal, Places: places{at(6, 0)}}, "does not contradict"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleInternal, Places: places{at(7, 3)}}, ""},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleInternal, Places: places{at(3, 2)}}, "does not contradict"},
		{"x+1 x:[]", "ser", isolation.Clause{Rule: isolation.RuleInternal, Places: places{at(0, 1)}}, ""},
		{"x+1 x+2 x:[2]", "ser", isolation.Clause{Rule: isolation.RuleInternal, Places: places{at(0, 2)}}, ""},

		{lists, "ser", isolation.Clause{Rule: isolation.RuleIncompatible, Places: places{at(4, 0), at(5, 0)}}, ""},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleIncompatible, Places: places{at(3, 0), at(4, 0)}}, "or agrees with it"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleIncompatible, Places: places{at(3, 2), at(4, 0)}}, "or agrees with it"},
		{"x:[1] y:[2]", "ser", isolation.Clause{Rule: isolation.RuleIncompatible, Places: places{at(0, 0), at(0, 1)}}, "of something else"},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleIncompatible, Places: places{at(4, 0), at(7, 3)}}, "not of what others wrote"},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleIncompatible, Places: places{at(4, 0), at(6, 0)}}, "or agrees with it"},

		{lists, "ser", isolation.Clause{Rule: isolation.RuleTwice, Places: places{at(7, 1)}}, ""},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleTwice, Places: places{at(12, 0)}}, ""},
		{lists, "ser", isolation.Clause{Rule: isolation.RuleTwice, Places: places{at(4, 0)}}, "nothing more often"},
		{"x+1 x+1\n x:[1 1]", "ser", isolation.Clause{Rule: isolation.RuleTwice, Places: places{at(1, 0)}}, "nothing more often"},
		{"x+1 | open\n x+1\n x:[1 1]", "ser", isolation.Clause{Rule: isolation.RuleTwice, Places: places{at(2, 0)}}, "nothing more often"},
		{"x+1 | aborted\n x+1\n x:[1 1]", "ser", isolation.Clause{Rule: isolation.RuleTwice, Places: places{at(2, 0)}}, ""},
		{registers, "ser", isolation.Clause{Rule: isolation.RuleTwice, Places: places{at(4, 0)}}, "nothing more often"},
	} {
		h := isolationtest.Parse(c.history)
		l, err := isolation.ParseLevel(c.level)
		require.NoError(t, err)
		assert.Equal(t, c.want, short(c.want, spelled(h, l, c.clause)), "%s of %s:\n%+v", c.clause.Rule, c.level, c.clause)
	}
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
