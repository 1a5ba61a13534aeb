package proof_test

import (
	"encoding/json"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestArgumentJSON(t *testing.T) {
	leaf := &proof.Node{Steps: []proof.Step{{Axiom: proof.TR, Args: []history.OpID{1, 2, 3}}}}
	a := &proof.Node{
		Steps: []proof.Step{
			{Axiom: proof.RT, Args: []history.OpID{7, 2}, So: proof.LessThan(7, 2)},
			{Axiom: proof.SRC, Args: []history.OpID{2, 0}, So: proof.SourceOf(2, proof.Before).Negated()},
			{Axiom: proof.SRC, Args: []history.OpID{4}, So: proof.SourceOf(4, proof.Item(3))},
			{Axiom: proof.COUNT, Args: []history.OpID{proof.Initial, proof.NoOp, 1, 2},
				Given: []proof.Literal{proof.LessThan(3, 1), proof.TakesEffect(5).Negated()}, So: proof.GoesIn(5, 1)},
		},
		Split: &proof.Split{Axiom: proof.EITHER, Args: []history.OpID{1, 2}, Cases: []*proof.Node{leaf, leaf}},
	}
	text, err := a.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t,
		`["RT 7 2: 7<2","SRC 2 0: !src(2,PAST)","SRC 4: src(4,ITEM3)","COUNT INIT NONE 1 2 | 3<1 !in(5): mode(5,1)",`+
			`{"split":"EITHER 1 2","cases":[["TR 1 2 3: false"],["TR 1 2 3: false"]]}]`, string(text))
	var b proof.Node
	require.NoError(t, json.Unmarshal(text, &b))
	require.Equal(t, a, &b)
	require.Equal(t, proof.Size{Steps: 6, Leaves: 2, Depth: 1}, b.Size())
	contradictions := 0
	b.Each(func(s *proof.Step) {
		if s.Contradiction() {
			contradictions++
		}
	})
	require.Equal(t, 2, contradictions)

	for _, bad := range []string{`{}`, `[1]`, `[""]`, `["RT 1 2"]`, `["RT 1 -2: false"]`, `["RT 1 2: 1<1"]`,
		`["RT 1 2: src(1)"]`, `["RT 1 2: in(PAST)"]`,
		`["RT 1 2: in(1,2)"]`, `["RT 1 2: maybe(1)"]`, `["RT 1 2: mode(1,INIT)"]`, `["RT 1 2 | x: false"]`,
		`["RT 1 2: in(1"]`, `[": false"]`, `["RT 1 99999999999: false"]`,
		`[{"split": "EITHER 1 2", "cases": []}, "RT 1 2: false"]`, `[{"split": "", "cases": []}]`,
		`[{"split": "EITHER 1 2", "cases": [null]}]`, `[{"split": 1}]`, `[null]`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &b), bad)
	}
}

func TestClaimJSON(t *testing.T) {
	for text, c := range map[string]*proof.Weakening{
		`{}`:                         proof.Everything(),
		`{"cut":9,"from":3}`:         {Cut: 9, From: 3},
		`{"order":[]}`:               {Cut: history.Never, SomeOrder: true, Order: [][2]history.OpID{}},
		`{"start":"any","given":[]}`: {Cut: history.Never, AnyStart: true, SomeGiven: true, Given: [][2]history.OpID{}},
		`{"given":[[1,2]]}`:          {Cut: history.Never, SomeGiven: true, Given: [][2]history.OpID{{1, 2}}},
		`{"order":[[1,2],[3,4]]}`:    {Cut: history.Never, SomeOrder: true, Order: [][2]history.OpID{{1, 2}, {3, 4}}},
		`{"forgotten":{"all":[3],"response":[1],"result":[0,2]},"operations":5}`: {Cut: history.Never,
			Retain: []proof.Retained{proof.RetainResponse, proof.RetainCall, proof.RetainResponse, proof.RetainNothing,
				proof.RetainAll}},
	} {
		got, err := json.Marshal(c)
		require.NoError(t, err)
		require.Equal(t, text, string(got))
		var d proof.Weakening
		require.NoError(t, json.Unmarshal(got, &d))
		require.Equal(t, *c, d)
		require.Equal(t, proof.RetainAll, d.Of(4))
	}
	var d proof.Weakening
	for _, bad := range []string{`[]`, `{"forgotten": {"result": [0]}}`,
		`{"forgotten": {"result": [0], "all": [0]}, "operations": 1}`, `{"forgotten": {"name": [0]}, "operations": 1}`,
		`{"forgotten": {"": [0]}, "operations": 1}`, `{"forgotten": {"result": [-1]}, "operations": 1}`,
		`{"operations": -1}`, `{"operations": 9999999999}`, `{"start": "some"}`} {
		assert.Error(t, json.Unmarshal([]byte(bad), &d), bad)
	}
}
