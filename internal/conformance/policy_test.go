package conformance

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// notTuned lists, by file, the numeric constants outside policy.go that trade nothing: changing one
// would change a format, a drawing or what a number stands for.
var notTuned = map[string]string{
	// what users see
	"internal/cli/exits.go":              "Disagrees",
	"fleet/cmd/linsat-fleet/main.go":     "exitDisagrees",
	"fleet/server.go":                    "tokenBytes",
	"internal/isolation/solve/choose.go": "asChosen",
	"history/transactions/cobra.go":      "cobraInitial cobraNone cobraAny",
	"cmd/linsat/isolate.go":              "tooMuch",
	"explore/localize/tree.go":           "rowHeight treeWidth pathX aside radius small",
	"internal/relaxed/page/page.go":      "columnWidth rowHeight boxWidth boxHeight margin headHeight mostLabel",
	"internal/bench/charts.go":           "chartWidth chartHeight chartLeft chartRight chartTop chartBottom",
	"internal/render/svg.go":             "svgChar svgUnit svgLane svgBar svgTop svgNote svgMargin",
	"internal/solver/process/dimacs.go":  "exitSatisfiable exitUnsatisfiable",
	"history/jepsen/jepsenfile.go":       "jepsenHead blockHead blockStream blockVector",
	// formats of others
	"internal/cbor/cbor.go": "negative bytesOf textOf listOf mapOf simple isFalse isTrue isNull " +
		"isUndefined",
	"wasm/internal/assembly/assembly.go": "I32 I64 F32 F64",
	"wasm/internal/meter/instruction.go": "opIf opEnd opBr opReturn opSelect opLocalGet opLocalTee opGlobalGet " +
		"opGlobalSet opMemoryGrow opI32Const opI64Const " +
		"opF32Const opF64Const opI32Eq opI32LtS opI64LtS opF32Eq opF64Eq opI32Add opI32Sub opI64Sub opI64ShrU " +
		"opI64ExtendI32 " +
		"opPrefix opVector typeI32 typeI64 typeF32 typeF64 typeFuncref typeExternref typeFunc typeEmpty",
	// as many as a word has bits, or a number can hold
	"internal/schedule/strategy.go":      "MaxThreads",
	"internal/relaxed/graph/clock.go":    "MaxThreads MaxEvents",
	"internal/relaxed/cdsspec/opo.go":    "maxNodes",
	"internal/collections/lanes.go":      "maxLane",
	"internal/solver/gini/gini.go":       "MaxVars maxWords",
	"internal/solver/process/process.go": "MaxVars",
	"internal/solver/z3/z3_on.go":        "MaxVars",
	"internal/specs/bank.go":             "maxMoney noMost",
	"internal/specs/lock.go":             "maxHolders",
	"encode/deque_ends.go":               "bothEnds",
	"internal/specs/relax.go":            "maxSemantics",
	"internal/verify/dual_bound.go":      "maxPrice unpayable",
	"internal/dual/multipliers.go":       "unit Far",
	// beyond every number that occurs
	"encode/stack_heights.go":          "unasked",
	"internal/cnf/unary.go":            "Boundless",
	"internal/dual/space.go":           "unreachable",
	"internal/monitor/mintree.go":      "removed",
	"internal/monitor/stabbing.go":     "isFree",
	"internal/quasi/monitor/layers.go": "never drains",
	// multipliers of hashes, digits of a radix sort
	"internal/specs/windows.go":        "windowBase",
	"explore/shim/internal/abi/abi.go": "spread PtrSize",
	"internal/quasi/window/collect.go": "bits",
}

// mostTuned is how many constants the policy files have: it goes down, not up.
const mostTuned = 690

// TestTuningStandsInPolicyFiles looks at every numeric constant of the library and the command:
// what is tuned stands in its package's policy.go, where a comment says what it trades. Numbers
// below four are not looked at, since most of them are codes.
func TestTuningStandsInPolicyFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	policies, tuned, met := 0, 0, map[string]bool{}
	for _, file := range sources(t, root, ".go") {
		if strings.HasSuffix(file, "_test.go") || isTool(file) || strings.HasPrefix(path.Base(file), "fressian") {
			continue
		}
		policy := path.Base(file) == "policy.go"
		if policy {
			policies++
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.CONST {
				for _, s := range d.Specs {
					s := s.(*ast.ValueSpec)
					for k, name := range s.Names {
						switch tunes := k < len(s.Values) && tunes(s.Values[k]); {
						case tunes && policy:
							tuned++
						case tunes:
							met[file+" "+name.Name] = true
							assert.Contains(t, strings.Fields(notTuned[file]), name.Name,
								"%s: %s belongs into policy.go, or into notTuned if it trades nothing", file, name.Name)
						}
					}
				}
			}
			return true
		})
	}
	assert.Greater(t, policies, 30)
	t.Log(tuned, "constants are tuned")
	assert.LessOrEqual(t, tuned, mostTuned)
	for file, names := range notTuned {
		for _, name := range strings.Fields(names) {
			assert.True(t, met[file+" "+name], "%s has no constant %s", file, name)
		}
	}
}

// isTool reports whether a file belongs to programs that measure, record, test or reproduce, and
// not to the library or the command.
func isTool(file string) bool {
	for _, dir := range []string{"bench/", "examples/", "internal/gen/", "internal/testenv/",
		"internal/solver/solvertest/", "papers/"} {
		if strings.HasPrefix(file, dir) {
			return true
		}
	}
	return false
}

// tunes reports whether the value of a constant is a number of four or more, a duration, or
// computed with a number from something that is not written out.
func tunes(e ast.Expr) bool {
	if s, ok := e.(*ast.SelectorExpr); ok {
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == "time"
	}
	v, literal := value(e)
	return literal && (v.Kind() == constant.Unknown || constant.Compare(v, token.GEQ, constant.MakeInt64(4)))
}

// value computes a constant expression as far as it is written out; literal reports whether there
// is a numeric literal in it.
func value(e ast.Expr) (v constant.Value, literal bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT || e.Kind == token.FLOAT {
			return constant.MakeFromLiteral(e.Value, e.Kind, 0), true
		}
	case *ast.ParenExpr:
		return value(e.X)
	case *ast.UnaryExpr:
		if x, literal := value(e.X); literal && x.Kind() != constant.Unknown {
			return constant.UnaryOp(e.Op, x, 0), true
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return value(e.Args[0])
		}
	case *ast.BinaryExpr:
		x, first := value(e.X)
		y, second := value(e.Y)
		if mentionsIota(e) || !first && !second {
			break
		}
		if x.Kind() == constant.Unknown || y.Kind() == constant.Unknown {
			return constant.MakeUnknown(), true
		}
		if e.Op == token.SHL || e.Op == token.SHR {
			by, _ := constant.Uint64Val(y)
			return constant.Shift(x, e.Op, uint(by)), true
		}
		return constant.BinaryOp(x, e.Op, y), true
	}
	return constant.MakeUnknown(), false
}

// mentionsIota reports whether e numbers the constants of a list.
func mentionsIota(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.Ident)
		found = found || ok && x.Name == "iota"
		return true
	})
	return found
}
