package starspec

import (
	"fmt"
	"regexp"
	"strings"

	"go.starlark.net/syntax"
)

// What people write who know Python, and Starlark does not have: what to write instead, found by
// the word where the parser stopped, by the name that it does not know, or by the line.

// pythonWords are by the word that the parser got.
var pythonWords = map[string]string{
	"import":         "there are no modules: len, sorted, min, max, range and the like are built in",
	"from":           "there are no modules: len, sorted, min, max, range and the like are built in",
	"class":          "there are no classes: a state is made of numbers, strings, lists, dicts and struct(name = value)",
	"try":            "there are no exceptions: look with if before",
	"except":         "there are no exceptions: look with if before",
	"finally":        "there are no exceptions: look with if before",
	"raise":          "there are no exceptions: return [] where an operation cannot take effect",
	"assert":         "there is no assert: return [] where an operation cannot take effect",
	"with":           "there are no files",
	"is":             "compare with ==",
	"del":            "make a new dict without the key: a state is never changed",
	"yield":          "there are no generators: return a list",
	"global":         "global values are not changed: return the new state",
	"nonlocal":       "outer values are not changed: return the new state",
	"async":          "there are no threads",
	"await":          "there are no threads",
	"string literal": "there are no f-strings: \"%s and %s\" % (a, b)",
}

// pythonNames are by the name that is not defined.
var pythonNames = map[string]string{
	"isinstance": "write type(x) == \"int\"",
	"sum":        "add in a loop",
	"map":        "write [f(x) for x in list]",
	"filter":     "write [x for x in list if f(x)]",
	"frozenset":  "write set(list)",
	"round":      "there are no floats in histories and states: divide with //",
	"pow":        "multiply in a loop",
	"divmod":     "write x // y and x % y",
	"open":       "there are no files",
	"input":      "there are no files",
	"super":      "there are no classes: a state is made of numbers, strings, lists, dicts and struct(name = value)",
	"object":     "there are no classes: a state is made of numbers, strings, lists, dicts and struct(name = value)",
	"Exception":  "there are no exceptions: return [] where an operation cannot take effect",
	"null":       "write None",
	"true":       "write True",
	"false":      "write False",
}

// pythonLines are by an expression that the line matches, in this order.
var pythonLines = []struct{ line, instead string }{
	{`^\s*(assert|await)\b`, "there is no assert: return [] where an operation cannot take effect"},
	{`^\s*(match|case)\b.*:\s*$`, "there is no match: write if, elif and else"},
	{`^\s*@`, "there are no decorators"},
	{`:=`, "assign on a line of its own"},
	{`\belse\s+if\b`, "write elif"},
	{`^\s*def\b.*(->|\(.*\w\s*:\s*\w)`, "there are no types: def step(state, op)"},
	{`^\s*\w+\s*:\s*[\w\[\], ]+(=|$)`, "there are no types: x = 0"},
	{`[{,]\s*\*\*`, "write state | {key: value}"},
	{`\*\*`, "multiply in a loop"},
	{`[\[(,]\s*\*\w|^\s*\w+\s*,\s*\*`, "lists are added: [x] + list; the rest of one is list[1:]"},
	{`\+\+|--`, "write n += 1"},
	{`\{[^:{}]*\bfor\b|\{[^:{}]+\}`, "a set is set([a, b])"},
	{`^\s*else\s*:`, "for and while have no else"},
	{`[<>]=?[^<>]+[<>]`, "write a < b and b < c"},
	{`^\s*\.\.\.`, "write pass"},
}

// pythonFaults are by what the interpreter says when a function of the file fails.
var pythonFaults = []struct{ said, instead string }{
	{"frozen",
		"a state is never changed: return state | {key: value} or state + [value], or change dict(state) or list(state)"},
	{"called recursively", "write a loop"},
	{"string value is not iterable", "go through s.elems()"},
	{"has no .format ", "write \"%s and %s\" % (a, b)"},
}

// inPython adds to an error of the parser or the resolver what to write instead of what Python has.
func inPython(msg, line string) string {
	const but = "; Starlark is not all of Python: "
	got, _, _ := strings.Cut(strings.TrimPrefix(msg, "got "), ", want")
	if instead, ok := pythonWords[got]; ok {
		return msg + but + instead
	}
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		if instead, ok := pythonNames[name]; ok {
			return msg + but + instead
		}
		return msg
	}
	for _, p := range pythonLines {
		if regexp.MustCompile(p.line).MatchString(line) {
			return msg + but + p.instead
		}
	}
	return msg
}

// failedAsPython adds to what the interpreter says what to write instead.
func failedAsPython(msg string) string {
	for _, f := range pythonFaults {
		if strings.Contains(msg, f.said) {
			return msg + "; Starlark is not all of Python: " + f.instead
		}
	}
	return msg
}

// typeTexts are what type returns for the values of types of Python.
var typeTexts = map[string]string{"int": "int", "str": "string", "list": "list", "dict": "dict", "bool": "bool",
	"tuple": "tuple", "set": "set"}

// comparedTypes refuses type(x) == int, which never holds: type returns a text.
func (p *program) comparedTypes() (err error) {
	syntax.Walk(p.tree, func(n syntax.Node) bool {
		b, ok := n.(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.EQL && b.Op != syntax.NEQ || err != nil {
			return true
		}
		call, ok := b.X.(*syntax.CallExpr)
		name, named := b.Y.(*syntax.Ident)
		if !ok || !named || typeTexts[name.Name] == "" {
			return true
		}
		if f, ok := call.Fn.(*syntax.Ident); ok && f.Name == "type" {
			err = fmt.Errorf("%s: type returns a text: write type(x) %s %q", b.OpPos, b.Op, typeTexts[name.Name])
		}
		return true
	})
	return err
}
