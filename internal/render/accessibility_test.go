package render

import (
	"context"
	"encoding/json"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words/wordstest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var axeFindings = regexp.MustCompile(`data-axe="([^"]*)"`)

// TestAccessibility runs axe-core over pages, light and dark, wide and narrow: no findings. The
// variable LINSAT_AXE names axe.min.js of npm's axe-core, which is not part of this repository.
func TestAccessibility(t *testing.T) {
	file := os.Getenv("LINSAT_AXE")
	if file == "" {
		t.Skip("no axe-core: npm install axe-core, and LINSAT_AXE=node_modules/axe-core/axe.min.js")
	}
	browser := testenv.Browser(t)
	axe, err := os.ReadFile(file)
	require.NoError(t, err)
	script := "<script>" + strings.ReplaceAll(string(axe), "</script", `<\/script`) + `</script><script>
if (bars.length) pin(0);
axe.run(document, { resultTypes: ['violations'] }).then(r => {
  root.dataset.axe = JSON.stringify(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).join(', ')));
}, e => { root.dataset.axe = JSON.stringify([String(e)]); });
</script></body>`
	pages := fixed(t)
	pages["keys"] = pictured(t, wordstest.Parse(t, severalKeys),
		linsat.Explain(linsat.ExplainOptions{EachPartition: true}))
	pages["events"] = pictured(t, wordstest.Parse(t, withEvents))
	for name, p := range pages {
		for _, look := range []struct {
			size, theme string
		}{{"1400,900", "light"}, {"500,844", "dark"}, {"500,844", "light"}, {"1400,900", "dark"}} {
			dir := t.TempDir()
			at := filepath.Join(dir, "page.html")
			require.NoError(t, os.WriteFile(at, []byte(strings.Replace(page(t, p), "</body>", script, 1)), 0o600))
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
				"--no-first-run", "--disable-background-networking",
				"--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(dir, "profile"),
				"--window-size="+look.size, "--virtual-time-budget=20000",
				"--dump-dom", "file://"+at+"#theme="+look.theme)
			cmd.WaitDelay = 5 * time.Second
			out, err := cmd.Output()
			cancel()
			require.NoError(t, err)
			found := axeFindings.FindSubmatch(out)
			require.NotNil(t, found, "axe-core has not run")
			var findings []string
			require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &findings))
			assert.Empty(t, findings, "%s, %s, %s", name, look.size, look.theme)
		}
	}
}

// TestPagesHaveNoLocalPaths: of the path of a history, a page and a picture have the last part.
func TestPagesHaveNoLocalPaths(t *testing.T) {
	p := *fixed(t)["core"]
	p.Source = filepath.Join("home", "someone", "histories", "h.json")
	var svg strings.Builder
	require.NoError(t, SVG(&svg, &p))
	for _, text := range []string{page(t, &p), svg.String()} {
		assert.NotContains(t, text, "someone")
		assert.Contains(t, text, "h.json")
	}
}
