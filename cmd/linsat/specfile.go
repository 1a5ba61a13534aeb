package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/foreign"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/starspec"
	"github.com/linsat/linsat/internal/tablespec"
	"github.com/linsat/linsat/internal/wasmspec"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/spectest"
	"github.com/spf13/cobra"
)

// specFile reads the specification that --spec names by its file, once; false if it names none.
func (s *solver) specFile() (_ model.Spec, ok bool, err error) {
	if s.fromFile != nil {
		return s.fromFile, true, nil
	}
	switch filepath.Ext(s.spec) {
	case ".xml":
		o, err := lineup.ReadFile(s.spec)
		if err != nil {
			return nil, false, err
		}
		s.fromFile = model.Full(o.Spec())
	case ".star":
		f, err := within(s.timeout, notReady(s.timeout), func() (*starspec.File, error) {
			return starspec.Load(s.spec, s.err)
		})
		if err != nil {
			return nil, false, err
		}
		s.fromFile = model.Full(f.Spec)
	case ".wasm":
		f, err := within(s.timeout, notReady(s.timeout), func() (*wasmspec.File, error) {
			return wasmspec.Load(s.spec, s.err)
		})
		if err != nil {
			return nil, false, err
		}
		s.fromFile = model.Full(f.Spec)
	case ".json":
		f, err := tablespec.Load(s.spec)
		if err != nil {
			return nil, false, err
		}
		s.fromFile = model.Full(f.Spec)
	}
	return s.fromFile, s.fromFile != nil, nil
}

// notReady is the error about a file that is not loaded within the limit.
func notReady(limit time.Duration) error {
	return cli.Hint(fmt.Errorf("the specification was not ready within %v", limit),
		"a larger --timeout gives it more time; a file should take milliseconds")
}

