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
			var t Tally
			t.decided[o.question()].no, t.unknown = len(bad), open
			about += fmt.Sprintf("; of %d partitions %s", len(o.Partitions), t.answers())
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
type Tally struct {
	decided                  [asRelaxed + 1]struct{ yes, no int }
	unknown, vacuous, failed int
}

// asked is what was asked about a file. What is linearizable under one question need not be so
// under another, so that each has words of its own.
type asked int

const (
	asPlain asked = iota
	asQuasi
	asRelaxed
)

var yesNo = [asRelaxed + 1][2]string{
	{"linearizable", "not linearizable"},
	{"quasi-linearizable", "not quasi-linearizable"},
	{"linearizable when relaxed", "not linearizable when relaxed"},
}

func (o *Object) question() asked {
	switch {
	case o.Meaning != "":
		return asQuasi
	case o.Relax != "":
		return asRelaxed
	}
	return asPlain
}

// Add counts one answer.
func (t *Tally) Add(o *Object) {
	switch {
	case o.Verdict == Failed, o.Verdict == Disagreement:
		t.failed++
	case o.Vacuous:
		t.vacuous++
	case o.Verdict == engine.Linearizable.String():
		t.decided[o.question()].yes++
	case o.Verdict == engine.NotLinearizable.String():
		t.decided[o.question()].no++
	default:
		t.unknown++
	}
}

// String returns the number of files, and of each answer.
func (t *Tally) String() string {
	files := t.unknown + t.vacuous + t.failed
	for _, d := range t.decided {
		files += d.yes + d.no
	}
	return words.Count(files, "file") + ": " + t.answers()
}

// answers returns the number of each answer.
func (t *Tally) answers() string {
	var items []string
	item := func(n int, what string) {
		if n > 0 {
			items = append(items, fmt.Sprintf("%d %s", n, what))
		}
	}
	for k, d := range t.decided {
		item(d.yes, yesNo[k][0])
		item(d.no, yesNo[k][1])
	}
	item(t.unknown, "unknown")
	item(t.failed, "without an answer (errors)")
	item(t.vacuous, "with nothing to check")
	return strings.Join(items, ", ")
}
