package main

import (
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/papers/objects/cds"
)

// driverJSON is what a driver under relaxed memory shows.
type driverJSON struct {
	Object     string         `json:"object"`
	Test       string         `json:"test"`
	Program    string         `json:"program"`
	Verdict    string         `json:"verdict"`
	Complete   bool           `json:"complete"` // these are all executions
	Executions int            `json:"executions"`
	Verdicts   map[string]int `json:"verdicts"` // of the executions
	Findings   []findingJSON  `json:"findings,omitempty"`
	Unused     []string       `json:"unused,omitempty"` // of the specification
}

type findingJSON struct {
	Verdict   string `json:"verdict"`
	Execution int    `json:"execution"` // its number, for --replay
	Steps     string `json:"steps"`
	Text      string `json:"text"`
}

func driverJSONOf(s *cds.Structure, d *cds.Driver, r *cdsspec.Report) driverJSON {
	out := driverJSON{Object: s.Key, Test: d.Name, Program: d.Text, Verdict: r.Verdict.String(),
		Complete: r.Stats.All, Executions: r.Stats.Graphs, Verdicts: map[string]int{}, Unused: r.Unused}
	for v, n := range r.Counts {
		out.Verdicts[v.String()] = n
	}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, findingJSON{f.Verdict.String(), f.Number, f.Steps, f.Text()})
	}
	return out
}

// replayedJSON is the execution of --replay.
type replayedJSON struct {
	Object  string `json:"object"`
	Test    string `json:"test"`
	Outcome string `json:"outcome"`
	Steps   string `json:"steps"`
	Text    string `json:"text"`
}

func replayedJSONOf(s *cds.Structure, d *cds.Driver, g *c11.Graph) replayedJSON {
	return replayedJSON{s.Key, d.Name, g.Outcome.String(), g.Steps(), g.Text()}
}

// orderJSON is a memory order and what happens if it is weakened.
type orderJSON struct {
	Object   string `json:"object"`
	Site     string `json:"site"`
	Order    string `json:"order"`
	Verdict  string `json:"verdict,omitempty"` // if it is relaxed
	Driver   string `json:"driver,omitempty"`  // that shows it
	Harmless string `json:"harmless,omitempty"`
	Alone    string `json:"weakest_alone,omitempty"`
	Together string `json:"weakest_together,omitempty"`
}
