package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/report"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
)

func checked(t *testing.T, deq string) (*history.History, linsat.Result) {
	h, err := history.Read(strings.NewReader(`{"operations": [
		{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1},
		{"process": 0, "f": "enq", "arg": 2, "call": 2, "return": 3},
		{"process": 1, "f": "deq", "call": 4, "return": 5, "result": `+deq+`}]}`), history.ReadOptions{})
	require.NoError(t, err)
	r, err := linsat.Check(t.Context(), spec.MustLookup("queue"), h)
	require.NoError(t, err)
	return h, r
}

// forms are all forms of a report, with what each says of a violation and of a witness.
var forms = map[string]struct {
	write   func(io.Writer, *history.History, linsat.Result) error
	no, yes string
}{
	"text": {report.Text, "history: not linearizable", "order: enq"},
	"html": {report.HTML, "not linearizable", "linearizable"},
	"svg":  {report.SVG, "<svg", "<svg"},
	"json": {report.JSON, `"verdict":"not linearizable"`, `"verdict":"linearizable"`},
}

func TestReportsHoldTheVerdict(t *testing.T) {
	for name, f := range forms {
		t.Run(name, func(t *testing.T) {
			for deq, says := range map[string]string{"2": f.no, "1": f.yes} {
				h, r := checked(t, deq)
				var out bytes.Buffer
				require.NoError(t, f.write(&out, h, r))
				require.Contains(t, out.String(), says)
				if name == "json" {
					require.True(t, json.Valid(out.Bytes()))
				}
			}
		})
	}
}

func TestReportsReturnTheErrorOfTheWriter(t *testing.T) {
	h, r := checked(t, "2")
	full := errors.New("disk full")
	for name, f := range forms {
		require.ErrorIs(t, f.write(failing{full}, h, r), full, name)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
