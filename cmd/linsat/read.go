package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/linsat/linsat/history"
	_ "github.com/linsat/linsat/history/formats"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/memory"
	"github.com/linsat/linsat/internal/tablespec"
	"github.com/spf13/cobra"
)

// sayWhatIsRead tells a person at a terminal that a history is expected from there.
func (s *solver) sayWhatIsRead() {
	if f, ok := s.in.(*os.File); ok && cli.IsTerminal(f) {
		fmt.Fprintf(s.notes, "linsat: reading a history from this terminal; %s ends it (or name a file)\n",
			cli.EndOfFile)
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

// bounded returns a context that ends when the process comes near the limit of --memory.
func (s *solver) bounded(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	release := memory.Enforce(ctx, int64(s.memory), func() { cancel(engine.ErrMemory) })
	return ctx, func() {
		release()
		cancel(nil)
	}
}

// read reads a history and prints the warnings about it.
func (s *solver) read(file string) (*history.History, error) {
	o := history.ReadOptions{Format: s.inputFormat, MemoryLimit: int64(s.memory), Strict: s.strict,
		NilReads: s.nilReads, Keyed: s.keyed, Order: s.order, Columns: s.columns, Uncertainty: s.uncertainty}
	seen := s.watch(file, true)
	if seen != nil {
		o.Progress = seen.bytes
	}
	var h *history.History
	var err error
	switch {
	case s.merged != nil:
		o.Name = file
		h, err = history.ReadMerged(s.merged, o)
	case file == "-":
		o.Name = "-"
		s.sayWhatIsRead()
		h, err = history.Read(s.in, o)
	default:
		h, err = history.ReadFile(file, o)
	}
	seen.stop()
	if err != nil {
		return nil, unread(file, err)
	}
	if s.absent != "" {
		s.readAbsent(h)
	}
	for _, w := range h.Warnings {
		escape.Fprintf(s.notes, "linsat: warning: %s\n", cli.OneLine(w.Error()))
		if w.Hint != "" {
			escape.Fprintf(s.notes, "hint: %s\n", cli.OneLine(w.Hint))
		}
	}
	return h, nil
}

// unread is the error about a file that is not read as a history. It says so if it is a
// specification.
func unread(file string, cause error) error {
	if !isFile(file) {
		return cause
	}
	switch filepath.Ext(file) {
	case ".star", ".wasm":
	case ".json":
		if _, err := tablespec.Load(file); err != nil {
			return cause
		}
	default:
		return cause
	}
	return cli.Hint(fmt.Errorf("%s is a specification, not a history", file),
		"name the history that is to be checked against it: --spec "+file+" HISTORY")
}

// readAbsent reads the results that --absent names as null.
func (s *solver) readAbsent(h *history.History) {
	met := false
	for i := range h.Ops {
		o := &h.Ops[i]
		text, isString := h.Values.AsString(o.Result)
		if !o.Unknown && !o.NoResult && (isString && text == s.absent || !isString && o.Result != history.Nil &&
			h.Values.Format(o.Result) == s.absent) {
			o.Result, met = history.Nil, true
		}
	}
	if !met {
		escape.Fprintf(s.notes, "linsat: warning: %s: no operation returned %q, which --absent names\n",
			h.Source, s.absent)
	}
}

// mergeFlag adds the flag for a history in several files.
func (s *solver) mergeFlag(c *cobra.Command) {
	c.Flags().BoolVar(&s.merge, "merge", false,
		"the files are parts of one history, for instance one of each thread, with times of one clock")
}

// together makes one of several files, under --merge, and names it.
func (s *solver) together(files []string) []string {
	if !s.merge || len(files) < 2 {
		return files
	}
	s.merged = files
	return []string{fmt.Sprintf("%s and %d more", files[0], len(files)-1)}
}
