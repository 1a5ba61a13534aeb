package proof_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// examples holds a proof of every kind with its JSON form. The words and names are the format: a
// change here makes old certificates unreadable and needs a new version.
var examples = []struct {
	p    proof.Proof
	text string
}{
	{&proof.Argument{Weakening: proof.Everything(),
		Tree: &proof.Node{Steps: []proof.Step{{Axiom: proof.RT, Args: []history.OpID{0, 1},
			So: proof.LessThan(0, 1)}}}},
		`{"kind":"argument","version":1,"weakening":{},"steps":["RT 0 1: 0<1"]}`},
	{&proof.Exhaustion{Weakening: &proof.Weakening{Cut: 7}, Cases: 12},
		`{"kind":"exhaustion","version":1,"weakening":{"cut":7},"cases":12}`},
	{&proof.RegisterConflict{Rule: proof.RegisterEntangled, Ops: []history.OpID{proof.Initial, 3, 4, proof.NoOp}},
		`{"kind":"register-conflict","version":1,"rule":"entangled","operations":["INIT",3,4,"NONE"]}`},
	{&proof.CollectionConflict{Rule: proof.Overtaken, Values: []int32{2, 0}, Via: 1, Op: -1, Other: -1},
		`{"kind":"collection-conflict","version":1,"rule":"overtaken","values":[2,0],"via":1}`},
	{&proof.CollectionConflict{Rule: proof.RemovedTwice, Values: []int32{0}, Via: -1, Op: 0, Other: 5},
		`{"kind":"collection-conflict","version":1,"rule":"removed-twice","values":[0],"operation":0,"other":5}`},
	{&proof.SumConflict{After: proof.Initial, Op: 4},
		`{"kind":"sum-conflict","version":1,"after":"INIT","operation":4}`},
	{&proof.LogConflict{First: proof.Initial, Second: 4},
		`{"kind":"log-conflict","version":1,"first":"INIT","second":4}`},
	{&proof.LogConflict{First: 2, Second: 4, Reads: []history.OpID{7}},
		`{"kind":"log-conflict","version":1,"first":2,"second":4,"reads":[7]}`},
	{&proof.LogConflict{First: 2, Second: 4}, `{"kind":"log-conflict","version":1,"first":2,"second":4}`},
	{&proof.HoldConflict{Rule: proof.HoldTwice, Ops: []history.OpID{proof.Initial, 4}},
		`{"kind":"hold-conflict","version":1,"rule":"twice","operations":["INIT",4]}`},
	{&proof.DependencyCycles{Dependencies: []proof.Dependency{
		{Rule: proof.DependencyOverwritten, Ops: []history.OpID{3, proof.Initial, 4}, Register: 2},
		{Rule: proof.DependencyCycle, Ops: []history.OpID{3, 4}, Register: -1}},
		Lemmas: []proof.Lemma{{Hints: []int32{1, 2}}}},
		`{"kind":"dependency-cycles","version":1,"dependencies":[` +
			`{"rule":"overwritten","operations":[3,"INIT",4],"register":2},{"rule":"cycle","operations":[3,4]}],` +
			`"lemmas":["0 1 2"]}`},
	{&proof.GrowthConflict{Rule: proof.GrowthLost, Ops: []history.OpID{proof.Initial, 4}, Elements: []int32{2}},
		`{"kind":"growth-conflict","version":1,"rule":"lost","operations":["INIT",4],"elements":[2]}`},
	{&proof.GrowthConflict{Rule: proof.GrowthCrossed, Ops: []history.OpID{1, 2, 4}, Elements: []int32{0, 1}},
		`{"kind":"growth-conflict","version":1,"rule":"crossed","operations":[1,2,4],"elements":[0,1]}`},
	{&proof.HoldConflict{Rule: proof.HoldNobody, Ops: []history.OpID{4}},
		`{"kind":"hold-conflict","version":1,"rule":"nobody","operations":[4]}`},
	{&proof.SumConflict{After: 2, Op: 4}, `{"kind":"sum-conflict","version":1,"after":2,"operation":4}`},
	{&proof.DualBound{Prices: []proof.Price{{Op: 0, Multiplier: 1}, {Op: 6, Multiplier: 1 << 40}}},
		`{"kind":"dual-bound","version":1,"multipliers":[{"operation":0,"multiplier":1},{"operation":6,"multiplier":1099511627776}]}`},
	{&proof.Displacement{Bound: 2, Steps: []proof.DisplacementStep{
		{Rule: proof.RuleOrder, Op: -1, Value: 4, Edge: 2},
		{Rule: proof.RuleEmptyBefore, Place: true, Upper: true, Op: 3, Value: -4, By: proof.Draining},
		{Rule: proof.RuleEmptyAfter, Op: 3, Value: 4, By: -3},
		{Rule: proof.RuleOverfull, Value: 5, Edge: 1}}},
		`{"kind":"displacement","version":1,"bound":2,"steps":[{"rule":"order","of":"slot","moves":"start","operation":"ITEM0","value":4,"edge":2},` +
			`{"rule":"empty-before","of":"place","moves":"end","operation":3,"value":-4,"edge":0,"by":"DRAINS"},` +
			`{"rule":"empty-after","of":"slot","moves":"start","operation":3,"value":4,"edge":0,"by":"ITEM2"},{"rule":"overfull","of":"slot","value":5,"edge":1}]}`},
	{&proof.Saturation{Weakening: &proof.Weakening{Cut: 12}, Cases: 7},
		`{"kind":"saturation","version":1,"weakening":{"cut":12},"cases":7}`},
	{&proof.Clausal{Clauses: 4, Lemmas: []proof.Lemma{{Clause: []int32{1, -2}, Hints: []int32{3, 4}},
		{Hints: []int32{5, 1}}}},
		`{"kind":"clausal","version":1,"clauses":4,"lemmas":["1 -2 0 3 4","0 5 1"]}`},
	{&proof.Widening{Refutation: proof.Inner{Proof: &proof.SumConflict{After: proof.Initial, Op: 4}}},
		`{"kind":"widening","version":1,"refutation":{"kind":"sum-conflict","version":1,"after":"INIT","operation":4}}`},
	{&proof.Pairing{Weakening: &proof.Weakening{Cut: 12}, Cases: 7},
		`{"kind":"pairing","version":1,"weakening":{"cut":12},"cases":7}`},
	{&proof.Displacement{Bound: quasi.Unbounded, Steps: []proof.DisplacementStep{{Rule: proof.RuleRemovedTwice,
		Op: 1, By: 2}}},
		`{"kind":"displacement","version":1,"bound":"inf","steps":[{"rule":"removed-twice","operation":1,"by":2}]}`},
}

