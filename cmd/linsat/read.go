package main

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
)

// read reads a history and prints the warnings about it.
func (s *solver) read(file string) (*history.History, error) {
	o := history.ReadOptions{Format: s.inputFormat, MemoryLimit: int64(s.memory), Strict: s.strict, NilReads: s.nilReads, Keyed: s.keyed}
	var h *history.History
	var err error
	if file == "-" {
		o.Name = "-"
		h, err = history.Read(s.in, o)
	} else {
		h, err = history.ReadFile(file, o)
	}
	if err != nil {
		return nil, err
	}
	for _, w := range h.Warnings {
		escape.Fprintf(s.err, "linsat: warning: %s\n", oneLine(w.Error()))
		if w.Hint != "" {
			escape.Fprintf(s.err, "hint: %s\n", oneLine(w.Hint))
		}
	}
	return h, nil
}
