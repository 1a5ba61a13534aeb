package main

import (
	"fmt"
	"slices"
	"strings"
)

// appends is a log that is read as a whole. Faults: an entry is lost, or two change places.
type appends struct {
	s       *simulation
	entries []string
	next    int
	fault   string
}

func (o *appends) call(int) (f, value string) {
	if o.s.r.IntN(200) == 0 {
		return "read", "nil"
	}
	o.next++
	return "append", fmt.Sprint(o.next - 1)
}

func (o *appends) apply(_ int, f, value string) (string, bool) {
	if f == "append" {
		o.entries = append(o.entries, value)
		return value, true
	}
	if !o.s.hidden && o.fault != "" && len(o.entries) > 100 {
		switch o.fault {
		case "lost":
			o.entries = slices.Delete(o.entries, 10, 30)
		case "reordered":
			o.entries[10], o.entries[70] = o.entries[70], o.entries[10]
		}
		o.fault = ""
	}
	return "[" + strings.Join(o.entries, " ") + "]", true
}

func (o *appends) last() []string      { return []string{"read", "read"} }
func (o *appends) broken(fault string) { o.fault = fault }
