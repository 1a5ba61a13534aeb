package verify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/proof"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusal is the form of every refusal of a proof: rule, what it is about, and why.
var refusal = regexp.MustCompile(`^rule \S.*: .`)

// aboutSomething is what a refusal names: what is concerned, or a number.
var aboutSomething = regexp.MustCompile(
	`operations? \S|value \d|step "|step \d|lemma \d|element \d|partition "|positions? -?\d|\d`)

// refusals collects refusals by kind of proof, and checks their form.
type refusals map[proof.Kind]int

func (r refusals) add(t *testing.T, kind proof.Kind, err error) {
	assert.Regexp(t, refusal, err.Error())
	about := aboutSomething.MatchString(err.Error())
	for _, why := range wholeQuestion {
		about = about || strings.HasSuffix(err.Error(), ": "+why)
	}
	assert.True(t, about, "%v names nothing", err)
	r[kind]++
}

// wholeQuestion are the refusals that name nothing but the rule: that the partition or the question
// is of another sort than what the kind of proof is about.
var wholeQuestion = []string{
	"the partition is not a queue, stack or priority queue", "no value is named", "the collection is not a stack",
	"the partition is not a set that only grows", "the partition is not a lock with owners",
	"the partition is not a log",
	"the partition is not one queue without explicit order",
	"the partition is not one stack without explicit order",
	"the partition is not one FIFO queue without explicit order",
	"the specification has no axioms for this partition", "the meaning is not slots without causality", "it is unknown",
	"it has no steps", "no prices", "no proof is given", "the verdict is not linearizable, and no proof is given",
	"a pairing under a factor forgets nothing, and this one has a weakening",
	"start: that of values that only grow cannot be forgotten",
	"from, start: the past and the start of a collection cannot be forgotten",
	"forgotten.all: operations are left out of what is no collection",
	"from, start, order, view: this kind of proof forgets neither the past nor the start nor single facts of order",
	"cut, from, start, order: under a quasi factor only results and responses can be forgotten",
	"the specification refuses what is left: %w", "states: %w", "states and kinds: %w",
}

// Every place in the verifier that refuses a proof says what it is about: operations, values,
// steps, or a number; those that do not are listed above, and each of these is there.
func TestEveryRefusalNamesWhatItIsAbout(t *testing.T) {
	sites, listed := 0, map[string]bool{}
	for _, folder := range []string{".", "base", "clausal", "../quasi/verify", "../isolation/verify", "../consistency/verify",
		"../stale/verify"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			input := slices.Contains([]string{"verify.go", "certificate_json.go", "question.go", "fault.go"},
				filepath.Base(file))
			if strings.HasSuffix(file, "_test.go") || input { // what is malformed has no rule yet
				continue
			}
			set := token.NewFileSet()
			tree, err := parser.ParseFile(set, file, nil, 0)
			require.NoError(t, err)
			for _, d := range tree.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				ast.Inspect(f, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					name, args := called(call), call.Args
					if name == "Faultf" {
						if text, literal := args[0].(*ast.BasicLit); !literal || text.Value != `""` {
							sites++
							return true
						}
						args = args[1:]
					} else if name != "New" && name != "Errorf" {
						return true
					}
					sites++
					why := literalText(t, args[0])
					if slices.Contains(wholeQuestion, why) {
						listed[why] = true
						return true
					}
					assert.Regexp(t, `%[dvsq]`, why, "%s names nothing", set.Position(call.Pos()))
					return true
				})
			}
		}
	}
	t.Log(sites, "places")
	assert.Greater(t, sites, 200)
	assert.Len(t, listed, len(wholeQuestion))
}

// literalText is the text of a literal, or of a sum of literals.
func literalText(t *testing.T, of ast.Expr) string {
	t.Helper()
	if sum, ok := of.(*ast.BinaryExpr); ok {
		return literalText(t, sum.X) + literalText(t, sum.Y)
	}
	literal, ok := of.(*ast.BasicLit)
	require.True(t, ok, "%T", of)
	text, err := strconv.Unquote(literal.Value)
	require.NoError(t, err)
	return text
}

// called is the name of the function that is called if it makes an error, else "".
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name == "Faultf" {
			return f.Name
		}
	case *ast.SelectorExpr:
		of, ok := f.X.(*ast.Ident)
		if ok && (of.Name == "base" && f.Sel.Name == "Faultf" || of.Name == "errors" && f.Sel.Name == "New" ||
			of.Name == "fmt" && f.Sel.Name == "Errorf") {
			return f.Sel.Name
		}
	}
	return ""
}
