package localize

import (
	"bytes"
	"fmt"
	"html"
)

// The page is written here, not with html/template: a program that links that package keeps every
// exported method of every type, 2.7 MB in the command. Invariant: everything that does not come
// from this file is escaped, because put escapes every argument that is not of type markup, and
// only the style sheet and the drawing of the tree are of that type.

// markup is HTML that is written unchanged.
type markup string

// markupWriter collects a page.
type markupWriter struct{ bytes.Buffer }

// put writes format with its arguments, escaped for text and for attributes in quotes.
func (w *markupWriter) put(format string, args ...any) {
	for i, a := range args {
		switch a.(type) {
		case markup, int:
		default:
			args[i] = html.EscapeString(fmt.Sprint(a))
		}
	}
	fmt.Fprintf(w, format, args...)
}

// page writes the whole page.
func (w *markupWriter) page(d *pageData) {
	w.put(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s: %s</title>
<style>
%s
</style>
</head>
<body>
<header>
  <h1 class="%s">%s: %s</h1>
  <p class="program">%s</p>
`, d.Object, d.Verdict, markup(pageCSS), d.Answer, d.Object, d.Verdict, d.Program)
	if d.Limits != "" {
		w.put("  <p class=\"limits\">%s</p>\n", d.Limits)
	}
	w.put("  <dl>")
	for _, f := range d.Facts {
		w.put("<div><dt>%s</dt><dd>%s</dd></div>", f.Name, f.Text)
	}
	w.put("</dl>\n</header>\n")
	if len(d.Rows) > 0 {
		w.put("<main>\n")
		w.trace(d)
		w.put(`  <ul class="legend" aria-label="Labels">
    <li><i class="w"></i>W: every trace is linearizable</li><li><i class="b"></i>B: every trace fails</li><li><i class="g"></i>G: decides between the two</li>
    <li><i class="wg"></i>WG: W or mixed</li><li><i class="bg"></i>BG: B or mixed</li><li><i class="gg"></i>GG: mixed either way</li>
  </ul>
`)
		w.races(d)
		w.put("  <section class=\"verdict\" aria-label=\"The history\">\n    <h2>The history</h2>\n    "+
			"<pre>%s</pre>\n  </section>\n", d.History)
		w.patterns(d.Patterns)
		w.put("</main>\n")
	}
	w.put("</body>\n</html>\n")
}

// trace writes the table: a row for each step, with the access of its thread, the tree and the
// history.
func (w *markupWriter) trace(d *pageData) {
	w.put("  <section class=\"trace\" aria-label=\"The failing trace\">\n  <table style=\"min-width: %dpx\">\n    "+
		"<colgroup><col class=\"n\">", d.Width)
	for range d.Threads {
		w.put(`<col class="cell">`)
	}
	w.put(`<col class="tree">`)
	for range d.Lanes {
		w.put(`<col style="width: %dpx">`, d.Lane)
	}
	w.put(`</colgroup>
    <thead>
    <tr class="parts"><th></th><th colspan="%d">Fine-grained trace</th><th class="tree">Interleaving tree</th><th colspan="%d">History</th></tr>
    <tr><th class="n">step</th>`, len(d.Threads), len(d.Lanes))
	for _, name := range d.Threads {
		w.put("<th>%s</th>", name)
	}
	w.put(`<th class="tree">node, and other decisions</th>`)
	for _, name := range d.Lanes {
		w.put(`<th class="lane">%s</th>`, name)
	}
	w.put("</tr></thead>\n    <tbody>\n")
	for i, r := range d.Rows {
		w.put(`    <tr class="%s"`, r.Class)
		if r.Anchor != "" {
			w.put(` id="step-%s">`+"\n"+`      <td class="n"><a href="#%s">%s</a></td>`, r.Number, r.Anchor, r.Number)
		} else {
			w.put(">\n      <td class=\"n\">%s</td>", r.Number)
		}
		w.put("\n      ")
		for _, c := range r.Cells {
			w.put(`<td class="cell">`)
			if c != nil {
				w.cell(c)
			}
			w.put("</td>")
		}
		if i == 0 {
			w.put("\n      <td class=\"tree\" rowspan=\"%d\">%s</td>", len(d.Rows), d.Tree)
		}
		w.put("\n      ")
		for _, l := range r.Lanes {
			w.put(`<td class="lane %s">`, l.Class)
			if l.Text != "" {
				w.put("<div>%s</div>", l.Text)
			}
			w.put("</td>")
		}
		w.put("\n    </tr>\n")
	}
	w.put("    </tbody>\n  </table>\n  </section>\n")
}

func (w *markupWriter) cell(c *pageCell) {
	w.put(`<div class="event" title="%s %s"><code>%s</code>`, c.Access, c.Value, c.Access)
	if c.Value != "" {
		w.put(` <code class="value">%s</code>`, c.Value)
	}
	w.put(`</div><div class="at" title="%s %s">%s`, c.Op, c.Source, c.Op)
	if c.Source != "" {
		w.put("<span>%s</span>", c.Source)
	}
	w.put("</div>")
}

// races writes an article for each step that decides.
func (w *markupWriter) races(d *pageData) {
	w.put("  <section class=\"races\" aria-label=\"The races\">\n    <h2>What decides, step by step</h2>\n")
	for _, r := range d.Races {
		w.put(`    <article id="%s">
      <h3><b class="symbol">%s</b> %s <a href="#step-%s">step %s</a></h3>
      <p>%s</p>
      <div class="sides">`, r.Anchor, r.Symbol, r.Title, r.Number, r.Number, r.Why)
		for _, s := range r.Sides {
			as := ""
			if s.Taken {
				as = ", as here"
			}
			w.put("<div class=\"side %s\">\n        <p><b>%s first%s</b><span class=\"fate\">%s</span></p>\n", s.Class,
				s.Who, as, s.Fails)
			if s.Does != "" {
				w.put("        <pre>%s</pre><p class=\"at\">%s<span>%s</span></p>\n", s.Code, s.Does, s.Source)
			}
			w.put("      </div>")
		}
		w.put("</div>\n    </article>\n")
	}
	if d.Commuting != "" {
		w.put("    <p class=\"soft\">%s</p>\n", d.Commuting)
	}
	w.put("  </section>\n")
}

// patterns writes the lists of sequences of all failing traces.
func (w *markupWriter) patterns(all []pagePatterns) {
	if len(all) == 0 {
		return
	}
	w.put("  <section class=\"patterns\" aria-label=\"Sequences\">\n    <h2>Critical data race sequences of all " +
		"failing traces</h2>\n")
	for _, p := range all {
		w.put("    <p>%s</p><ul>", p.Name)
		for _, x := range p.List {
			w.put("<li><b>%s</b> %s</li>", x.Sequence, x.Traces)
		}
		w.put("</ul>\n")
	}
	w.put("  </section>\n")
}