// A proof of every kind is written as these words, and read as what was written.
func TestProofsInJSON(t *testing.T) {
	kinds := map[proof.Kind]bool{}
	for _, x := range examples {
		kinds[x.p.Kind()] = true
		text, err := proof.Marshal(x.p)
		require.NoError(t, err)
		require.Equal(t, x.text, string(text))
		again, err := proof.Unmarshal(text)
		require.NoError(t, err, x.text)
		require.Equal(t, x.p, again)
	}
	assert.Len(t, kinds, len(proof.Kinds()), "an example of every kind")
}

// The words for the rules, all of them.
func TestRuleNames(t *testing.T) {
	var names []string
	for r := proof.RegisterNoMode; r <= proof.RegisterBetween+1; r++ {
		names = append(names, r.String())
	}
	for r := proof.RemovedTwice; r <= proof.Overdrawn+1; r++ {
		names = append(names, r.String())
	}
	for r := proof.HoldOwn; r <= proof.HoldNobody+1; r++ {
		names = append(names, r.String())
	}
	for r := proof.RuleDisplacement; r <= proof.RuleRemovedTwice+1; r++ {
		names = append(names, r.String())
	}
	assert.Equal(t, []string{"no-mode", "unwritten", "circle", "two-takers", "backwards", "entangled",
		"between", "rule 7",
		"removed-twice", "never-inserted", "disordered", "covered", "outranked", "blocked", "overtaken", "crossed",
		"overdrawn", "rule 10",
		"own", "twice", "nobody", "rule 3",
		"displacement", "order", "balance", "hall", "empty-before", "empty-after", "inverted", "overfull",
		"never-inserted", "removed-twice", "rule 11"}, names)
}

