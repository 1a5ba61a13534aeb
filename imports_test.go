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

// allowed says which packages of ours each package may import directly (docs/architecture.md). ""
// is the root. Tests may import more.
var allowed = map[string][]string{
	"": {"history", "internal/deadline", "internal/engine", "internal/explain", "internal/guest", "internal/model",
		"internal/modelspec", "internal/portfolio", "internal/quasi/explain", "internal/result", "internal/solver/gini",
		"internal/specs", "internal/stale", "internal/stale/check", "internal/stale/verify", "internal/verify", "quasi",
		"solver", "spec", "spec/meta", "verdict"},
	"consistency": {"", "history", "internal/consistency", "internal/consistency/check", "internal/isolation",
		"internal/isolation/check", "internal/model", "internal/result", "internal/solver/gini", "internal/specs", "solver",
		"spec"},
	"cmd/linsat": {"", "explore/lineup", "history", "history/formats", "internal/bench", "internal/cli",
		"internal/consistency", "internal/consistency/check", "internal/consistency/words", "internal/corpora",
		"internal/engine", "internal/escape", "internal/explain", "internal/foreign", "internal/gen",
		"internal/gen/txns", "internal/inorder", "internal/isolation", "internal/isolation/check",
		"internal/isolation/verify", "internal/isolation/words", "internal/memory", "internal/model",
		"internal/picture", "internal/portfolio", "internal/proof", "internal/render", "internal/result",
		"internal/rows", "internal/shimrun", "internal/shimrun/order", "internal/solver/cdcl", "internal/solver/gini",
		"internal/solver/process", "internal/solver/z3", "internal/specs", "internal/stale", "internal/stale/check",
		"internal/stale/verify", "internal/stale/words", "internal/starspec", "internal/subhistory",
		"internal/tablespec", "internal/verify", "internal/verify/clausal", "internal/wasmspec", "internal/words",
		"quasi", "solver", "solver/smt", "spec", "spec/spectest"},
	"cmd/linsat-rewrite": {"internal/rewrite", "internal/shimrun/order"},
	"encode": {"history", "internal/cnf", "internal/engine", "internal/inorder", "internal/model", "internal/wide",
		"solver"},
	"examples/kfifo/record":    {"history"},
	"examples/recorded/record": {"history"},
	"explore": {"", "explore/mem", "history", "internal/engine", "internal/model",
		"internal/picture", "internal/result", "internal/schedule", "internal/shrink", "internal/specs",
		"internal/words", "quasi", "spec"},
	"explore/mem": {"internal/schedule"},
	"explore/c11": {"internal/relaxed/axioms", "internal/relaxed/graph", "internal/relaxed/program",
		"internal/relaxed/trust"},
	"explore/cdsspec": {"explore/c11", "internal/relaxed/cdsspec", "spec"},
	"history": {"history/internal/lex", "history/internal/radix", "internal/escape", "internal/inorder",
		"internal/similar"},
	"history/compressed":           {"history", "history/internal/lex"},
	"history/formats":              {"history/compressed", "history/jepsen", "history/logs", "history/transactions"},
	"history/internal/eventlog":    {"history", "history/internal/lex", "internal/inorder"},
	"history/internal/historytest": {"history"},
	"history/internal/lex":         {"internal/similar"},
	"history/internal/radix":       {},
	"history/jepsen":               {"history", "history/internal/eventlog", "history/internal/lex"},
	"history/logs": {"history", "history/internal/eventlog", "history/internal/lex", "history/internal/radix",
		"internal/inorder", "internal/similar"},
	"history/transactions": {"history", "history/internal/lex"},
	"internal/api":         {},
	"internal/bench": {"", "history", "history/formats", "internal/consistency", "internal/consistency/check",
		"internal/engine", "internal/escape", "internal/gen", "internal/inorder", "internal/isolation/check",
		"internal/model", "internal/portfolio", "internal/result", "internal/solver/gini", "internal/specs",
		"internal/verify", "internal/wgl", "quasi", "solver", "solver/smt"},
	"internal/cbor":  {},
	"internal/claim": {"history", "internal/model", "internal/wide"},
	"internal/cli":   {"", "history", "internal/escape", "internal/model", "internal/similar", "verdict"},
	"internal/cnf": {"history", "internal/deadline", "internal/engine", "internal/inorder", "internal/model",
		"internal/solver/clauses", "solver"},
	"internal/conformance": {},
	"internal/collections": {"history", "internal/engine", "internal/inorder", "internal/layout", "internal/model",
		"internal/proof"},
	"internal/consistency": {"history", "internal/isolation", "internal/model", "internal/proof"},
	"internal/consistency/check": {"history", "internal/consistency", "internal/consistency/solve",
		"internal/consistency/verify", "internal/crash", "internal/engine", "internal/explain", "internal/inorder",
		"internal/isolation", "internal/isolation/check", "internal/isolation/verify", "internal/isolation/words",
		"internal/model", "internal/result", "internal/solver/cdcl", "internal/stale", "internal/stale/check",
		"internal/stale/verify", "internal/stale/words", "internal/verify", "internal/verify/base", "solver"},
	"internal/consistency/solve": {"history", "internal/consistency", "internal/inorder", "internal/model"},
	"internal/consistency/verify": {"history", "internal/consistency", "internal/model", "internal/verify/base",
		"internal/verify/clausal"},
	"internal/consistency/words": {"history", "internal/consistency/check", "internal/inorder",
		"internal/isolation/check", "internal/isolation/words", "internal/model", "internal/words"},
	"internal/corpora":  {},
	"internal/crash":    {"history", "internal/model"},
	"internal/deadline": {},
	"internal/deep":     {},
	"internal/downset":  {"history", "internal/inorder"},
	"internal/dual": {"history", "internal/engine", "internal/layout", "internal/model",
		"internal/proof", "internal/transition"},
	"internal/engine": {"history", "internal/model", "internal/proof", "quasi", "verdict"},
	"internal/escape": {},
	"internal/explain": {"history", "internal/claim", "internal/engine", "internal/inorder", "internal/model",
		"internal/proof", "internal/quasi/explain", "internal/quasi/verify", "internal/solver/cdcl",
		"internal/verify", "internal/verify/base", "internal/verify/clausal", "internal/wide", "quasi"},
	"internal/foreign":         {"internal/inorder", "spec"},
	"internal/gen":             {"history"},
	"internal/gen/cells":       {"history", "internal/model", "spec"},
	"internal/gen/randomspec":  {"history", "internal/model"},
	"internal/gen/randomorder": {"history", "internal/model"},
	"internal/gen/randomtxn":   {"history", "internal/isolation"},
	"internal/gen/txns":        {"history", "internal/isolation"},
	"internal/gen/usermodel":   {"", "internal/model"},
	"internal/guest":           {"history", "internal/deep", "internal/inorder", "internal/model", "spec/meta"},
	"internal/inorder":         {},
	"internal/isolation":       {"history", "internal/proof"},
	"internal/isolation/check": {"history", "internal/isolation", "internal/isolation/solve",
		"internal/isolation/verify", "solver"},
	"internal/isolation/solve": {"history", "internal/isolation", "internal/proof", "internal/solver/cdcl", "solver"},
	"internal/isolation/words": {"history", "internal/inorder", "internal/isolation", "internal/isolation/verify"},
	"internal/isolation/verify": {"history", "internal/isolation", "internal/verify/base",
		"internal/verify/clausal"},
	"internal/isolation/isolationtest": {"history", "internal/isolation", "internal/proof"},
	"internal/layout":                  {"history", "internal/model"},
	"internal/memory":                  {},
	"internal/model":                   {"history", "internal/inorder", "internal/wide", "spec/meta"},
	"internal/modelspec": {"history", "internal/deep", "internal/guest", "internal/inorder", "internal/model",
		"spec/meta"},
	"internal/monitor": {"history", "internal/downset", "internal/engine", "internal/inorder", "internal/layout",
		"internal/model", "internal/proof", "internal/txn", "internal/wide"},
	"internal/oracle":          {"history", "internal/isolation", "internal/model", "quasi"},
	"internal/relaxed/cdsspec": {"", "explore/c11", "history", "internal/deep", "spec"},
	"explore/lineup":           {"explore", "history", "internal/schedule", "spec"},
	"explore/localize": {"", "explore", "explore/mem", "history", "internal/engine", "internal/model",
		"internal/picture", "internal/result", "internal/schedule", "internal/words", "spec"},
	"explore/roundup": {"", "explore", "explore/mem", "internal/engine", "internal/model",
		"internal/quasi/displacement", "internal/schedule", "internal/specs", "quasi", "spec"},
	"internal/pending": {"history", "internal/dual", "internal/engine", "internal/inorder", "internal/layout",
		"internal/model", "internal/proof", "internal/transition", "internal/wgl"},
	"internal/picture": {"history", "internal/engine", "internal/escape", "internal/explain", "internal/inorder",
		"internal/model", "internal/proof", "internal/result", "internal/verify", "internal/wide", "internal/words"},
	"internal/portfolio": {"encode", "history", "internal/deadline", "internal/engine", "internal/explain",
		"internal/model", "internal/monitor", "internal/proof", "internal/quasi/beam", "internal/quasi/completion",
		"internal/quasi/monitor", "internal/quasi/sat", "internal/quasi/search", "internal/quasi/sets",
		"internal/quasi/setsearch", "internal/quasi/verify", "internal/quasi/widening", "internal/result", "internal/search",
		"internal/solver/gini", "internal/specs", "internal/txn", "internal/verify", "internal/verify/base", "quasi", "solver"},
	"internal/proof":              {"history", "internal/inorder", "internal/model", "internal/wide", "quasi"},
	"internal/quasi/beam":         {"history", "internal/engine", "internal/inorder", "internal/layout", "internal/model", "quasi"},
	"internal/quasi/completion":   {"history", "internal/model"},
	"internal/quasi/displacement": {"history", "internal/model"},
	"internal/quasi/monitor": {"history", "internal/downset", "internal/engine", "internal/inorder", "internal/model",
		"internal/proof", "internal/quasi/window", "quasi"},
	"internal/quasi/sat": {"history", "internal/cnf", "internal/engine", "internal/model",
		"internal/quasi/window", "quasi", "solver"},
	"internal/quasi/search": {"history", "internal/engine", "internal/inorder", "internal/layout", "internal/model",
		"internal/transition", "quasi"},
	"internal/quasi/sets":      {"history", "internal/model"},
	"internal/quasi/setsearch": {"history", "internal/engine", "internal/model", "internal/quasi/sets", "quasi"},
	"internal/verify/clausal":  {"history", "internal/model", "internal/proof", "quasi"},
	"internal/verify/base":     {"history", "internal/model", "internal/proof"},
	"internal/quasi/verify": {"history", "internal/model", "internal/proof", "internal/quasi/displacement",
		"internal/quasi/sets", "internal/verify/base", "quasi"},
	"internal/quasi/explain": {"history", "internal/claim", "internal/engine", "internal/model", "internal/proof",
		"internal/quasi/displacement", "internal/quasi/verify", "internal/verify", "internal/verify/base", "quasi"},
	"internal/quasi/widening":      {"history", "internal/model", "quasi"},
	"internal/quasi/window":        {"history", "internal/model", "internal/proof", "quasi"},
	"internal/relaxed/axioms":      {"internal/relaxed/graph"},
	"internal/relaxed/consistency": {"internal/relaxed/axioms", "internal/relaxed/graph"},
	"internal/relaxed/graph":       {},
	"internal/relaxed/machine":     {"internal/relaxed/axioms", "internal/relaxed/graph", "internal/relaxed/program"},
	"internal/relaxed/page":        {"explore/c11", "internal/escape"},
	"internal/relaxed/program":     {"internal/relaxed/graph"},
	"internal/relaxed/trust": {"internal/relaxed/consistency", "internal/relaxed/graph",
		"internal/relaxed/program"},
	"internal/render": {"history", "internal/engine", "internal/escape", "internal/explain", "internal/inorder",
		"internal/model", "internal/picture", "internal/result", "internal/specs", "internal/words", "quasi"},
	"internal/result": {"history", "internal/engine", "internal/explain", "internal/model",
		"internal/proof", "internal/stale", "internal/verify", "quasi"},
	"internal/rows":     {"history", "internal/engine", "internal/escape", "internal/render"},
	"internal/schedule": {},
	"internal/search": {"history", "internal/collections", "internal/engine", "internal/inorder", "internal/layout",
		"internal/model", "internal/pending", "internal/proof", "internal/spare", "internal/transition",
		"internal/wgl"},
	"internal/shrink":  {},
	"internal/similar": {},
	"internal/smt": {"history", "internal/engine", "internal/model", "internal/solver/process",
		"quasi", "solver"},
	"internal/solver/cdcl":       {"internal/inorder", "internal/proof"},
	"internal/solver/clauses":    {"solver"},
	"internal/solver/gini":       {"internal/deadline", "internal/solver/clauses", "solver"},
	"internal/solver/process":    {"internal/deadline", "internal/solver/clauses", "solver"},
	"internal/solver/solvertest": {"internal/solver/clauses", "internal/testenv", "solver"},
	"internal/solver/z3":         {"internal/deadline", "solver"},
	"internal/spare":             {},
	"internal/specs":             {"history", "internal/inorder", "internal/model", "internal/spare", "internal/wide"},
	"internal/stale":             {"history", "internal/model", "internal/proof", "internal/specs"},
	"internal/stale/check": {"history", "internal/model", "internal/solver/cdcl", "internal/stale",
		"internal/stale/solve", "internal/stale/verify", "internal/verify/base"},
	"internal/stale/solve": {"history", "internal/inorder", "internal/model", "internal/stale"},
	"internal/stale/verify": {"history", "internal/model", "internal/stale", "internal/verify/base",
		"internal/verify/clausal"},
	"internal/stale/words": {"internal/model", "internal/stale", "internal/words"},
	"internal/starspec":    {"history", "internal/escape", "internal/foreign", "internal/model", "spec"},
	"internal/subhistory":  {"history", "internal/engine", "internal/inorder", "internal/proof", "internal/result"},
	"internal/tablespec":   {"history", "internal/model", "internal/similar", "spec"},
	"internal/testenv":     {},
	"internal/testkit": {"history", "internal/engine", "internal/gen/randomspec", "internal/model",
		"internal/oracle", "internal/specs"},
	"internal/transition": {"history", "internal/model"},
	"internal/verify": {"history", "internal/deadline", "internal/engine", "internal/guest",
		"internal/model", "internal/proof", "internal/quasi/displacement", "internal/quasi/verify", "internal/quasi/widening",
		"internal/specs", "internal/verify/base", "internal/verify/clausal", "internal/wide", "quasi"},
	"internal/txn": {"history", "internal/engine", "internal/inorder", "internal/layout", "internal/model",
		"internal/proof", "internal/solver/cdcl", "solver"},
	"internal/wasmspec": {"history", "internal/cbor", "internal/escape", "internal/foreign",
		"internal/model", "internal/wasmspec/wire", "spec"},
	"internal/wasmspec/wire": {},
	"internal/wgl": {"history", "internal/dual", "internal/engine", "internal/inorder", "internal/layout", "internal/model",
		"internal/proof", "internal/spare", "internal/transition"},
	"internal/wide": {},
	"linsattest": {"", "explore", "history", "internal/engine", "internal/escape", "internal/model", "explore/lineup",
		"spec/meta", "explore/localize", "explore/mem", "internal/result", "internal/schedule", "internal/shimrun",
		"internal/shrink", "internal/subhistory", "report", "spec"},
	"explore/shim":               {"explore/shim/internal/core", "internal/schedule"},
	"explore/shim/atomic":        {"explore/shim/internal/core", "internal/schedule"},
	"explore/shim/context":       {"explore/shim", "explore/shim/internal/core", "explore/shim/sync"},
	"explore/shim/internal/core": {"internal/schedule"},
	"explore/shim/internal/abi":  {},
	"explore/shim/sync":          {"explore/shim/atomic", "explore/shim/internal/core", "internal/schedule"},
	"internal/rewrite":           {"internal/shimrun/order"},
	"internal/shimrun/order":     {},
	"internal/shimrun":           {"explore", "internal/schedule"},
	"report": {"", "history", "internal/memory", "internal/picture", "internal/render",
		"internal/result", "internal/words"},
	"quasi": {"internal/model", "internal/quasi/displacement",
		"internal/quasi/sets", "spec/meta"},
	"scripts/types": {},
	"solver":        {},
	"solver/smt":    {"internal/engine", "internal/portfolio", "internal/smt"},
	"spec": {"history", "internal/deep", "internal/guest", "internal/model",
		"internal/specs", "spec/meta"},
	"spec/meta":                {},
	"verdict":                  {},
	"spec/spectest":            {"history", "internal/model", "internal/oracle", "spec"},
	"internal/words/wordstest": {"", "history", "internal/result", "internal/specs", "internal/words", "quasi"},
	"internal/words": {"history", "internal/claim", "internal/engine", "internal/escape", "internal/explain",
		"internal/inorder", "internal/model", "internal/proof", "internal/quasi/displacement",
		"internal/quasi/explain", "internal/result", "internal/specs", "internal/verify", "internal/verify/base",
		"internal/wide", "quasi"},
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

// TestLibraryReadsNoFormatsOfOthers: who imports the library compiles linsat's own formats alone,
// and nothing that decompresses.
func TestLibraryReadsNoFormatsOfOthers(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	reached := strings.Fields(string(out))
	assert.Contains(t, reached, module+"/history")
	for _, path := range reached {
		in, ours := strings.CutPrefix(path, module+"/history/")
		assert.False(t, ours && in != "internal/lex" && in != "internal/radix", "the library reaches %s", path)
		assert.NotContains(t, path, "klauspost")
		assert.NotContains(t, path, "encoding/edn")
	}
}

// TestVerifierReachesNoEngine looks at everything that the verifier reaches.
func TestVerifierReachesNoEngine(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./internal/verify", "./internal/isolation/verify",
		"./internal/stale/verify").Output()
	require.NoError(t, err)
	reached := strings.Fields(string(out))
	assert.Contains(t, reached, module+"/internal/specs")
	for _, path := range reached {
		for _, engine := range []string{"internal/monitor", "internal/quasi/monitor", "internal/quasi/sat",
			"internal/quasi/search", "internal/quasi/setsearch", "encode", "internal/cnf", "solver", "internal/solver",
			"internal/explain", "internal/quasi/explain", "internal/search", "internal/wgl", "internal/pending",
			"internal/collections", "internal/dual", "internal/stale/solve"} {
			assert.False(t, path == module+"/"+engine || strings.HasPrefix(path, module+"/"+engine+"/"),
				"the verifier reaches %s", path)
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
