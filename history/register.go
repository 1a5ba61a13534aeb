package history

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Format is an input format, for RegisterFormat.
type Format struct {
	Name string // as in ReadOptions.Format
	// Begins reports whether an input is of this format, by its first bytes. It is asked about what
	// begins like none of the formats of this module; nil for a format that is always named.
	Begins func(head []byte) bool
	Read   func(r *Reading) error
	// Merged, unless it is nil, completes a history that was put together from files of this format
	// (ReadMerged).
	Merged func(r *Reading, files []string) error
}

// shippedFormat is a format of this module.
type shippedFormat struct{ name, registers string }

// shipped are the formats of this module, and which of its packages registers each; "" for this
// one. They are recognised here whether they are registered or not, so that an error can say what
// to import.
var shipped = []shippedFormat{
	{"json", ""}, {"jsonl", ""}, {"jepsen-json", "jepsen"}, {porcupineJSON, "logs"}, {otlpFormat, "logs"},
	{"edn", "jepsen"}, {"porcupine", "jepsen"}, {"jepsen", "jepsen"}, {"fressian", "jepsen"}, {"violin", "logs"},
	{"fastlin", "logs"}, {csvFormat, "logs"}, {"fptlin", "logs"}, {"lowe", "logs"}, {"dbcop", "transactions"},
	{cobraFormat, "transactions"}, {"plume", "transactions"}, {"awdit", "transactions"},
}

// Names of formats that more than their readers know.
const (
	porcupineJSON = "porcupine-json"
	otlpFormat    = "otlp"
	csvFormat     = "csv"
	cobraFormat   = "cobra"
)

var (
	registering sync.RWMutex
	registered  = []Format{
		// linsat's JSON: {"spec": "queue", "operations": [{"f": "enq", "arg": 1, "call": 0}]}
		{Name: "json", Read: func(r *Reading) error { return readJSON(r, "json") }},
		// the same as JSON Lines: a header, then one operation a line
		{Name: "jsonl", Read: func(r *Reading) error { return readJSON(r, "jsonl") }},
	}
)

// anyJSON determines while reading which of the two formats it is.
var anyJSON = Format{Name: "json", Read: func(r *Reading) error { return readJSON(r, "") }}

// RegisterFormat makes Read know a format, as packages of formats do when they are initialized. It
// panics if one of that name is registered.
func RegisterFormat(f Format) {
	registering.Lock()
	defer registering.Unlock()
	if isRegistered(f.Name) {
		panic("history: the format " + f.Name + " is registered twice")
	}
	registered = append(registered, f)
}

// Formats lists the names of the input formats that are registered.
func Formats() []string {
	registering.RLock()
	defer registering.RUnlock()
	var names []string
	for _, s := range shipped {
		if isRegistered(s.name) {
			names = append(names, s.name)
		}
	}
	for i := range registered {
		if name := registered[i].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func isRegistered(name string) bool {
	for i := range registered {
		if registered[i].Name == name {
			return true
		}
	}
	return false
}

// findFormat returns the input format with that name. The error lists all names, or says what
// registers it.
func findFormat(name string) (*Format, error) {
	registering.RLock()
	for i := range registered {
		if registered[i].Name == name {
			defer registering.RUnlock()
			return &registered[i], nil
		}
	}
	registering.RUnlock()
	for _, s := range shipped {
		if s.name == name {
			return nil, &Error{What: fmt.Sprintf("the format %s is not registered in this program", name),
				Hint: fmt.Sprintf("import _ %q, or %q for all formats", packagePath+s.registers, packagePath+"formats")}
		}
	}
	return nil, &Error{What: fmt.Sprintf("unknown input format %q", name), Hint: "the formats are " +
		strings.Join(Formats(), ", ")}
}

const packagePath = "github.com/linsat/linsat/history/"