// What is not a form of a proof is refused with a sentence that says why.
func TestMalformedProofsAreRefused(t *testing.T) {
	for _, x := range []struct{ text, says string }{
		{``, "malformed proof"},
		{`[]`, "malformed proof"},
		{`{}`, `unknown kind of proof ""`},
		{`{"kind": "wishful-thinking", "version": 1}`, `unknown kind of proof "wishful-thinking"`},
		{`{"kind": "Exhaustion", "version": 1}`, `unknown kind of proof "Exhaustion"`},
		{`{"kind": "exhaustion"}`, `the proof of kind "exhaustion" is of version 0, but this linsat reads version 1`},
		{`{"kind": "exhaustion", "version": 2, "what": 1}`, `of version 2`},
		{`{"kind": "exhaustion", "version": 1, "weakening": {}, "cases": 1, "more": 2}`, `unknown field "more"`},
		{`{"kind": "exhaustion", "version": 1, "weakening": {"past": 3}, "cases": 1}`, `unknown field "past"`},
		{`{"kind": "exhaustion", "version": 1, "cases": 1}`, `there is no "weakening"`},
		{`{"kind": "exhaustion", "version": 1, "weakening": {}}`, `there is no "cases"`},
		{`{"kind": "exhaustion", "version": 1, "weakening": {"order": [[1]]}, "cases": 1}`, `[1] is not a pair`},
		{`{"kind": "argument", "version": 1, "weakening": {}}`, `there is no "steps"`},
		{`{"kind": "argument", "version": 1, "weakening": {}, "steps": [{"split": "EITHER 1 2", "cases": [], "else": 1}]}`, `unknown field "else"`},
		{`{"kind": "register-conflict", "version": 1, "rule": 2, "operations": [1]}`, `cannot unmarshal number`},
		{`{"kind": "register-conflict", "version": 1, "operations": [1]}`, `there is no "rule"`},
		{`{"kind": "register-conflict", "version": 1, "rule": "no mode", "operations": [1]}`, `unknown rule "no mode"`},
		{`{"kind": "register-conflict", "version": 1, "rule": "circle", "operations": [-1]}`, `-1 is not an operation`},
		{`{"kind": "register-conflict", "version": 1, "rule": "circle", "operations": ["1"]}`,
			`"1" is not an operation`},
		{`{"kind": "register-conflict", "version": 1, "rule": "circle", "operations": [99999999999]}`,
			`is not an operation`},
		{`{"kind": "register-conflict", "version": 1, "rule": "circle", "operations": [1.5]}`, `is not an operation`},
		{`{"kind": "collection-conflict", "version": 1, "rule": "rule 3", "values": []}`, `unknown rule`},
		{`{"kind": "dual-bound", "version": 1, "multipliers": [{"operation": 1}]}`, `there is no`},
		{`{"kind": "displacement", "version": 1, "bound": -1, "steps": []}`, `-1 is not a bound`},
		{`{"kind": "displacement", "version": 1, "bound": 1, "steps": [{"rule": "order"}]}`,
			`steps 0: there is no "of"`},
		{`{"kind": "displacement", "version": 1, "bound": 1, "steps": [{"rule": "overfull", "of": "slot", "value": 1, "edge": 1, "by": 2}]}`, `rule "overfull" has no "by"`},
		{`{"kind": "displacement", "version": 1, "bound": 1, "steps": [{"rule": "inverted", "of": "slots", "operation": 1}]}`, `"slots" is neither "slot" nor "place"`},
		{`{"kind": "displacement", "version": 1, "bound": 1, "steps": [{"rule": "inverted", "of": "slot", "operation": "NONE"}]}`, `"NONE" has no slot and no place`},
		{`{"kind": "clausal", "version": 1, "clauses": 2, "lemmas": ["1 x 0 2"]}`,
			`lemma "1 x 0 2": "x" is not a number`},
		{`{"kind": "clausal", "version": 1, "clauses": 2, "lemmas": ["0 1", "1 0 2 0"]}`,
			`lemma "1 0 2 0": hint 0 is no clause`},
		{`{"kind": "clausal", "version": 1, "clauses": 2, "lemmas": ["0 -1"]}`, `lemma "0 -1": hint -1 is no clause`},
		{`{"kind": "clausal", "version": 1, "clauses": 2}`, `there is no "lemmas"`},
		{`{"kind": "clausal", "version": 1, "lemmas": ["0 1"]}`, `there is no "clauses"`},
		{`{"kind": "sum-conflict", "version": 1, "after": "INIT", "operation": 0, "Price": 1}`,
			`unknown field "Price"`},
	} {
		_, err := proof.Unmarshal([]byte(x.text))
		require.ErrorContains(t, err, x.says, x.text)
	}
	_, err := proof.Marshal(&proof.RegisterConflict{Rule: 200})
	require.ErrorContains(t, err, "rule 200 has no name")
	_, err = proof.Marshal(&proof.Displacement{Steps: []proof.DisplacementStep{{Rule: proof.RuleRemovedTwice + 1}}})
	require.ErrorContains(t, err, "has no name")
	_, err = proof.Marshal(&proof.Argument{})
	require.ErrorContains(t, err, "weakening")
}

// What a proof says that it refutes, and which operations it names.
func TestWhatProofsRestOn(t *testing.T) {
	for _, x := range examples {
		w := x.p.Refutes()
		require.NotNil(t, w, x.text)
		switch x.p.Kind() {
		case proof.KindExhaustion:
			assert.Equal(t, history.Rank(7), w.Cut)
		case proof.KindPairing, proof.KindSaturation:
			assert.Equal(t, history.Rank(12), w.Cut)
		default:
			assert.Equal(t, proof.Everything(), w, x.text)
		}
	}
	b := bindQueue(t)
	var named []string
	for _, x := range examples {
		named = append(named, fmt.Sprint(x.p.Operations(b)))
	}
	assert.Equal(t, []string{"[0 1]", "[]", "[3 4]", "[0 1 2]", "[0]", "[4]", "[4]", "[2 4 7]", "[2 4]", "[4]", "[3 4]",
		"[4]", "[1 2 4]", "[4]", "[2 4]", "[0 6]", "[3]", "[]", "[]", "[]", "[]", "[1 2]"}, named)
}

// bindQueue binds a queue with three insertions.
func bindQueue(t *testing.T) *model.Instance {
	h, err := history.Read(
		strings.NewReader(
			`{"spec": "queue", "operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3}, {"process": 0, "f": "enq", "arg": 3, "call": 4, "return": 5}]}`), history.ReadOptions{})
	require.NoError(t, err)
	b, err := specs.Queue().Bind(model.Whole(h))
	require.NoError(t, err)
	return b
}
