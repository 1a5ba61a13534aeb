package main

import (
	"context"
	"fmt"
	"os"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
)

// sayWhatIsRead tells a person at a terminal that a history is expected from there.
func (s *solver) sayWhatIsRead() {
	if f, ok := s.in.(*os.File); ok && isTerminal(f) {
		fmt.Fprintf(s.notes, "linsat: reading a history from this terminal; %s ends it (or name a file)\n", endOfFile)
	}
}

// watched is a context whose checks of a file are shown on a terminal, until the function is
// called.
func (s *solver) watched(ctx context.Context, file string) (context.Context, func()) {
	seen := s.watch(file, false)
	if seen == nil {
		return ctx, func() {}
	}
	return engine.WithProgress(ctx, &seen.Progress), seen.stop
}

// read reads a history and prints the warnings about it.
func (s *solver) read(file string) (*history.History, error) {
	o := history.ReadOptions{Format: s.inputFormat, MemoryLimit: int64(s.memory), Strict: s.strict, NilReads: s.nilReads, Keyed: s.keyed}
	seen := s.watch(file, true)
	if seen != nil {
		o.Progress = seen.bytes
	}
	var h *history.History
	var err error
	if file == "-" {
		o.Name = "-"
		s.sayWhatIsRead()
		h, err = history.Read(s.in, o)
	} else {
		h, err = history.ReadFile(file, o)
	}
	seen.stop()
	if err != nil {
		return nil, err
	}
	for _, w := range h.Warnings {
		escape.Fprintf(s.notes, "linsat: warning: %s\n", oneLine(w.Error()))
		if w.Hint != "" {
			escape.Fprintf(s.notes, "hint: %s\n", oneLine(w.Hint))
		}
	}
	return h, nil
}
