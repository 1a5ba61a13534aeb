package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/linsat/linsat/internal/escape"
)

// github writes workflow commands of GitHub Actions: an annotation for each file that is not simply
// linearizable, and a plain line for the others.
type github struct{ w io.Writer }

func (g github) Add(o *Object) error {
	f := o.finding()
	if f.rule == "" {
		// an ordinary line of the log: it must not begin like a command
		_, err := fmt.Fprintf(g.w, "linsat: %s: %s\n", escape.Text(o.File), escape.Text(o.Answer))
		return err
	}
	command := "error"
	if f.rule == ruleUndecided {
		command = "warning"
	}
	var b strings.Builder
	b.WriteString("::" + command + " ")
	if o.File != "-" {
		b.WriteString("file=" + property(o.File) + ",")
	}
	if f.line > 0 {
		fmt.Fprintf(&b, "line=%d,", f.line)
	}
	b.WriteString("title=linsat::")
	for k, line := range append([]string{f.headline}, f.body...) {
		if k > 0 {
			b.WriteString("%0A")
		}
		b.WriteString(message(line))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(g.w, b.String())
	return err
}

func (g github) Close() error { return nil }

// message and property escape as the toolkit of GitHub Actions does.
func message(text string) string { return strings.ReplaceAll(escape.Text(text), "%", "%25") }

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(text))
}
