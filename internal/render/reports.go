package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/words"
)

// A Report is written about many files, each of which has a JSON form.
type Report interface {
	Add(o *Object) error
	Close() error // writes what follows the last file
}

// ReportFormats are the formats of NewReport, for people and for programs.
var ReportFormats = []string{"text", "json", "tsv", "junit", "sarif", "github"}

// NewReport returns a report in a format of ReportFormats, by a release of the command. Text has
// one line for each file, in the style.
func NewReport(format string, w io.Writer, style words.Style, release string) (Report, error) {
	switch format {
	case "text":
		return &lines{w: w, style: style}, nil
	case Brief:
		return &lines{w: w, style: style, why: true}, nil
	case "json":
		return jsonLines{w}, nil
	case "tsv":
		return &tsv{w: w}, nil
	case "junit":
		return &junit{w: w}, nil
	case "sarif":
		return newSARIF(w, release), nil
	case "github":
		return github{w}, nil
	}
	return nil, fmt.Errorf("unknown format %q", format)
}

// Brief is the format of one line of text for each file that says why a violation is one.
const Brief = "brief"

// jsonLines writes one object a line.
type jsonLines struct{ w io.Writer }

func (j jsonLines) Add(o *Object) error { return writeLine(j.w, o) }

func (j jsonLines) Close() error { return nil }

// finding is what there is to say about a file that is not simply linearizable.
type finding struct {
	rule     string // one of findingRules, "" if there is nothing to say
	headline string
	body     []string
	line     int // of the file, 0 if it is about the whole
}

// The rules that a finding can break.
const (
	ruleViolation = "not-linearizable"
	ruleUndecided = "undecided"
	ruleNoAnswer  = "no-answer"
)

// finding returns what is to be said about a file.
func (o *Object) finding() finding {
	switch {
	case o.Verdict == Failed, o.Verdict == Disagreement:
		f := finding{rule: ruleNoAnswer, headline: o.Answer + ": " + strings.TrimPrefix(o.Cause, o.File+": ")}
		if o.Hint != "" {
			f.body = []string{"hint: " + o.Hint}
		}
		return f
	case o.Verdict == engine.Unknown.String():
		f := finding{rule: ruleUndecided, headline: fmt.Sprintf("%s (%s, %s): %s", o.Answer, o.Spec,
			words.Count(o.Operations, "operation"), o.Cause)}
		if _, open := o.badPartitions(); len(o.Partitions) > 1 {
			f.body = []string{fmt.Sprintf("%d of %d partitions are undecided", open, len(o.Partitions))}
		}
		return f
	case o.Verdict != engine.NotLinearizable.String():
		return finding{}
	}
	f := finding{rule: ruleViolation, headline: fmt.Sprintf("%s (%s, %s)", o.Answer, o.Spec,
		words.Count(o.Operations, "operation"))}
	if bad, _ := o.badPartitions(); len(o.Partitions) > 1 && len(bad) > 0 {
		f.headline += ": " + partitionNames(bad)
	}
	f.body = append(f.body, o.Argument...)
	if o.Failure != nil {
		f.line = int(o.Failure.Line)
		f.body = append(f.body, fmt.Sprintf("%s (#%s) cannot be placed before it returns.", o.Failure.Text,
			o.Failure.Operation))
	}
	for _, n := range o.Notes {
		f.body = append(f.body, "note: "+n)
	}
	return f
}

// partitionNames names the first partitions of a list.
func partitionNames(list []PartitionVerdict) string {
	var names []string
	for k, p := range list {
		if k == mostNames && len(list) > mostNames+1 {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(list)-mostNames)
		}
		name := p.Name
		if name == "" {
			name = "the operations without a key"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
