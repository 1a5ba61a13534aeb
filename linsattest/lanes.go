package linsattest

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/schedule"
)

// style is that of the page of lanes.
const style = `body{font:14px/1.5 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
table{border-collapse:collapse}th,td{padding:2px 10px;text-align:left;vertical-align:top;white-space:pre}
th{border-bottom:2px solid #888}tr:nth-child(even){background:#f6f6f6}td.lane{border-left:1px solid #ccc}
td.at{background:#e3edf7}td.met{background:#f9dcc4}code{font:13px ui-monospace,monospace}.op{color:#666}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}tr:nth-child(even){background:#242424}
td.at{background:#24384d}td.met{background:#5a3a1c}.op{color:#aaa}}`

// lanes returns a page with the accesses of an execution in their order: a column for each
// goroutine, and beside it the line of source. Accesses that conflict with one of another goroutine
// stand out.
func lanes(title, verdict string, e *explore.Execution) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n"+
		"<style>%s</style>\n</head>\n<body>\n<h1>%s</h1>\n<p>%s; schedule <code>%s</code></p>\n<table>\n<tr><th>step</th>",
		markup(title), style, markup(title), markup(verdict), markup(e.Schedule.String()))
	first, last := columns(e)
	for t := first; t <= last; t++ {
		fmt.Fprintf(&out, "<th>%s</th>", lane(t))
	}
	out.WriteString("<th>source</th></tr>\n")
	source := map[string][]string{}
	row := func(step string, v *explore.Event, class, text string) {
		fmt.Fprintf(&out, "<tr><td>%s</td>", step)
		for t := first; t <= last; t++ {
			if t == v.Thread {
				fmt.Fprintf(&out, `<td class="lane %s">%s</td>`, class, text)
			} else {
				out.WriteString(`<td class="lane"></td>`)
			}
		}
		fmt.Fprintf(&out, "<td><code>%s</code></td></tr>\n", markup(line(v, source)))
	}
	for i := range e.Events {
		v := &e.Events[i]
		class := "at"
		if meets(e, i) {
			class = "met"
		}
		row(fmt.Sprint(i+1), v, class, cell(e, i))
	}
	for i := range e.Waiting {
		row("", &e.Waiting[i], "at", "waits: "+markup(e.Waiting[i].What()))
	}
	out.WriteString("</table>\n</body>\n</html>\n")
	return out.Bytes()
}

// columns returns the first and the last thread that has accesses or waits.
func columns(e *explore.Execution) (first, last int) {
	for _, all := range [][]explore.Event{e.Events, e.Waiting} {
		for i := range all {
			first, last = min(first, all[i].Thread), max(last, all[i].Thread)
		}
	}
	return first, last
}

func lane(thread int) string {
	if thread == schedule.Main {
		return "main"
	}
	return fmt.Sprintf("thread %d", thread)
}

// cell is what an access does, with the call before the first one of an operation and the result
// after the last one.
func cell(e *explore.Execution, i int) string {
	v := &e.Events[i]
	text := markup(v.What())
	if v.Op < 0 {
		return text
	}
	o, begins, ends := &e.Ops[v.Op], true, true
	for j := range e.Events {
		begins = begins && (j >= i || e.Events[j].Op != v.Op)
		ends = ends && (j <= i || e.Events[j].Op != v.Op)
	}
	if begins {
		call := o.F + "("
		if o.Arg != nil {
			call += fmt.Sprint(o.Arg)
		}
		text = `<span class="op">` + markup(call+")") + "</span>\n" + text
	}
	if ends && o.Return >= 0 {
		result := "null"
		if o.Result != nil {
			result = fmt.Sprint(o.Result)
		}
		text += "\n" + `<span class="op">→ ` + markup(result) + "</span>"
	}
	return text
}

// meets reports whether an access conflicts with one of another thread.
func meets(e *explore.Execution, i int) bool {
	v := schedule.Inside(&e.Events[i].Access)
	for j := range e.Events {
		if e.Events[j].Thread != e.Events[i].Thread && v.Conflicts(schedule.Inside(&e.Events[j].Access)) {
			return true
		}
	}
	return false
}

// line is the line of source of an access, and where it is.
func line(v *explore.Event, source map[string][]string) string {
	if v.File == "" {
		return ""
	}
	lines, known := source[v.File]
	if !known {
		// A file that cannot be read has no lines: the page has its name alone.
		text, _ := os.ReadFile(v.File)
		lines = strings.Split(string(text), "\n")
		source[v.File] = lines
	}
	at := fmt.Sprintf("%s:%d", filepath.Base(v.File), v.Line)
	if v.Line < 1 || v.Line > len(lines) {
		return at
	}
	return fmt.Sprintf("%-16s %s", at, strings.TrimSpace(lines[v.Line-1]))
}

// markup escapes text for a page.
func markup(text string) string { return html.EscapeString(escape.Text(text)) }
