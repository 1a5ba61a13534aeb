package porcupine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strconv"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/report"
)

// Annotation is a mark of a picture: of a client, or of something else that Tag names, from Start
// to End, or at Start if End is not after it. Colors are written as in CSS.
type Annotation struct {
	ClientId        int //nolint:staticcheck // Porcupine's name
	Tag             string
	Start           int64
	End             int64
	Description     string
	Details         string
	TextColor       string
	BackgroundColor string
}

// AddAnnotations adds marks to the picture.
func (li *LinearizationInfo) AddAnnotations(annotations []Annotation) {
	li.annotations = append(li.annotations, annotations...)
}

// Visualize writes a page that shows the history, its linearization, or why there is none, and the
// annotations: linsat's page, with one partition of several at a time, that of a violation first.
// The texts are those of model, and of the model that was checked where that lacks a function. The
// page of a history is the same each time. The error is that of output.
func Visualize(model Model, info LinearizationInfo, output io.Writer) error {
	li := info.describedBy(&model)
	var pages []linsat.OpsResult
	for p := range li.parts {
		r := &li.question.explained(p, li.parts[p]).result
		if p == li.failing() {
			r = li.violation()
		}
		if r.History == nil {
			continue
		}
		if now := li.parts[p].now; now != nil { // the check is over, and the page asks the model
			ctx := context.Background()
			now.Store(&ctx)
		}
		h := *r.History
		h.Source = "history"
		if len(li.parts) > 1 {
			h.Source = "partition " + strconv.Itoa(p)
		}
		h.Notes = li.notes(p)
		shown := r.Result
		shown.Took = 0 // it differs each time
		pages = append(pages, linsat.OpsResult{History: &h, Result: shown})
	}
	switch len(pages) {
	case 0:
		h := history.History{Values: history.NewBuilder().Values, Notes: li.notes(0),
			Source: "history without operations"}
		return report.HTML(output, &h, linsat.Result{Verdict: linsat.Linearizable})
	case 1:
		return report.HTML(output, pages[0].History, pages[0].Result)
	}
	slices.SortStableFunc(pages, func(a, b linsat.OpsResult) int { return -cmp.Compare(a.Verdict, b.Verdict) })
	return report.Book(output, pages)
}

// describedBy returns what was found, in the words of a model. If these are not the words that were
// used, the engines are asked once more.
func (li *LinearizationInfo) describedBy(m *Model) *LinearizationInfo {
	if li.question == nil {
		return li
	}
	words := li.question.model
	same := true
	if m.DescribeOperation != nil {
		same = same && alike(m.DescribeOperation, words.DescribeOperation)
		words.DescribeOperation = m.DescribeOperation
	}
	if m.DescribeState != nil {
		if p := words.states(); p != nil { // which describes each state of a set
			if q := m.states(); q != nil && q.describe != nil {
				described := *p
				same = same && alike(q.describe, p.describe)
				described.describe = q.describe
				words.nondeterministic = &described
			}
		} else {
			same = same && alike(m.DescribeState, words.DescribeState)
			words.DescribeState = m.DescribeState
		}
	}
	if m.DescribeOperationMetadata != nil {
		words.DescribeOperationMetadata = m.DescribeOperationMetadata
	}
	out := &LinearizationInfo{question: &question{model: words, parts: li.question.parts, timeout: li.question.timeout},
		verdict: li.verdict, parts: li.parts, annotations: li.annotations}
	if same {
		out.question = li.question
		return out
	}
	out.parts = make([]*part, len(li.parts))
	for p, found := range li.parts {
		out.parts[p] = decided(found.result.Verdict, found.result.Witness)
		out.parts[p].done, out.parts[p].quick = found.done, len(li.question.parts[p]) > 0
	}
	return out
}

// alike reports whether two functions are the same code.
func alike(f, g any) bool {
	return reflect.ValueOf(f).Pointer() == reflect.ValueOf(g).Pointer()
}

// VisualizePath writes the page of Visualize to a file.
func VisualizePath(model Model, info LinearizationInfo, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := Visualize(model, info, f); err != nil {
		return err
	}
	return f.Close()
}

// notes are the annotations and the metadata of operations as the page of a partition shows them.
func (li *LinearizationInfo) notes(p int) []history.Note {
	var notes []history.Note
	for _, a := range li.annotations {
		of := a.Tag
		if of == "" {
			of = fmt.Sprintf("client %d", a.ClientId)
		}
		notes = append(notes, history.Note{Time: a.Start, End: a.End, Process: of, Text: a.Description,
			Details: a.Details, Color: a.TextColor, Background: a.BackgroundColor})
	}
	if p >= len(li.parts) {
		return notes
	}
	describe := li.question.model.DescribeOperationMetadata
	if describe == nil {
		describe = func(v any) string { return fmt.Sprint(v) }
	}
	for i := range li.question.parts[p] {
		if o := &li.question.parts[p][i]; o.Metadata != nil {
			notes = append(notes, history.Note{Time: o.Call, Text: fmt.Sprintf("operation %d: %s", i,
				spoken(func() string { return describe(o.Metadata) }))})
		}
	}
	return notes
}
