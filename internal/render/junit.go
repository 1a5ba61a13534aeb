package render

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/linsat/linsat/internal/escape"
)

// junit writes the XML of JUnit, which CI systems show as tests: a file is a test case. A violation
// is a failure; what has no verdict is an error, so that it is not taken for success; a history
// with nothing to check was skipped.
type junit struct {
	w                       io.Writer
	cases                   strings.Builder
	tests, failures, errors int
	skipped                 int
	seconds                 float64
}

func (j *junit) Add(o *Object) error {
	j.tests++
	j.seconds += o.Seconds
	class := o.Spec
	if class == "" {
		class = "linsat"
	}
	fmt.Fprintf(&j.cases, "    <testcase classname=%s name=%s time=\"%.6f\"", attribute(class),
		attribute(o.File), o.Seconds)
	f := o.finding()
	element := "error"
	switch {
	case f.rule == ruleViolation:
		j.failures++
		element = "failure"
	case f.rule != "":
		j.errors++
	case o.Vacuous:
		j.skipped++
		fmt.Fprintf(&j.cases, ">\n      <skipped message=%s/>\n    </testcase>\n",
			attribute(o.Answer+": no operation returned"))
		return nil
	default:
		j.cases.WriteString("/>\n")
		return nil
	}
	fmt.Fprintf(&j.cases, ">\n      <%s type=%s message=%s>", element, attribute(f.rule), attribute(f.headline))
	for k, line := range f.body {
		if k > 0 {
			j.cases.WriteByte('\n')
		}
		j.cases.WriteString(html.EscapeString(escape.Text(line)))
	}
	fmt.Fprintf(&j.cases, "</%s>\n    </testcase>\n", element)
	return nil
}

// attribute quotes the value of an attribute. XML has no way to write most control characters.
func attribute(text string) string { return `"` + html.EscapeString(escape.Text(text)) + `"` }

func (j *junit) Close() error {
	counts := fmt.Sprintf(`tests="%d" failures="%d" errors="%d" skipped="%d" time="%.6f"`, j.tests, j.failures,
		j.errors, j.skipped, j.seconds)
	_, err := fmt.Fprintf(j.w,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"linsat\" %s>\n  <testsuite name=\"linsat\" "+
			"%s>\n%s  </testsuite>\n</testsuites>\n",
		counts, counts, j.cases.String())
	return err
}
