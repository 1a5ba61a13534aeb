package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRefutationPicture compares the picture of the README with what the command in it prints,
// times apart. LINSAT_UPDATE=1 go test ./cmd/linsat -run RefutationPicture draws it anew.
func TestRefutationPicture(t *testing.T) {
	file := filepath.Join("docs", "pictures", "refutation.svg")
	t.Chdir(filepath.Join("..", ".."))
	args := strings.Fields("explain --witness 4 examples/histories/stale-read.json")
	var out, errs bytes.Buffer
	fitting := cli.Wrap(&out, 100)
	code := run(append(args, "--color", "always", "--width", "100"), strings.NewReader(""), fitting, &errs)
	require.NoError(t, fitting.Close())
	require.Equal(t, cli.Violation, code)
	require.Empty(t, errs.String())
	text := regexp.MustCompile(`by \w+ in [^;]*;`).ReplaceAllString(out.String(), "by search in 3.1 ms (288 steps);")
	picture := terminal("$ linsat "+strings.Join(args, " "), text)
	assert.NoError(t, xml.Unmarshal([]byte(picture), new(struct{})))
	testenv.Golden(t, file, picture)
}

// terminal draws what a command prints, with its colours, as SVG.
func terminal(command, text string) string {
	const column, row, margin = 7.8, 17, 14
	style := map[string]string{
		words.Plain: "", words.Bold: `font-weight="600" `, words.Faint: `fill="#8b95a1" `, words.Red: `fill="#ff7b72" `,
		words.Green: `fill="#7ee787" `, words.Yellow: `fill="#e3b341" `,
	}
	lines := append([]string{command, ""}, strings.Split(strings.TrimRight(text, "\n"), "\n")...)
	var b strings.Builder
	width, height := 2*margin+int(column*100), 2*margin+row*len(lines)
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#e6edf3" xml:space="preserve">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#161b22\"/>\n",
		escapeXML(command))
	look := ""
	for i, line := range lines {
		at := 0
		for _, part := range regexp.MustCompile(`(\x1b\[\d+m)|([^\x1b]+)`).FindAllStringSubmatch(line, -1) {
			if part[1] != "" {
				if look += style[part[1]]; part[1] == words.Plain {
					look = ""
				}
				continue
			}
			wide := runewidth.StringWidth(part[2])
			if strings.TrimSpace(part[2]) != "" {
				fmt.Fprintf(&b,
					"<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" "+
						"%sxml:space=\"preserve\">%s</text>\n",
					margin+column*float64(at), margin+row*i+12, column*float64(wide), look, escapeXML(part[2]))
			}
			at += wide
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func escapeXML(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes all
	return b.String()
}
