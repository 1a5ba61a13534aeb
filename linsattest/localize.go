package linsattest

import (
	"context"
	"fmt"
	"io"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/internal/shimrun"
)

// localize writes which accesses of the program that fails decide, and what to make atomic. It runs
// every interleaving of that program, without a reduction.
func (x *exploration) localize(w io.Writer, r *explore.Report) error {
	for _, calls := range callsOf(r.Violation.Execution) {
		var thread []explore.Call
		for _, c := range calls {
			thread = append(thread, c.call)
		}
		r.Case.Threads = append(r.Case.Threads, thread)
	}
	for {
		x.shims.Start()
		s, _, err := x.specification(x.asked)
		if err != nil {
			return err
		}
		found, err := localize.Find(context.Background(), r.Case, s, localize.Options{MaxTime: x.asked.For,
			MaxSteps: x.asked.Steps, Deadlocks: r.Violation.What == "stuck", Repair: true})
		shimrun.End()
		switch {
		case x.shims.Lacking():
			continue
		case err != nil:
			return err
		}
		fmt.Fprintln(w)
		return found.Text(w)
	}
}
