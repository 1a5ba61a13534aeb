//go:build wasip1 || js

package main

import (
	"io"

	"github.com/linsat/linsat/internal/engine"
)

// watch shows nothing where there are no terminals.
type watch struct{ engine.Progress }

func (*solver) watch(string, bool) *watch { return nil }

func (*watch) bytes(int64) {}

func (*watch) stop() {}

func watchTests(io.Writer, string) (over func(io.Writer) io.Writer, stop func()) {
	return func(w io.Writer) io.Writer { return w }, func() {}
}
