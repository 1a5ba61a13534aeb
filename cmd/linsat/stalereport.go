package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/stale/check"
	old "github.com/linsat/linsat/internal/stale/words"
	"github.com/linsat/linsat/internal/words"
)

// staleReport is what is said of old reads.
type staleReport struct {
	*check.Answer
	file  string
	h     *stale.History
	least *check.Least // nil without min
	moved *check.Least // of the worst object alone; nil where it is not asked
	brief bool         // one line
}

func (r *staleReport) exit() int {
	return map[check.Verdict]int{check.Holds: cli.Linearizable, check.Fails: cli.Violation,
		check.Unknown: cli.Unknown}[r.Verdict]
}

// bound writes a bound as the flags take it.
func (r *staleReport) bound(b int64) string {
	q := r.Question
	q.Bound = b
	return q.Amount()
}

// verdict is the answer in words.
func (r *staleReport) verdict() string {
	b, not := r.bound(r.Question.Bound), ""
	if r.Verdict == check.Fails {
		not = "not "
	}
	if r.Verdict == check.Unknown {
		return "unknown: " + r.Unclear
	}
	if r.Question.Kind == stale.Moved {
		switch {
		case b == "inf":
			return not + "linearizable, however early reads are called"
		case r.least != nil:
			return "linearizable if reads are called earlier by " + b + ", the least bound"
		}
		return not + "linearizable if reads are called earlier by " + b
	}
	switch {
	case b == "inf" && r.Verdict == check.Fails:
		return "not quasi-linearizable at any bound (reads)"
	case r.least != nil:
		return "quasi-linearizable, least bound " + b + ": reads=" + b
	}
	return not + "quasi-linearizable at reads=" + b
}

// sentence says why the answer is no, or that of the bound below the least one.
func (r *staleReport) sentence() string {
	switch {
	case r.Verdict == check.Fails && r.Certificate != nil:
		return old.Sentence(r.h, r.Question, r.Certificate.Core)
	case r.least != nil && r.least.Below != nil:
		below := r.Question
		below.Bound--
		return old.Sentence(r.h, below, r.least.Below)
	}
	return ""
}

// notAt is the sentence with the bound that it is about, where that is the one below the least.
func (r *staleReport) notAt(sentence string) string {
	if r.Verdict == check.Holds {
		return fmt.Sprintf("Not at %d: %s", r.Question.Bound-1, sentence)
	}
	return sentence
}

// core is what the sentence is about.
func (r *staleReport) core() *stale.Core {
	switch {
	case r.Verdict == check.Fails && r.Certificate != nil:
		return r.Certificate.Core
	case r.least != nil:
		return r.least.Below
	}
	return nil
}

