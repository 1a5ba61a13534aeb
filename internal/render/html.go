package render

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/picture"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

//go:embed links.js
var linksJS string

// pageData is the data that page.js draws, embedded in the page as JSON. Times to be shown are
// strings, as JavaScript's numbers cannot hold all of them; where these can, the page computes a
// time from First and Times, and an operation's number is its place unless it says otherwise.
type pageData struct {
	Source  string      `json:"source"`
	Verdict string      `json:"verdict"`
	Answer  string      `json:"answer"` // yes, no, unknown
	Facts   [][2]string `json:"facts"`
	Lanes   []string    `json:"lanes"`
	Bars    []pageBar   `json:"bars"`
	Notes   []pageNote  `json:"notes"`
	Times   []float64   `json:"times"` // of every place, relative to the first
	First   float64     `json:"first"` // the first time
	// Reasons are what is shown of the object that the verdict is about, and then of other objects
	// that are not linearizable.
	Reasons []pageReason `json:"reasons"`
	// Refuted are the objects that are not linearizable, if there are several.
	Refuted []string `json:"refuted"`
}

// pageReason is what is shown of one object.
type pageReason struct {
	Key       string            `json:"key"` // "" unless the history is split by keys
	Title     string            `json:"title"`
	Orders    []pageOrder       `json:"orders"`
	Core      []history.OpID    `json:"core"`
	Edges     [][2]history.OpID `json:"edges"`
	Links     []pageLink        `json:"links,omitempty"`
	Window    [2]int32          `json:"window"` // places, 0 0 for none
	Fails     history.OpID      `json:"fails"`  // -1 for none
	Sentences [][]picture.Span  `json:"sentences"`
	Before    []pagePossible    `json:"before"`
	Complete  bool              `json:"complete"`
	Partials  []pagePartial     `json:"partials"`
	Finding   *pageFinding      `json:"finding,omitempty"`
}

// pageLink says why one operation comes before another.
type pageLink struct {
	From history.OpID `json:"a"`
	To   history.OpID `json:"b"`
	Why  string       `json:"w"`
	On   string       `json:"x,omitempty"`
}

// pageFinding is a table of what is wrong.
type pageFinding struct {
	Title      []picture.Span    `json:"title"`
	Columns    [][]picture.Span  `json:"columns"`
	Rows       []pageRow         `json:"rows"`
	Notes      [][]picture.Span  `json:"notes,omitempty"`
	Operations []history.OpID    `json:"ops"`
	Explains   [][2]history.OpID `json:"explains,omitempty"`
}

type pageRow struct {
	Cells [][]picture.Span `json:"c"`
	Wrong bool             `json:"w,omitempty"`
	Maybe bool             `json:"m,omitempty"`
	Strip []pageStretch    `json:"s,omitempty"`
}

type pageStretch struct {
	From int32  `json:"a"`
	To   int32  `json:"b"`
	What string `json:"w"`
}

// pagePartial is a partial linearization: the first Keep operations of the one before it, and those
// of Rest. For the operations of For there is no longer one.
type pagePartial struct {
	Keep int            `json:"k"`
	Rest []history.OpID `json:"o"`
	For  []history.OpID `json:"f"`
}

type pageBar struct {
	Lane    int32  `json:"l"`
	From    int32  `json:"a"`
	To      int32  `json:"b"`
	Pending bool   `json:"p,omitempty"`
	Outside bool   `json:"x,omitempty"`
	ID      string `json:"i,omitempty"`
	Text    string `json:"t,omitempty"` // "" for "F → Result"
	Short   string `json:"s,omitempty"`
	F       string `json:"f"`
	Key     string `json:"k,omitempty"`
	Arg     string `json:"g,omitempty"`
	Result  string `json:"r,omitempty"`
	Called  string `json:"c,omitempty"`
	Returns string `json:"d,omitempty"`
	Line    int32  `json:"n,omitempty"`
}