// within returns what f returns, or an error once that takes longer than the limit; 0 is none. What
// still runs then ends with this program.
func within[T any](limit time.Duration, late error, f func() (T, error)) (T, error) {
	if limit <= 0 {
		return f()
	}
	type answer struct {
		value T
		err   error
	}
	ready := make(chan answer, 1)
	go func() {
		v, err := f()
		ready <- answer{v, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a := <-ready:
		return a.value, a.err
	case <-timer.C:
		var none T
		return none, late
	}
}

func specsCheckCommand() *cobra.Command {
	var runs int
	var timeout time.Duration
	c := &cobra.Command{
		Use:   "check FILE [HISTORY...]",
		Short: "test a specification against the laws that the engines rely on",
		Long: `Tests a specification in Starlark or WebAssembly, or a table in JSON: every step answers alike when it is asked again, key and footprint tell apart what is
independent, a result that is not known allows what any result allows, and small random histories get the verdict of the
definition by brute force. The calls to try are the file's samples (samples = [("put", 1), ("take",)]), and those of the
histories. Those of a table are its operations.

Exit code: 0 no law is broken, 1 one is, 2 bad usage or a bad file, 3 the time or the memory was not enough.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Hint(errors.New("specs check needs a file"), "`linsat specs check bank.star`")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			late := cli.Hint(fmt.Errorf("%s was not tested within %v", filepath.Base(args[0]), timeout),
				"a larger --timeout gives it more time, fewer --runs take less")
			var kit spectest.Kit
			broken, err := within(timeout, late, func() ([]error, error) {
				s, k, err := checkable(c, args)
				if err != nil {
					return nil, err
				}
				k.Runs, k.Depth = runs, sampleDepth
				kit = k
				return spectest.Check(s, k), nil
			})
			if errors.Is(err, late) {
				cli.Complain(c.ErrOrStderr(), err)
				return cli.Exit(cli.Unknown)
			}
			if err != nil {
				return err
			}
			for _, err := range broken {
				escape.Fprintf(c.OutOrStdout(), "%s\n", err)
			}
			if len(broken) > 0 {
				return cli.Exit(cli.Violation)
			}
			escape.Fprintf(c.OutOrStdout(),
				"%s: no law is broken by %d calls from every state that %d of them lead to, nor by %d random "+
					"histories\n", filepath.Base(args[0]), len(kit.Samples), sampleDepth, runs)
			return nil
		},
	}
	c.Flags().Bool("isolate", false,
		"run in a process of its own whose memory is bounded; the default for Starlark under --timeout")
	c.Flags().DurationVar(&timeout, "timeout", patience, "time limit for loading and testing the file, 0 for none")
	c.Flags().IntVar(&runs, "runs", 500, "how many random histories of each kind to try")
	return c
}

// checkable reads a specification, and what the law kit tries with it.
func checkable(c *cobra.Command, args []string) (spec.Spec, spectest.Kit, error) {
	var kit spectest.Kit
	if filepath.Ext(args[0]) == ".json" {
		f, err := tablespec.Load(args[0])
		if err != nil {
			return nil, kit, err
		}
		kit.Initials = f.Initials()
		for _, s := range f.Samples() {
			kit.Samples = append(kit.Samples, spectest.Sample{F: s.Call.F, Arg: s.Call.Arg,
				Results: s.Results, More: s.More})
		}
		return f.Spec, kit, nil
	}
	var s spec.Spec
	var f sampled
	if filepath.Ext(args[0]) == ".wasm" {
		m, err := wasmspec.Load(args[0], c.ErrOrStderr())
		if err != nil {
			return nil, kit, err
		}
		s, f = m.Spec, m
	} else {
		m, err := starspec.Load(args[0], c.ErrOrStderr())
		if err != nil {
			return nil, kit, err
		}
		s, f = m.Spec, m
	}
	calls, results, err := callsOf(f, args[1:])
	if err != nil {
		return nil, kit, err
	}
	samples, err := f.Samples(calls, sampleDepth)
	for k, s := range samples {
		for _, r := range results[k] {
			s.Add(r)
		}
		kit.Samples = append(kit.Samples, spectest.Sample{F: s.Call.F, Process: s.Call.Process, Key: s.Call.Key,
			Arg: s.Call.Arg, Results: s.Results, More: true})
	}
	return s, kit, err
}

// sampled is a specification in a file that gives calls to try.
type sampled interface {
	Calls() ([]spec.Call, error)
	Samples(calls []spec.Call, depth int) ([]foreign.Sample, error)
	// ByProcess reports whether it matters who calls.
	ByProcess() bool
}

// callsOf returns the calls that a file gives as samples, and different ones of the histories, with
// the results that these have.
func callsOf(f sampled, histories []string) (calls []spec.Call, results [][]any, err error) {
	if calls, err = f.Calls(); err != nil {
		return nil, nil, err
	}
	given, results := len(calls), make([][]any, len(calls))
	seen := map[string]int{}
	byName := map[string][]int{}
	var names []string
	for _, file := range histories {
		h, err := history.ReadFile(file, history.ReadOptions{})
		if err != nil {
			return nil, nil, err
		}
		for i := range h.Ops {
			o := &h.Ops[i]
			name, _ := h.Values.AsString(o.F)
			c := spec.Call{F: name, Arg: model.Decoded(h.Values, o.Arg)}
			if f.ByProcess() {
				c.Process = model.Client(h.Processes[o.Process])
			}
			if o.Key != history.NoKey {
				c.Key = model.Decoded(h.Values, o.Key)
			}
			text := fmt.Sprintf("%#v", c)
			k, known := seen[text]
			if !known {
				k = len(calls)
				seen[text], calls, results = k, append(calls, c), append(results, nil)
				if byName[name] == nil {
					names = append(names, name)
				}
				byName[name] = append(byName[name], k)
			}
			if !o.Unknown && len(results[k]) < mostResults {
				results[k] = append(results[k], model.Decoded(h.Values, o.Result))
			}
		}
	}
	if len(calls) == 0 {
		return nil, nil, cli.Hint(errors.New("there are no calls to test with"),
			"give a history with operations, or let the file define samples = [(\"put\", 1), (\"take\",)]")
	}
	tried, found := calls[:given:given], results[:given:given]
	for turn := 0; turn < len(calls); turn++ { // some of each name
		for _, name := range names {
			if of := byName[name]; turn < len(of) && len(tried) < max(given, mostCalls) {
				tried, found = append(tried, calls[of[turn]]), append(found, results[of[turn]])
			}
		}
	}
	return tried, found, nil
}
