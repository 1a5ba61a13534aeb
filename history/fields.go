package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
)

// Unknown fields of an input. A reader ignores them, but a misspelled field would change the
// meaning of the history. So each unknown name gives one warning, with the known name that it most
// resembles.

// strangeField is the name of a field, and the line that it stands in.
type strangeField struct {
	name string
	line int
}

// unknownField warns about a field that is ignored, and suggests the known one that it most
// resembles.
func (b *Builder) unknownField(of, name string, known []string, line int) {
	if b.told[of+"\x00"+name] || len(b.told) > maxWarnings {
		return
	}
	b.told[of+"\x00"+name] = true
	hint := "its fields are " + strings.Join(known, ", ") + " (docs/formats.md)"
	switch near := lex.Nearest(name, known); {
	case near == "result" && slices.Contains([]string{"value", "val", "v"}, strings.ToLower(name)):
		hint = `did you mean "result", or for what is put in "arg"? ` + hint
	case near != "":
		hint = fmt.Sprintf("did you mean %q? ", near) + hint
	}
	b.Warn(line, fmt.Sprintf("%s has an unknown field %q, which is ignored", of, lex.Abbreviate(name)), hint)
}