type pageNote struct {
	At         int32  `json:"at"`
	Until      int32  `json:"until,omitempty"`
	Time       string `json:"time"`
	End        string `json:"end,omitempty"`
	Process    string `json:"process,omitempty"`
	Text       string `json:"text"`
	Details    string `json:"details,omitempty"`
	Color      string `json:"color,omitempty"`
	Background string `json:"background,omitempty"`
}

type pageOrder struct {
	Name  string      `json:"name"`
	Title string      `json:"title"`
	Steps []pagePlace `json:"steps"`
}

type pagePlace struct {
	Op    history.OpID `json:"o"`
	Label string       `json:"t,omitempty"`
	State string       `json:"s,omitempty"`
	Moved int32        `json:"m,omitempty"`
}

type pagePossible struct {
	State   string         `json:"state"`
	After   []history.OpID `json:"after"`
	Refused []pageRefused  `json:"refused"`
}

type pageRefused struct {
	Op  history.OpID `json:"op"`
	Why string       `json:"why"`
}

// bare returns a program of which no string spans lines, without lines that are comments, and
// without indentation.
func bare(program string) string {
	var b strings.Builder
	for line := range strings.Lines(program) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// script is the program of the page, and its hash, which names it in the page's content security
// policy: no other text runs, whatever the history holds. A browser reads line feeds for other ends
// of lines, and hashes what it has read. Lines that are comments, and indentation, stay in the
// source. The program with links draws why transactions come before one another, too.
var (
	script          = programOf(pageJS)
	scriptWithLinks = programOf(linksJS + pageJS)
)

// programOf returns a program and its hash, made when they are first used.
func programOf(source string) func() (text, hash string) {
	return sync.OnceValues(func() (string, string) {
		text := bare(source)
		return text, hashSource(text)
	})
}

// hashSource is how a content security policy names a script by what it is.
func hashSource(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// HTML writes one self-contained page with a timeline to zoom and to scroll. It loads nothing else,
// and of the path of the history it has the last part only.
// The page is filled without html/template: a program that links it keeps every exported method of
// every type, 2.7 MB in the command.
func HTML(w io.Writer, p *picture.Picture) error {
	// escapes <, > and &, so that no text can end the script
	page := newPage(p)
	data, err := json.Marshal(page)
	if err != nil {
		return err
	}
	program := script
	if slices.ContainsFunc(page.Reasons, func(r pageReason) bool { return len(r.Links) > 0 }) {
		program = scriptWithLinks
	}
	text, hash := program()
	title := filepath.Base(p.Source)
	if p.Verdict != "" {
		title += ": " + p.Verdict
	}
	_, err = strings.NewReplacer("{{.Title}}", html.EscapeString(title), "{{.CSS}}", pageCSS, "{{.Data}}", string(data),
		"{{.Hash}}", hash, "{{.Script}}", text).
		WriteString(w, pageHTML)
	return err
}

func newPage(p *picture.Picture) *pageData {
	d := &pageData{Source: filepath.Base(p.Source), Verdict: p.Verdict, Answer: [...]string{"unknown", "yes",
		"no"}[p.Answer], Lanes: p.Lanes,
		Bars: make([]pageBar, len(p.Bars)), Times: make([]float64, len(p.Times))}
	exact := len(p.Times) == 0 || max(-p.Times[0], p.Times[len(p.Times)-1]) < 1<<53
	if exact && len(p.Times) > 0 {
		d.First = float64(p.Times[0])
	}
	for i := range p.Bars {
		b := &p.Bars[i]
		d.Bars[i] = pageBar{Lane: b.Lane, From: b.From, To: b.To, Pending: b.Pending, Outside: b.Outside, Text: b.Text,
			Short: b.Short, F: b.F,
			Key: b.Key, Arg: b.Arg, Result: b.Result, Line: b.Line}
		if b.Result != "" && b.Text == b.F+" → "+b.Result {
			d.Bars[i].Text = ""
		}
		if b.ID != strconv.Itoa(i) {
			d.Bars[i].ID = b.ID
		}
		if !exact {
			d.Bars[i].Called = strconv.FormatInt(b.CallTime, 10)
		}
		if !exact && !b.Pending {
			d.Bars[i].Returns = strconv.FormatInt(b.ReturnTime, 10)
		}
	}
	for _, f := range p.Facts {
		d.Facts = append(d.Facts, [2]string{f.Name, f.Text})
	}
	for k, t := range p.Times {
		d.Times[k] = float64(t) - float64(p.Times[0])
	}
	for _, n := range p.Notes {
		m := pageNote{At: n.At, Time: strconv.FormatInt(n.Time, 10), Process: n.Process, Text: n.Text,
			Details: n.Details, Color: n.Color, Background: n.Background}
		if n.End > n.Time {
			m.Until, m.End = n.Until, strconv.FormatInt(n.End, 10)
		}
		d.Notes = append(d.Notes, m)
	}
	d.Reasons = append(d.Reasons, newReason(p, &p.Reason))
	for k := range p.Others {
		d.Reasons = append(d.Reasons, newReason(p, &p.Others[k]))
	}
	for _, i := range p.Refuted {
		if key := p.Bars[i].Key; key != "" && !slices.Contains(d.Refuted, key) {
			d.Refuted = append(d.Refuted, key)
		}
	}
	return d
}

func newReason(p *picture.Picture, r *picture.Reason) pageReason {
	hl := &r.Highlight
	d := pageReason{Key: r.Key, Title: r.Title, Core: slices.Clone(hl.Operations), Edges: hl.Edges, Fails: -1,
		Complete: r.Complete}
	if hl.HasFails {
		d.Fails, d.Core = hl.Fails, append(d.Core, hl.Fails)
	}
	d.Core = inorder.Distinct(d.Core)
	for _, l := range hl.Links {
		d.Links = append(d.Links, pageLink(l))
	}
	for _, o := range r.Orders {
		q := pageOrder{Name: o.Name, Title: o.Title, Steps: make([]pagePlace, len(o.Steps))}
		for k, s := range o.Steps {
			q.Steps[k] = pagePlace(s)
		}
		d.Orders = append(d.Orders, q)
	}
	for _, s := range r.Highlight.Sentences {
		cut := p.Spans(s)
		for k := range cut {
			cut[k].Text = escape.Text(cut[k].Text)
		}
		d.Sentences = append(d.Sentences, cut)
	}
	for _, c := range r.Before {
		x := pagePossible{State: c.State, After: c.After}
		for _, refused := range c.Refused {
			x.Refused = append(x.Refused, pageRefused(refused))
		}
		d.Before = append(d.Before, x)
	}
	d.Window[0], d.Window[1] = p.ExtentOf(hl)
	d.Partials = newPartials(r.Partials())
	d.Finding = newFinding(p, r.Finding)
	return d
}

func newFinding(p *picture.Picture, f *picture.Finding) *pageFinding {
	if f == nil {
		return nil
	}
	all := func(texts []string) (out [][]picture.Span) {
		for _, text := range texts {
			out = append(out, p.Spans(text))
		}
		return out
	}
	d := &pageFinding{Title: p.Spans(f.Title), Columns: all(f.Columns), Notes: all(f.Notes), Operations: f.Operations,
		Explains: f.Explains}
	for _, r := range f.Rows {
		row := pageRow{Cells: all(r.Cells), Wrong: r.Wrong, Maybe: r.Maybe}
		for _, s := range r.Strip {
			row.Strip = append(row.Strip, pageStretch(s))
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// newPartials writes every order as a change of the one before it.
func newPartials(orders []picture.Partial, longest map[history.OpID]int32) []pagePartial {
	out := make([]pagePartial, len(orders))
	var before picture.Partial
	for k, order := range orders {
		x := &out[k]
		for x.Keep < min(len(before), len(order)) && before[x.Keep] == order[x.Keep] {
			x.Keep++
		}
		x.Rest, before = order[x.Keep:], order
		for _, i := range order {
			if longest[i] == int32(k) {
				x.For = append(x.For, i)
			}
		}
	}
	return out
}
