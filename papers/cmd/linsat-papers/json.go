package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/quasi"
)

// JSON: one object a line.

func (x *explorer) json(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := x.out.Write(escape.JSON(b.Bytes()))
	return err
}

// catalogueJSON is a test of the catalogue.
type catalogueJSON struct {
	Group    string `json:"group"`
	Object   string `json:"object"`
	Expected string `json:"expected"`
	Test     string `json:"test"`
	Spec     string `json:"spec,omitempty"`
	About    string `json:"about"`
	Note     string `json:"note,omitempty"`
}

func (x *explorer) listJSON() error {
	for _, g := range objects.Groups() {
		for _, e := range g.Entries {
			o := e.Case.Object
			if err := x.json(catalogueJSON{g.Name, o.Name, expectation(&e), e.Case.String(), o.Spec, o.About,
				e.Note}); err != nil {
				return err
			}
		}
	}
	return nil
}

// accessJSON is an access of a traced execution.
type accessJSON struct {
	Thread    int    `json:"thread"` // -1: before or after the threads
	Operation string `json:"operation,omitempty"`
	What      string `json:"what"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
}

// executionJSON is an execution that shows something.
type executionJSON struct {
	Outcome  string          `json:"outcome"`
	Schedule string          `json:"schedule"`
	Steps    int             `json:"steps"`
	Accesses []accessJSON    `json:"accesses,omitempty"`
	History  json.RawMessage `json:"history,omitempty"` // as solve reads it
}

func executionJSONOf(e *explore.Execution, h *history.History) (*executionJSON, error) {
	out := &executionJSON{Outcome: e.Outcome.String(), Schedule: e.Schedule.String(), Steps: e.Steps}
	for i := range e.Events {
		v := &e.Events[i]
		a := accessJSON{Thread: v.Thread, What: v.What(), Line: v.Line}
		if v.File != "" {
			a.File = filepath.Base(v.File)
		}
		if v.Op >= 0 {
			a.Operation = explore.Call{F: e.Ops[v.Op].F, Arg: e.Ops[v.Op].Arg}.String()
		}
		out.Accesses = append(out.Accesses, a)
	}
	if h == nil {
		return out, nil
	}
	var b bytes.Buffer
	if err := history.WriteJSON(&b, h); err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, b.Bytes())
	out.History = compact.Bytes()
	return out, err
}

// checkJSON is a report of explore.Check.
type checkJSON struct {
	Object string `json:"object"`
	Test   string `json:"test"`
	// a smaller test that fails, too; that of the violation
	Smaller    string         `json:"smaller,omitempty"`
	Verdict    string         `json:"verdict"`
	Why        string         `json:"why,omitempty"`
	Strategy   string         `json:"strategy"`
	Complete   bool           `json:"complete"`
	Executions int            `json:"executions"`
	GivenUp    int            `json:"given_up"` // of DPOR: all that could go on was tried elsewhere
	Histories  int            `json:"histories"`
	Violating  int            `json:"violating_histories"`
	Outcomes   map[string]int `json:"outcomes"`
	Seconds    float64        `json:"seconds"`
	Violation  *violationJSON `json:"violation,omitempty"`
	Localized  *localizedJSON `json:"localized,omitempty"`
}

type violationJSON struct {
	What        string         `json:"what"`
	Preemptions int            `json:"preemptions"`
	Panic       string         `json:"panic,omitempty"`
	Execution   *executionJSON `json:"execution"`
	Result      *render.Object `json:"result,omitempty"` // as solve prints it
}

func checkJSONOf(c *explore.Case, r *explore.Report) (*checkJSON, error) {
	out := &checkJSON{Object: c.Object.Name, Test: c.String(), Verdict: r.Verdict.String(), Why: r.Why,
		Strategy: r.Strategy, Complete: r.Stats.Complete, Executions: r.Stats.Executions, GivenUp: r.Stats.Pruned,
		Histories: r.Classes, Violating: r.Bad, Outcomes: map[string]int{}, Seconds: r.Stats.Elapsed.Seconds()}
	if r.Case != c {
		out.Smaller = r.Case.String()
	}
	for o, n := range r.Stats.Outcomes {
		if n > 0 {
			out.Outcomes[explore.Outcome(o).String()] = n
		}
	}
	v := r.Violation
	if v == nil {
		return out, nil
	}
	e, err := executionJSONOf(v.Execution, v.History)
	if err != nil {
		return nil, err
	}
	out.Violation = &violationJSON{What: v.What, Preemptions: v.Preemptions, Execution: e}
	if v.Execution.Outcome == explore.Panicked {
		out.Violation.Panic = fmt.Sprint(v.Execution.Panic)
	}
	if v.Result != nil {
		out.Violation.Result = render.NewObject(&words.Run{File: c.Object.Name, History: v.History,
			Result: *result.Of(v.Result)})
	}
	return out, nil
}

// localizedJSON is a result of FGVT.
type localizedJSON struct {
	Complete    bool          `json:"complete"`
	Stopped     string        `json:"stopped,omitempty"`
	Traces      uint64        `json:"traces"` // math.MaxUint64: that many or more
	Failing     uint64        `json:"failing"`
	Nodes       int           `json:"nodes"`
	Executions  int           `json:"executions"`
	Races       string        `json:"races,omitempty"` // of the trace shown
	AllCritical string        `json:"critical,omitempty"`
	Schedule    string        `json:"schedule,omitempty"`
	Steps       []stepJSON    `json:"steps,omitempty"`
	Repairs     []repairJSON  `json:"repairs,omitempty"`
	Patterns    []patternJSON `json:"patterns,omitempty"`
}

type stepJSON struct {
	Label    string      `json:"label"`
	Critical bool        `json:"critical"`
	Race     string      `json:"race,omitempty"`
	On       string      `json:"on,omitempty"`
	Access   *accessJSON `json:"access,omitempty"`
	Choice   *int        `json:"choice,omitempty"`
}

type repairJSON struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Between int    `json:"between"`
	Advice  string `json:"advice"`
}

type patternJSON struct {
	Races  string `json:"races"`
	Traces uint64 `json:"traces"`
}

func localizedJSONOf(r *localize.Result) *localizedJSON {
	out := &localizedJSON{Complete: r.Complete, Stopped: r.Stopped, Traces: r.Traces, Failing: r.Failing,
		Nodes: r.States, Executions: r.Runs}
	for _, p := range r.Patterns(true) {
		out.Patterns = append(out.Patterns, patternJSON{p.Sequence.String(), p.Traces})
	}
	t := r.Trace
	if t == nil {
		return out
	}
	out.Races, out.AllCritical, out.Schedule = t.Races.String(), t.Sequence.String(), t.Schedule.String()
	for i := range t.Steps {
		s := &t.Steps[i]
		step := stepJSON{Label: s.Label.String(), Critical: s.Critical, On: s.On}
		if s.Critical {
			step.Race = s.Race.String()
		}
		b := &s.Branches[s.Taken]
		switch {
		case b.Event != nil:
			step.Access = &accessJSON{Thread: b.Thread, What: b.Event.What(), File: filepath.Base(b.Event.File),
				Line: b.Event.Line}
		case b.Thread < 0:
			step.Choice = &b.Choice
		}
		out.Steps = append(out.Steps, step)
	}
	for _, p := range t.Repairs {
		out.Repairs = append(out.Repairs, repairJSON{p.From.String(), p.To.String(), p.Between, p.Advice()})
	}
	return out
}

// lineUpJSON is a result of Line-Up.
type lineUpJSON struct {
	Object     string         `json:"object"`
	Test       string         `json:"test"`
	Verdict    string         `json:"verdict"`
	Cause      string         `json:"cause,omitempty"`
	Serial     phaseJSON      `json:"serial"`
	Concurrent phaseJSON      `json:"concurrent"`
	Failure    string         `json:"failure,omitempty"`   // its kind
	Operation  string         `json:"operation,omitempty"` // that behaves differently, or blocks
	Execution  *executionJSON `json:"execution,omitempty"`
	// of nondeterminism: the serial run in which it behaved differently
	Other *executionJSON `json:"other,omitempty"`
}

type phaseJSON struct {
	Runs      int     `json:"runs"`
	Histories int     `json:"histories"`
	Stuck     int     `json:"stuck"`
	Seconds   float64 `json:"seconds"`
}

func phaseJSONOf(p lineup.Phase) phaseJSON {
	return phaseJSON{p.Runs, p.Histories, p.Stuck, p.Time.Seconds()}
}

func lineUpJSONOf(r *lineup.Result) (*lineUpJSON, error) {
	out := &lineUpJSON{Object: r.Case.Object.Name, Test: r.Case.String(), Verdict: r.Verdict.String(), Cause: r.Cause,
		Serial: phaseJSONOf(r.Serial), Concurrent: phaseJSONOf(r.Concurrent)}
	f := r.Failure
	if f == nil {
		return out, nil
	}
	out.Failure = f.Kind.String()
	if f.Op >= 0 {
		out.Operation = explore.Call{F: f.Run.Ops[f.Op].F, Arg: f.Run.Ops[f.Op].Arg}.String()
	}
	var h *history.History
	var err error
	if len(f.Run.Ops) > 0 {
		if h, err = f.History(); err != nil {
			return nil, err
		}
	}
	if out.Execution, err = executionJSONOf(f.Run, h); err == nil && f.Other != nil {
		if h, err = f.Other.History(); err == nil {
			out.Other, err = executionJSONOf(f.Other, h)
		}
	}
	return out, err
}

type sampleJSON struct {
	Object    string      `json:"object"`
	Dimension string      `json:"dimension"`
	Seed      uint64      `json:"seed"`
	Tests     int         `json:"tests"`
	Passed    int         `json:"passed"`
	Failed    int         `json:"failed"`
	Unknown   int         `json:"unknown"`
	First     *lineUpJSON `json:"first_failure,omitempty"`
}

type autoJSON struct {
	Dimension int         `json:"dimension"`
	Result    *lineUpJSON `json:"result"`
}

type comparisonJSON struct {
	Object     string       `json:"object"`
	Tests      int          `json:"tests"`
	Failed     int          `json:"failed"`
	Undecided  int          `json:"undecided"`
	Executions int          `json:"executions"`
	Violating  int          `json:"violating"`
	Races      warningsJSON `json:"data_races"`
	Variables  []string     `json:"racing_variables"`
	Atomicity  warningsJSON `json:"not_serializable"`
	Weak       warningsJSON `json:"store_buffers"`
}

type warningsJSON struct {
	Tests        int `json:"tests"`
	Executions   int `json:"executions"`
	Linearizable int `json:"linearizable"`
}

func comparisonJSONOf(k *lineup.Comparison) comparisonJSON {
	of := func(w lineup.Warnings) warningsJSON { return warningsJSON{w.Tests, w.Runs, w.Benign} }
	return comparisonJSON{k.Name, k.Tests, k.Failed, k.Undecided, k.Runs, k.Bad, of(k.Races),
		append([]string{}, k.Variables...), of(k.Atomicity), of(k.Weak)}
}

// roundUpJSON is a report of Round-Up.
type roundUpJSON struct {
	Object             string     `json:"object"`
	Test               string     `json:"test"`
	Dimension          string     `json:"dimension"`
	Factor             string     `json:"factor,omitempty"`
	Sequential         int        `json:"sequential_histories"`
	Drained            bool       `json:"drained"`
	All                countJSON  `json:"all"`
	NotLinearizable    countJSON  `json:"not_linearizable"`
	NotQuasi           countJSON  `json:"not_quasi_linearizable"`
	Undecided          countJSON  `json:"undecided"`
	Stopped            countJSON  `json:"stopped"`
	Unfinished         countJSON  `json:"unfinished"`
	Broken             countJSON  `json:"broken"`
	Traces             int        `json:"traces"`
	BuggyTraces        int        `json:"buggy_traces"`
	Linearizations     int64      `json:"linearizations"`
	Rearrangements     int64      `json:"rearrangements"`
	Linearizable       string     `json:"linearizable"`
	Quasi              string     `json:"quasi_linearizable,omitempty"`
	Least              *leastJSON `json:"least,omitempty"`
	First              string     `json:"first_violation,omitempty"` // schedules
	FirstQuasi         string     `json:"first_quasi_violation,omitempty"`
	Phase1Seconds      float64    `json:"phase1_seconds"`
	Phase2Seconds      float64    `json:"phase2_seconds"`
	ExploredCompletely bool       `json:"complete"`
}

// leastJSON is the least bound: it is between Low and High; -1 means that there is none.
type leastJSON struct {
	Low     int32  `json:"low"`
	High    int32  `json:"high"`
	Settled bool   `json:"settled"`
	First   string `json:"first,omitempty"` // the schedule that needs Low
}

type countJSON struct {
	Executions int `json:"executions"`
	Histories  int `json:"histories"`
}

func roundUpJSONOf(r *roundup.Report) roundUpJSON {
	of := func(c roundup.Count) countJSON { return countJSON{c.Executions, c.Histories} }
	schedule := func(v *roundup.Violation) string {
		if v == nil {
			return ""
		}
		return v.Execution.Schedule.String()
	}
	out := roundUpJSON{Object: r.Case.Object.Name, Test: r.Case.String(),
		Dimension: roundup.DimensionOf(r.Case).String(), Factor: r.Factor, Sequential: r.Sequential, Drained: r.Drained,
		All: of(r.All), NotLinearizable: of(r.NotLinearizable), NotQuasi: of(r.NotQuasi), Undecided: of(r.Undecided),
		Stopped: of(r.Stopped), Unfinished: of(r.Unfinished), Broken: of(r.Broken),
		Traces: r.Traces, BuggyTraces: r.BuggyTraces, Linearizations: r.Linearizations,
		Rearrangements: r.Rearrangements, Linearizable: r.Linearizable.String(), First: schedule(r.First),
		FirstQuasi:    schedule(r.FirstQuasi),
		Phase1Seconds: r.Phase1.Seconds(), Phase2Seconds: r.Phase2.Seconds(), ExploredCompletely: r.Run.Complete}
	if r.Factor != "" {
		out.Quasi = r.Quasi.String()
	}
	if l := r.Least; l != nil {
		finite := func(b int32) int32 {
			if b == quasi.Unbounded {
				return -1
			}
			return b
		}
		out.Least = &leastJSON{finite(l.Low), finite(l.High), l.Settled(), schedule(r.FirstLeast)}
	}
	return out
}
