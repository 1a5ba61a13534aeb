package localize

import "github.com/linsat/linsat/explore"

// SourceLine is the line of source of an access, as reports show it.
func SourceLine(e *explore.Event) string {
	var s sources
	return s.line(e)
}
