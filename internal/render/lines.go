package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/words"
)

// Line writes the answer on one line, for runs over many files.
func Line(w io.Writer, run *words.Run, s words.Style) {
	r := &run.Result
	about := fmt.Sprintf("%s%s, %s", r.Spec.Info().Name, words.Guess(run.History), words.Count(len(run.History.Ops), "operation"))
	if bad, open := badPartitions(r); r.Partitions > 1 && bad+open > 0 {
		about += fmt.Sprintf("; of %d partitions %s", r.Partitions, tallied(0, bad, open, 0))
	}
	if r.Verdict == engine.Unknown {
		about += "; " + words.Cause(r)
	}
	escape.Fprintf(w, "%s: %s (%s)\n", run.File, s.Answer(run), about)
}

func badPartitions(r *result.Result) (bad, open int) {
	for _, p := range r.PartitionVerdicts {
		switch p.Verdict {
		case engine.NotLinearizable:
			bad++
		case engine.Unknown:
			open++
		}
	}
	return bad, open
}

// tsvColumns are the columns of TSV.
var tsvColumns = []string{"file", "verdict", "spec", "operations", "pending", "parts", "bad_parts", "undecided_parts", "engine", "certified", "seconds", "cause"}

// TSVHeader writes the first line of TSV.
func TSVHeader(w io.Writer) error { return tsvLine(w, tsvColumns) }

// TSV writes the answer as one line of fields with tabs between them; docs/output.md describes the
// columns. Tabs and line feeds in a field are blanks.
func TSV(w io.Writer, run *words.Run) error {
	r, h := &run.Result, run.History
	bad, open := badPartitions(r)
	cause := ""
	if r.Verdict == engine.Unknown {
		cause = words.Cause(r)
	}
	verdict := words.Verdict(r)
	if run.Vacuous() {
		verdict, cause = words.NothingToCheck, "no operation returned"
	}
	return tsvLine(w, []string{run.File, verdict, r.Spec.Info().Name, strconv.Itoa(len(h.Ops)), strconv.Itoa(h.Pending()), strconv.Itoa(r.Partitions),
		strconv.Itoa(bad), strconv.Itoa(open), strings.Join(r.Engines, ","), strconv.FormatBool(r.Certified), strconv.FormatFloat(run.Result.Took.Seconds(), 'f', 6, 64), cause})
}

// TSVError writes the line of a file that has no answer: its verdict is "error".
func TSVError(w io.Writer, file string, err error) error {
	fields := make([]string, len(tsvColumns))
	fields[0], fields[1], fields[len(fields)-1] = file, "error", err.Error()
	return tsvLine(w, fields)
}

func tsvLine(w io.Writer, fields []string) error {
	clean := make([]string, len(fields))
	for i, f := range fields {
		clean[i] = escape.Text(strings.Join(strings.FieldsFunc(f, func(r rune) bool { return r == '\t' || r == '\n' || r == '\r' }), " "))
	}
	_, err := io.WriteString(w, strings.Join(clean, "\t")+"\n")
	return err
}

// Tally counts the answers about several files.
type Tally struct{ Linearizable, NotLinearizable, Unknown, Vacuous, Failed int }

// Add counts one answer.
func (t *Tally) Add(run *words.Run) {
	switch v := run.Result.Verdict; {
	case run.Vacuous():
		t.Vacuous++
	case v == engine.Linearizable:
		t.Linearizable++
	case v == engine.NotLinearizable:
		t.NotLinearizable++
	default:
		t.Unknown++
	}
}

// String returns the number of files, and of each answer.
func (t *Tally) String() string {
	n := t.Linearizable + t.NotLinearizable + t.Unknown + t.Vacuous + t.Failed
	text := words.Count(n, "file") + ": " + tallied(t.Linearizable, t.NotLinearizable, t.Unknown, t.Failed)
	if t.Vacuous > 0 {
		text = strings.TrimSuffix(text, ": ") + fmt.Sprintf(", %d with nothing to check", t.Vacuous)
	}
	return text
}

func tallied(yes, no, unknown, failed int) string {
	var items []string
	for _, x := range []struct {
		n    int
		what string
	}{{yes, "linearizable"}, {no, "not linearizable"}, {unknown, "unknown"}, {failed, "without an answer (errors)"}} {
		if x.n > 0 {
			items = append(items, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	return strings.Join(items, ", ")
}
