package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/words"
)

// lines writes one line of text for each file, with the contradiction of a violation if why is set.
type lines struct {
	w     io.Writer
	style words.Style
	why   bool
}

func (l *lines) Add(o *Object) error {
	var b strings.Builder
	switch {
	case o.Verdict == Failed, o.Verdict == Disagreement:
		escape.Fprintf(&b, "%s: %s (%s)\n", o.File, l.style.Paint(words.Red, o.Answer), o.Cause)
	default:
		about := fmt.Sprintf("%s%s, %s", o.Spec, words.GuessedFrom(o.Guessed, o.AlsoFits),
			words.Count(o.Operations, "operation"))
		if bad, open := o.badPartitions(); len(o.Partitions) > 1 && len(bad)+open > 0 {
			about += fmt.Sprintf("; of %d partitions %s", len(o.Partitions), tallied(0, len(bad), open, 0))
		}
		if o.Cause != "" {
			about += "; " + o.Cause
		}
		escape.Fprintf(&b, "%s: %s (%s)", o.File, l.style.Paint(o.color(), o.Answer), about)
		if why := o.contradiction(); l.why && why != "" {
			escape.Fprintf(&b, ": %s", l.style.Clip(why))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(l.w, b.String())
	return err
}

// contradiction is the sentence of the argument that states it, or else the last one.
func (o *Object) contradiction() string {
	for k := len(o.Argument) - 1; k >= 0; k-- {
		if _, text, stated := strings.Cut(o.Argument[k], "CONTRADICTION: "); stated {
			if before, goesOn := strings.CutSuffix(text, " The furthest configurations:"); goesOn &&
				k+1 < len(o.Argument) {
				return before + " Furthest " + strings.TrimSpace(o.Argument[k+1])
			}
			return text
		}
	}
	if len(o.Argument) == 0 {
		return ""
	}
	return o.Argument[len(o.Argument)-1]
}

func (l *lines) Close() error { return nil }

// color is the colour of the answer on a terminal.
func (o *Object) color() string {
	switch {
	case o.Vacuous, o.Verdict == engine.Unknown.String():
		return words.Yellow
	case o.Verdict == engine.Linearizable.String():
		return words.Green
	}
	return words.Red
}

// badPartitions returns the partitions that are not linearizable, and how many have no verdict.
func (o *Object) badPartitions() (bad []PartitionVerdict, open int) {
	for _, p := range o.Partitions {
		switch p.Verdict {
		case engine.NotLinearizable.String():
			bad = append(bad, p)
		case engine.Unknown.String():
			open++
		}
	}
	return bad, open
}

// tsv writes one line of fields with tabs between them for each file, below a header;
// docs/reading.md describes the columns.
type tsv struct {
	w     io.Writer
	begun bool
}

var tsvColumns = []string{"file", "verdict", "spec", "operations", "pending", "parts", "bad_parts", "undecided_parts",
	"engine", "certified", "seconds", "cause"}

func (t *tsv) Add(o *Object) error {
	if err := t.Close(); err != nil {
		return err
	}
	fields := make([]string, len(tsvColumns))
	if o.Verdict == Failed || o.Verdict == Disagreement {
		fields[0], fields[1], fields[len(fields)-1] = o.File, o.Answer, o.Cause
		return tsvLine(t.w, fields)
	}
	bad, open := o.badPartitions()
	cause := o.Cause
	if o.Vacuous {
		cause = "no operation returned"
	}
	return tsvLine(t.w, []string{o.File, o.Answer, o.Spec, strconv.Itoa(o.Operations), strconv.Itoa(o.Pending),
		strconv.Itoa(len(o.Partitions)),
		strconv.Itoa(len(bad)), strconv.Itoa(open), strings.Join(o.Engine, ","), strconv.FormatBool(o.Certified),
		strconv.FormatFloat(o.Seconds, 'f', 6, 64), cause})
}

// Close writes the header, if no line did.
func (t *tsv) Close() error {
	if t.begun {
		return nil
	}
	t.begun = true
	return tsvLine(t.w, tsvColumns)
}

// tsvLine writes a line of fields. Tabs and line feeds in a field are blanks.
func tsvLine(w io.Writer, fields []string) error {
	clean := make([]string, len(fields))
	for i, f := range fields {
		clean[i] = escape.Text(strings.Join(strings.FieldsFunc(f, func(r rune) bool {
			return r == '\t' || r == '\n' || r == '\r'
		}), " "))
	}
	_, err := io.WriteString(w, strings.Join(clean, "\t")+"\n")
	return err
}

// Tally counts the answers about several files.
type Tally struct{ Linearizable, NotLinearizable, Unknown, Vacuous, Failed int }

// Add counts one answer.
func (t *Tally) Add(o *Object) {
	switch {
	case o.Verdict == Failed, o.Verdict == Disagreement:
		t.Failed++
	case o.Vacuous:
		t.Vacuous++
	case o.Verdict == engine.Linearizable.String():
		t.Linearizable++
	case o.Verdict == engine.NotLinearizable.String():
		t.NotLinearizable++
	default:
		t.Unknown++
	}
}

// Files returns how many answers were counted.
func (t *Tally) Files() int {
	return t.Linearizable + t.NotLinearizable + t.Unknown + t.Vacuous + t.Failed
}

// String returns the number of files, and of each answer.
func (t *Tally) String() string {
	text := words.Count(t.Files(), "file") + ": " + tallied(t.Linearizable, t.NotLinearizable, t.Unknown, t.Failed)
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
