package linsat_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/linsat/linsat"

// allowed says which packages of ours each package may import directly (docs/architecture.md). "" is
// the root. Tests may import more.
var allowed = map[string][]string{
	"internal/escape":   {},
	"history":           {"internal/escape"},
	"spec":              {"history", "internal/wide"},
	"spec/spectest":     {"spec", "history", "gen", "internal/oracle"},
	"quasi":             {"spec", "history"},
	"quasi/window":      {"quasi", "spec", "history"},
	"check":             {"quasi", "spec", "history"},
	"search":            {"check", "quasi", "spec", "history"},
	"monitor":           {"check", "quasi", "quasi/window", "spec", "history"},
	"encode":            {"check", "quasi", "quasi/window", "spec", "history", "solver", "internal/wide"},
	"solver":            {},
	"solver/solvertest": {"solver", "internal/testenv"},
	"solver/gini":       {"solver"},
	"solver/process":    {"solver"},
	"solver/z3":         {"solver"},
	"certify":           {"check", "quasi", "spec", "history"},
	"explain":           {"check", "certify", "quasi", "spec", "history", "internal/wide"},
	"gen":               {"history"},
	"internal/wide":     {},
	"internal/testenv":  {},
	"internal/memory":   {},
	"internal/oracle":   {"check", "quasi", "spec", "history"},
	"":                  {"internal/memory", "history", "spec", "quasi", "check", "search", "monitor", "encode", "solver", "solver/gini", "certify", "explain"},
	"report":            {"", "internal/escape", "history", "spec", "quasi", "check", "explain"},
	"cmd/linsat":        {"", "internal/memory", "examples/objects", "explore", "explore/lineup", "explore/roundup", "history", "internal/escape", "localize", "spec", "quasi", "check", "certify", "gen", "report", "solver", "solver/gini", "solver/process", "solver/z3", "bench"},
	"bench":             {"", "internal/escape", "history", "spec", "check", "solver"},
	"bench/growth":      {"", "bench/internal/charts", "history", "spec", "check", "gen"},
	"bench/leastk":      {"", "history", "spec", "quasi"},
	"bench/reasons":     {"", "certify", "check", "gen", "history", "report", "spec"},
	"explore/mem":       {},
	"explore":           {"explore/mem", "", "check", "history", "quasi", "report", "spec"},
	"localize":          {"", "check", "explore", "explore/mem", "history", "report", "spec"},
	"explore/lineup":    {"explore", "history", "spec"},
	"explore/roundup":   {"", "check", "explore", "explore/mem", "quasi", "spec"},

	"bench/plot":            {"bench", "bench/internal/charts"},
	"bench/internal/charts": {"bench"},

	"examples/kfifo":           {"history"},
	"examples/kfifo/record":    {"examples/kfifo", "history"},
	"examples/recorded":        {"history"},
	"examples/recorded/record": {"examples/recorded", "history"},

	"examples/objects":         {"explore", "examples/objects/dotnet", "examples/objects/fgvt", "examples/objects/relaxed"},
	"examples/objects/dotnet":  {"explore", "explore/mem"},
	"examples/objects/fgvt":    {"explore", "explore/mem"},
	"examples/objects/relaxed": {"explore", "explore/mem", "explore/roundup"},
}

// TestImportDirections compares what every package imports with allowed.
func TestImportDirections(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...").Output()
	require.NoError(t, err)
	seen := 0
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		from, ours := local(fields[0])
		require.True(t, ours, fields[0])
		may, known := allowed[from]
		if !assert.True(t, known, "package %q has no line in the table of allowed imports", from) {
			continue
		}
		seen++
		for _, path := range fields[1:] {
			if to, ours := local(path); ours {
				assert.True(t, slices.Contains(may, to), "%q must not import %q", from, to)
			}
		}
	}
	assert.Greater(t, seen, 10)
}

// TestTheJudgeKnowsNoEngine looks at everything that certify reaches.
func TestTheJudgeKnowsNoEngine(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./certify").Output()
	require.NoError(t, err)
	reached := strings.Fields(string(out))
	assert.Contains(t, reached, module+"/spec")
	for _, path := range reached {
		for _, engine := range []string{"search", "monitor", "encode", "solver", "explain"} {
			assert.False(t, path == module+"/"+engine || strings.HasPrefix(path, module+"/"+engine+"/"), "certify reaches %s", path)
		}
		assert.NotContains(t, path, "gini")
	}
}

func local(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}
