package porcupine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

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
// annotations. It is the page of linsat, one for every partition, that of a violation first. The
// texts are those of the model that was checked, and model is not used. The error is that of
// output.
func Visualize(model Model, info LinearizationInfo, output io.Writer) error {
	var pages []page
	for p := range info.parts {
		r := &info.question.explained(p, info.parts[p]).result
		if p == info.failing() {
			r = info.violation()
		}
		if r.History == nil {
			continue
		}
		if now := info.parts[p].now; now != nil { // the check is over, and the page asks the model
			ctx := context.Background()
			now.Store(&ctx)
		}
		h := *r.History
		h.Source = "history"
		if len(info.parts) > 1 {
			h.Source = "partition " + strconv.Itoa(p)
		}
		h.Notes = info.notes(p)
		var b bytes.Buffer
		if err := report.HTML(&b, &h, r.Result); err != nil {
			return err
		}
		pages = append(pages, page{h.Source + ": " + r.Verdict.String(), r.Verdict, b.Bytes()})
	}
	if len(pages) == 0 {
		h := history.History{Values: history.NewBuilder().Values, Notes: info.notes(0), Source: "history without operations"}
		return report.HTML(output, &h, linsat.Result{Verdict: linsat.Linearizable})
	}
	if len(pages) == 1 {
		_, err := output.Write(pages[0].html)
		return err
	}
	slices.SortStableFunc(pages, func(a, b page) int { return -cmp.Compare(a.verdict, b.verdict) })
	return book(output, pages)
}

// page is the page of one partition.
type page struct {
	title   string
	verdict linsat.Verdict
	html    []byte
}

// book writes one page to choose among others.
func book(w io.Writer, pages []page) error {
	var b strings.Builder
	b.WriteString(bookHead)
	for i, p := range pages {
		fmt.Fprintf(&b, "<option value=\"%d\">%s</option>", i, html.EscapeString(p.title))
	}
	b.WriteString("</select></header>\n")
	for i, p := range pages {
		hidden := " hidden"
		if i == 0 {
			hidden = ""
		}
		fmt.Fprintf(&b, "<iframe%s title=\"%s\" srcdoc=\"%s\"></iframe>\n", hidden, html.EscapeString(p.title), html.EscapeString(string(p.html)))
	}
	b.WriteString(bookFoot)
	_, err := io.WriteString(w, b.String())
	return err
}

const bookHead = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Linearizability by partition</title>
<style>
html, body { height: 100%; margin: 0 }
body { display: flex; flex-direction: column; font: 15px system-ui, sans-serif }
header { padding: .5em 1em }
iframe { flex: 1; border: 0; border-top: 1px solid #888; width: 100% }
iframe[hidden] { display: none }
</style></head><body>
<header><label for="part">Show </label><select id="part">`

const bookFoot = `<script>
const frames = document.querySelectorAll("iframe")
document.getElementById("part").addEventListener("change", e => frames.forEach((f, i) => { f.hidden = i != e.target.value }))
</script></body></html>
`

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
		notes = append(notes, history.Note{Time: a.Start, End: a.End, Process: of, Text: a.Description, Details: a.Details, Color: a.TextColor, Background: a.BackgroundColor})
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
			notes = append(notes, history.Note{Time: o.Call, Text: fmt.Sprintf("operation %d: %s", i, spoken(func() string { return describe(o.Metadata) }))})
		}
	}
	return notes
}
