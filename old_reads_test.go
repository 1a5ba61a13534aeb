package linsat_test

import (
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/report"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
	"strings"
)

// A reader that is one write behind on x, and three on y.
const late = `{"spec": "kv", "operations": [
	{"process": "a", "f": "put", "key": "x", "arg": 1, "call": 0, "return": 1},
	{"process": "a", "f": "put", "key": "y", "arg": 1, "call": 2, "return": 3},
	{"process": "a", "f": "put", "key": "y", "arg": 2, "call": 4, "return": 5},
	{"process": "a", "f": "put", "key": "y", "arg": 3, "call": 6, "return": 7},
	{"process": "b", "f": "get", "key": "x", "result": null, "call": 8, "return": 9},
	{"process": "b", "f": "get", "key": "y", "result": null, "call": 10, "return": 11}]}`

// Check answers how old reads may be, as solve --quasi does.
func TestOldReads(t *testing.T) {
	h, kv := readHistory(t, late), spec.MustLookup("kv")
	ask := func(bound string) linsat.Result {
		q, err := quasi.Parse(kv.Info(), bound)
		require.NoError(t, err)
		r, err := linsat.Check(t.Context(), kv, h, linsat.Quasi(q))
		require.NoError(t, err)
		require.True(t, r.Certified)
		return r
	}
	require.Equal(t, linsat.Linearizable, ask("3").Verdict)
	require.Equal(t, linsat.Linearizable, ask("inf").Verdict)
	r := ask("reads=2")
	require.Equal(t, linsat.NotLinearizable, r.Verdict)
	require.Equal(t, []history.OpID{1, 2, 3, 5}, r.Core)
	r = ask("min")
	require.Equal(t, linsat.Linearizable, r.Verdict)
	require.True(t, r.Least.Settled())
	require.EqualValues(t, 3, r.Least.Low)
	require.Equal(t, quasi.Factor{3}, r.Quasi.Factor)
	for bound, verdict := range map[string]linsat.Verdict{"2": linsat.NotLinearizable, "3": linsat.Linearizable} {
		r := ask(bound)
		c, err := linsat.Certify(h, &r)
		require.NoError(t, err)
		var text strings.Builder
		n, err := c.WriteTo(&text)
		require.NoError(t, err)
		require.EqualValues(t, text.Len(), n)
		c, err = linsat.ReadCertificate(strings.NewReader(text.String()))
		require.NoError(t, err)
		require.Equal(t, verdict, c.Verdict())
		for _, about := range []string{"2", "3"} {
			q, err := quasi.Parse(kv.Info(), about)
			require.NoError(t, err)
			err = linsat.Verify(t.Context(), kv, h, c, linsat.Quasi(q))
			require.Equal(t, bound != about, err != nil)
		}
		var refused *linsat.Refusal
		require.ErrorAs(t, linsat.Verify(t.Context(), kv, h, c), &refused)
	}
	c, err := linsat.Certify(h, &r)
	require.NoError(t, err)
	require.NoError(t, linsat.Verify(t.Context(), kv, h, c, linsat.Quasi(quasi.Question{Factor: r.Quasi.Factor})))
	var out strings.Builder
	require.NoError(t, report.Text(&out, h, r))
	require.Contains(t, out.String(), "quasi-linearizable, least bound 3: reads=3\n")
	out.Reset()
	require.NoError(t, report.Text(&out, h, ask("2")))
	require.Contains(t, out.String(), "not quasi-linearizable at reads=2\n")
	for _, wrong := range []string{"-1", "enq=1", "2,3", "often"} {
		_, err := quasi.Parse(kv.Info(), wrong)
		require.Error(t, err, wrong)
	}
	append1 := readHistory(t, `{"spec": "kv", "operations": [
		{"process": "a", "f": "append", "key": "x", "arg": "1", "call": 0, "return": 1}]}`)
	_, err = linsat.Check(t.Context(), kv, append1, linsat.Quasi(quasi.Question{Factor: quasi.Factor{1}}))
	require.ErrorContains(t, err, "append among stale reads")
}
