package report_test

import (
	"bytes"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/report"
	"github.com/stretchr/testify/require"
)

type request struct {
	put   bool
	value int
}

// What CheckOps found is reported in the words of the model.
func TestReportOfModels(t *testing.T) {
	register := linsat.Model[int, request, int]{
		Name: "register",
		Step: func(state int, in request) []linsat.Outcome[int, int] {
			if in.put {
				return linsat.Returns(0, in.value)
			}
			return linsat.Returns(state, state)
		},
	}
	ops := []linsat.Op[request, int]{
		{Client: 0, Input: request{true, 100}, Call: 0, Pending: true},
		{Client: 1, Input: request{}, Call: 25, Output: 100, Return: 75},
		{Client: 2, Input: request{}, Call: 80, Output: 0, Return: 90},
	}
	r, err := linsat.CheckOps(t.Context(), register, ops)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, report.Text(&out, r.History, r.Result))
	require.Contains(t, out.String(),
		"CONTRADICTION: after {put:false value:0} → 100 (#1) the value stays 100 until {put:false value:0} → 0 (#2)")
	out.Reset()
	require.NoError(t, report.HTML(&out, r.History, r.Result))
	require.Contains(t, out.String(), "{put:true value:100}")
}