// text writes the answer for a person.
func (r *staleReport) text(w io.Writer, style words.Style) error {
	var b bytes.Buffer
	paint := map[check.Verdict]string{check.Holds: words.Green, check.Fails: words.Red, check.Unknown: words.Yellow}
	escape.Fprintf(&b, "%s: %s\n", r.file, style.Paint(words.Bold+paint[r.Verdict], r.verdict()))
	if r.brief {
		if text := r.sentence(); r.Verdict == check.Fails && text != "" {
			b.Truncate(b.Len() - 1)
			escape.Fprintf(&b, ": %s\n", text)
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	by := "by " + r.By + " in "
	if r.By == "" {
		by = ""
	}
	line := fmt.Sprintf("%s, %s%s; %s%v", r.h.Info.Name, words.Count(len(r.h.From.Ops), "operation"), r.on(),
		by, words.Duration(r.Took))
	switch {
	case r.Certified:
		line += "; certified"
	case r.Verdict != check.Unknown:
		line += "; not certified"
	}
	escape.Fprintf(&b, "  %s\n", style.Paint(words.Faint, line))
	if text := r.sentence(); text != "" {
		escape.Fprintf(&b, "\n    %s\n\n", r.notAt(text))
	}
	if late := r.late(); late != "" {
		escape.Fprintf(&b, "  %s\n", late)
	}
	if r.least != nil && len(r.h.Objects) > 1 && r.Verdict != check.Unknown {
		escape.Fprintf(&b, "  %s\n", old.Shares(r.least.Bounds, r.what())+r.worst())
		for _, line := range old.Histogram(r.least.Bounds) {
			escape.Fprintf(&b, "  %s\n", line)
		}
	} else if r.moved != nil && r.moved.Verdict == check.Holds {
		escape.Fprintf(&b, "  in time, the least bound is %d (--stale)\n", r.moved.Question.Bound)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// late names reads that are late in the orders that were found, the latest first.
func (r *staleReport) late() string {
	if r.Verdict != check.Holds {
		return ""
	}
	var late []stale.Lateness
	for k := range r.Certificate.Orders {
		late = append(late, r.Certificate.Orders[k].Late...)
	}
	if len(late) == 0 {
		return ""
	}
	compare := func(a, b stale.Lateness) int { return int(b.By) - int(a.By) }
	sort.SliceStable(late, func(i, j int) bool { return compare(late[i], late[j]) < 0 })
	var names []string
	for k, l := range late {
		if k == mostLate {
			break
		}
		names = append(names, fmt.Sprintf("%s by %d", words.Numbered(model.Whole(r.h.From), l.Read), l.By))
	}
	text := words.Count(len(late), "read") + " late in an order of all: " + strings.Join(names, ", ")
	if len(names) < len(late) {
		text += ", …"
	}
	return text
}

// what is what the objects are called.
func (r *staleReport) what() string {
	if r.h.Info.Name == "set" {
		return "elements"
	}
	return "keys"
}

// on says how many objects there are.
func (r *staleReport) on() string {
	if n := len(r.h.Objects); n > 1 {
		return fmt.Sprintf(" on %d %s", n, r.what())
	}
	return ""
}

// worst names the object with the greatest bound.
func (r *staleReport) worst() string {
	if r.Question.Bound == 0 {
		return ""
	}
	text := "; the worst is " + r.h.Objects[r.least.Worst].Name
	if r.Verdict == check.Holds {
		text += " at " + r.bound(r.Question.Bound)
	}
	if r.moved != nil && r.moved.Verdict == check.Holds {
		text += fmt.Sprintf(", %d in time", r.moved.Question.Bound)
	}
	return text
}

// staleObject is an answer about old reads as JSON (docs/json.schema.json).
type staleObject struct {
	Version    int        `json:"version"`
	File       string     `json:"file"`
	Reads      string     `json:"reads"` // late or moved
	Bound      *int64     `json:"bound,omitempty"`
	Least      bool       `json:"least,omitempty"`
	Verdict    string     `json:"verdict"`
	Cause      string     `json:"cause,omitempty"`
	Spec       string     `json:"spec"`
	Operations int        `json:"operations"`
	Objects    int        `json:"objects"`
	Certified  bool       `json:"certified"`
	Seconds    float64    `json:"seconds"`
	Histogram  []staleRow `json:"histogram,omitempty"`
	Worst      string     `json:"worst,omitempty"`
	WorstMoved *int64     `json:"worst_moved,omitempty"`
	RestsOn    []string   `json:"rests_on,omitempty"` // operations, by their names
	Text       string     `json:"text,omitempty"`
}

// staleRow is how many objects have a least bound; nil for none.
type staleRow struct {
	Bound   *int64 `json:"bound,omitempty"`
	Objects int    `json:"objects"`
}

// json writes the answer as an object.
func (r *staleReport) json(w io.Writer) error { return json.NewEncoder(w).Encode(r.object()) }

func (r *staleReport) object() *staleObject {
	o := &staleObject{Version: 1, File: r.file, Reads: "late", Least: r.least != nil,
		Verdict: [...]string{"unknown", "holds", "fails"}[r.Verdict], Cause: r.Unclear, Spec: r.h.Info.Name,
		Operations: len(r.h.From.Ops), Objects: len(r.h.Objects), Certified: r.Certified, Seconds: r.Took.Seconds(),
		Text: r.sentence()}
	if r.Question.Kind == stale.Moved {
		o.Reads = "moved"
	}
	if b := r.Question.Bound; r.bound(b) != "inf" {
		o.Bound = &b
	}
	if core := r.core(); core != nil {
		for _, i := range core.Operations {
			o.RestsOn = append(o.RestsOn, r.h.From.ID(i))
		}
	}
	if r.least == nil {
		return o
	}
	for _, row := range old.Rows(r.least.Bounds) {
		line := staleRow{Objects: row.Objects}
		if b := row.Bound; b != stale.Never {
			line.Bound = &b
		}
		o.Histogram = append(o.Histogram, line)
	}
	if len(r.h.Objects) > 0 {
		o.Worst = r.h.Objects[r.least.Worst].Name
	}
	if r.moved != nil && r.moved.Verdict == check.Holds {
		o.WorstMoved = &r.moved.Question.Bound
	}
	slices.Sort(o.RestsOn)
	return o
}
