package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func page(t *testing.T, p *picture.Picture) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, HTML(&b, p))
	return b.String()
}

var dataBlock = regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`)

// inlined takes the data out of a page.
func inlined(t *testing.T, html string) pageData {
	t.Helper()
	found := dataBlock.FindAllStringSubmatch(html, -1)
	require.Len(t, found, 1)
	var d pageData
	require.NoError(t, json.Unmarshal([]byte(found[0][1]), &d))
	return d
}

// TestPageData: what the page holds is what the picture says.
func TestPageData(t *testing.T) {
	for name, p := range fixed(t) {
		d := inlined(t, page(t, p))
		assert.Equal(t, *newPage(p), d, name)
		assert.Len(t, d.Bars, len(p.Bars), name)
	}
}

const hostile = `{"spec": "register", "operations": [
 {"id": "</script><script>x()</script>", "process": "<b>\"p\"</b>", "f": "write", "arg": "</script><img src=x onerror=alert(1)>", "call": 0, "return": 1},
 {"id": "'\"&amp;", "process": "q", "f": "write", "arg": "\u2028 <!-- <script> ]]>", "call": 2, "return": 3},
 {"process": "r", "f": "read", "call": 4, "return": 5, "result": "</STYLE></title>"}],
 "events": [{"time": 0, "text": "</script>"}]}`

// TestHostileValuesStayText: nothing that a history holds gets out of the data.
func TestHostileValuesStayText(t *testing.T) {
	run := wordstest.Checked(t, wordstest.Parse(t, hostile))
	run.File = "</title><script>alert(1)</script>"
	hl := picture.FailureHighlight(&run.Result)
	hl.Sentences = []string{`</script> "and" <b>`}
	p := picture.New(run, hl)
	html := page(t, p)
	assert.Equal(t, 2, strings.Count(strings.ToLower(html), "</script"), "the data's end and the program's")
	assert.NotContains(t, html, "<img")
	assert.NotContains(t, html, "<script>alert")
	assert.NotContains(t, html, "<!--")
	d := inlined(t, html)
	assert.Equal(t, *newPage(p), d)
	assert.Equal(t, `</script><script>x()</script>`, d.Bars[0].ID)
	assert.Equal(t, `</script> "and" <b>`, d.Reasons[0].Sentences[0][0].Text)
	assertXML(t, drawSVG(t, p))
}

var (
	tag     = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)\b[^>]*>`)
	idOf    = regexp.MustCompile(`\bid="([^"]+)"`)
	lookups = regexp.MustCompile(`\$\('([a-z]+)'\)`)
	onward  = regexp.MustCompile(
		`(?i)\b(src|href|url|@import)\s*[=(]|https?://|fetch\(|XMLHttpRequest|innerHTML|eval\(`)
)

// TestPageStructure: tags are balanced, what the program looks up exists once, and nothing is
// fetched from anywhere.
func TestPageStructure(t *testing.T) {
	html := page(t, pictured(t, wordstest.Parse(t, staleRead)))
	body := regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script[^>]*>).*?(</script>)`).ReplaceAllString(html,
		"$1$2$3$4")
	var open []string
	void := map[string]bool{"meta": true, "input": true}
	for _, m := range tag.FindAllStringSubmatch(body, -1) {
		switch {
		case void[m[2]]:
		case m[1] == "":
			open = append(open, m[2])
		default:
			require.NotEmpty(t, open, m[0])
			require.Equal(t, open[len(open)-1], m[2])
			open = open[:len(open)-1]
		}
	}
	assert.Empty(t, open)
	ids := map[string]int{}
	for _, m := range idOf.FindAllStringSubmatch(body, -1) {
		ids[m[1]]++
		assert.Equal(t, 1, ids[m[1]], m[1])
	}
	looked := lookups.FindAllStringSubmatch(pageJS, -1)
	assert.Greater(t, len(looked), 30)
	for _, m := range looked {
		assert.Contains(t, ids, m[1])
	}
	assert.Contains(t, html, `default-src 'none'`)
	assert.Empty(t, onward.FindAllString(pageHTML+pageCSS+pageJS, -1), "the page is all there is")
}

// TestPageOfALongHistory: 10,000 operations make a page of a few megabytes.
func TestPageOfALongHistory(t *testing.T) {
	g, err := gen.Generate(gen.Options{Spec: "kv", Operations: 10000, Processes: 8, Keys: 4,
		PendingRate: 0.0005, Seed: 1})
	require.NoError(t, err)
	html := page(t, pictured(t, g.History))
	assert.Less(t, len(html), 6<<20)
	d := inlined(t, html)
	assert.Len(t, d.Bars, 10000)
	assert.NotEmpty(t, d.Reasons[0].Orders[0].Steps[len(d.Reasons[0].Orders[0].Steps)/2].State)
}

func drawSVG(t *testing.T, p *picture.Picture) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, SVG(&b, p))
	return b.String()
}

// assertXML reads the picture as XML and returns its texts.
func assertXML(t *testing.T, svg string) (texts []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return texts
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			require.Contains(t, []string{"svg", "title", "rect", "text", "line", "path"}, x.Name.Local,
				"no scripts, no foreign elements")
		case xml.CharData:
			texts = append(texts, string(x))
		}
	}
}

// TestSVG: the picture is well formed, names what is highlighted, draws every edge, and stays what
// it is.
func TestSVG(t *testing.T) {
	for name, p := range fixed(t) {
		svg := drawSVG(t, p)
		texts := assertXML(t, svg)
		for i := range p.Bars {
			if b := &p.Bars[i]; b.Highlighted {
				assert.Contains(t, texts, barLabel(b), name)
			}
		}
		assert.Equal(t, len(p.Highlight.Edges), strings.Count(svg, `fill="none" stroke="#c3271b"`), name)
	}
	golden(t, "core.svg", drawSVG(t, fixed(t)["core"]))
	golden(t, "stale.svg", drawSVG(t, fixed(t)["stale"]))
}

// TestSVGFitsAPage: wide bars and long names do not make a wide picture.
func TestSVGFitsAPage(t *testing.T) {
	narrowed := 0
	for seed := range uint64(20) {
		g, err := gen.Generate(gen.Options{Spec: "kv", Operations: 200, Processes: 6, Keys: 2,
			Violation: gen.Stale, Seed: seed})
		require.NoError(t, err)
		p := pictured(t, g.History)
		svg := drawSVG(t, p)
		var width, whole int
		_, err = fmt.Sscanf(svg[strings.Index(svg, `width="`):], `width="%d"`, &width)
		require.NoError(t, err)
		_, err = fmt.Sscanf(svg[strings.Index(svg, `viewBox="`):], `viewBox="0 0 %d`, &whole)
		require.NoError(t, err)
		assert.LessOrEqual(t, width, svgWidest)
		if whole > svgWidest {
			narrowed++
		}
		for i := range p.Bars {
			if b := &p.Bars[i]; b.Highlighted {
				assert.Contains(t, svg, xmlText(barLabel(b)), "seed %d", seed)
			}
		}
	}
	assert.Less(t, narrowed, 3)
}
