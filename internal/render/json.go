package render

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
)

// Version is the version of the JSON form. It grows when a field changes its meaning or is removed;
// new fields may come at any time.
const Version = 1

// Object is the JSON form of a run, or of a file that has no answer; docs/reading.md describes the
// fields, and docs/json.schema.json is its schema.
type Object struct {
	Version int    `json:"version"`
	File    string `json:"file"`
	SHA256  string `json:"sha256,omitempty"` // of the file, in rows
	Test    string `json:"test,omitempty"`   // of Jepsen
	Answer  string `json:"answer"`           // in words, with the bound that it holds for
	Verdict string `json:"verdict"`
	Cause   string `json:"cause,omitempty"`
	Hint    string `json:"hint,omitempty"` // what to do about an error
	Spec    string `json:"spec"`
	// the functions that spec was guessed from
	Guessed []string `json:"guessed,omitempty"`
	// other specifications that have these functions
	AlsoFits   []string      `json:"also_fits,omitempty"`
	Engine     []string      `json:"engine,omitempty"`
	Asked      []AskedObject `json:"asked,omitempty"` // with --engine all
	Meaning    string        `json:"meaning,omitempty"`
	Bound      string        `json:"bound,omitempty"`
	Least      *LeastObject  `json:"least,omitempty"`
	Relax      string        `json:"relax,omitempty"`
	Drained    int           `json:"drained,omitempty"`
	Operations int           `json:"operations"`
	Pending    int           `json:"pending"`
	Failed     int           `json:"failed,omitempty"`
	// reads of nil whose result was taken as unknown
	NilReads int `json:"nil_reads,omitempty"`
	// linearizable because no operation returned
	Vacuous    bool               `json:"vacuous,omitempty"`
	Warnings   []string           `json:"warnings,omitempty"` // about the input
	Partitions []PartitionVerdict `json:"parts"`              // all partitions
	Partition  *PartitionObject   `json:"part,omitempty"`
	Prefix     *PrefixObject      `json:"prefix,omitempty"` // of part, if it is undecided
	Failure    *FailObject        `json:"failure,omitempty"`
	Core       *CoreObject        `json:"core,omitempty"`
	MoreCores  []*CoreObject      `json:"more_cores,omitempty"` // with --core all
	Argument   []string           `json:"argument,omitempty"`   // in sentences
	// interpretations of the input that a violation depends on
	Notes       []string `json:"notes,omitempty"`
	Witness     []string `json:"witness,omitempty"`
	Rearranged  []string `json:"rearranged,omitempty"`
	Certified   bool     `json:"certified"`
	Uncertified string   `json:"uncertified,omitempty"`
	DecidedBy   []string `json:"decided_by,omitempty"`
	Steps       int64    `json:"steps"`
	Clauses     int64    `json:"clauses,omitempty"`
	Seconds     float64  `json:"seconds"`
	Reading     float64  `json:"reading_seconds,omitempty"`
	Bytes       int64    `json:"bytes"`
}

// LeastObject is the result of --quasi min: the least bound lies between Low and High; -1 means
// that there is none.
type LeastObject struct {
	Low     int32 `json:"low"`
	High    int32 `json:"high"`
	Settled bool  `json:"settled"`
	// Certified reports whether the verifier confirmed that Low-1 is too little; true if there is
	// nothing to confirm.
	Certified bool   `json:"certified"`
	Refuted   string `json:"refuted_part,omitempty"` // the partition refuted at low-1
}

// PartitionVerdict is the verdict about one partition: its key (or object) as JSON, the same in
// words, and the number of its operations.
type PartitionVerdict struct {
	Key        string `json:"key"`
	Name       string `json:"name,omitempty"`
	Verdict    string `json:"verdict"`
	Cause      string `json:"cause,omitempty"`
	Engine     string `json:"engine,omitempty"`
	Operations int    `json:"operations"`
}

// AskedObject is an engine with --engine all: of so many partitions it gave the verdict, or none.
type AskedObject struct {
	Engine     string `json:"engine"`
	Cause      string `json:"cause,omitempty"` // why it gave none
	Partitions int    `json:"parts"`
}

// PartitionObject is the partition that a violation or an unknown is about.
type PartitionObject struct {
	Key        string   `json:"key"`
	Name       string   `json:"name,omitempty"` // the key in words
	Operations []string `json:"operations"`
}

// PrefixObject is the longest prefix of an undecided partition that was found to be linearizable.
type PrefixObject struct {
	Returned int    `json:"returned"` // operations that returned in it
	Of       int    `json:"of"`
	Last     string `json:"last"` // the last of them
}

// CoreObject is what a violation rests on.
type CoreObject struct {
	Facts []FactObject `json:"facts"`
	// what else it rests on, which was not minimised fact by fact
	Besides    []string `json:"besides,omitempty"`
	Minimal    bool     `json:"minimal"`
	NotMinimal string   `json:"not_minimal,omitempty"` // why it may not be minimal
	// of further cores; that of the first is in Object
	Argument []string `json:"argument,omitempty"`
}

// FactObject is a fact of a core: "value" (all its operations, and what a collection held of it at
// the start), "empty" (one that found a collection empty), "response" or "result" of one, "edge"
// (the first returned before the second was called), "given" (the history says that the first comes
// before the second), or "initial" (the initial state that the history states; no operations).
type FactObject struct {
	Kind       string   `json:"kind"`
	Operations []string `json:"operations"`
}

// FailObject is engine.Failure with operations named as the input does.
type FailObject struct {
	Operation string         `json:"operation"`
	Line      int32          `json:"line,omitempty"` // of the input, where it is called
	Text      string         `json:"text"`
	Longest   []string       `json:"longest,omitempty"`
	Frontier  []ConfigObject `json:"frontier,omitempty"`
	Complete  bool           `json:"complete"`
}

// ConfigObject is one configuration of the frontier.
type ConfigObject struct {
	State      string            `json:"state"`
	Linearized []string          `json:"linearized"`
	Refusals   map[string]string `json:"refusals,omitempty"`
}

// Verdicts of files that have no answer.
const (
	Failed       = "error"        // it could not be checked
	Disagreement = "disagreement" // the engines contradict each other
)

// ErrorObject is the JSON form of a file that has no answer: its verdict is Failed or Disagreement.
func ErrorObject(file, verdict, cause, hint string) *Object {
	return &Object{Version: Version, File: file, Verdict: verdict, Answer: verdict, Cause: cause, Hint: hint,
		Partitions: []PartitionVerdict{}}
}

// JSON writes the run as one object on one line.
func JSON(w io.Writer, run *words.Run) error { return writeLine(w, NewObject(run)) }

// writeLine writes a value as JSON on one line, at once.
func writeLine(w io.Writer, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escape.JSON(b.Bytes()))
	return err
}

// Answered returns what a Tally counts of run; NewObject takes a pass over the history.
func Answered(run *words.Run) *Object {
	o := &Object{Verdict: run.Result.Verdict.String(), Vacuous: run.Vacuous()}
	o.ask(&run.Result)
	return o
}

// NewObject returns the JSON form of run.
func NewObject(run *words.Run) *Object {
	r, h := &run.Result, run.History
	o := &Object{Version: Version, File: run.File, Answer: run.Answer(), Test: run.History.Test,
		Verdict: r.Verdict.String(), Spec: r.Spec.Info().Name, Guessed: h.Guessed, AlsoFits: h.AlsoFits,
		Engine: r.Engines, DecidedBy: r.DecidedBy(), Drained: r.Drains,
		Operations: len(h.Ops), Pending: h.Pending(), Failed: h.Failed, Partitions: []PartitionVerdict{},
		Certified: r.Certified, Uncertified: r.Uncertified,
		Steps: r.Effort.Steps, Clauses: r.Effort.Clauses,
		Seconds: run.Result.Took.Seconds(), Reading: run.Reading.Seconds(), Bytes: run.Bytes}
	o.NilReads, o.Vacuous, o.Notes = h.NilReads, run.Vacuous(), words.Notes(run)
	for _, w := range h.Warnings {
		o.Warnings = append(o.Warnings, w.Error())
	}
	if r.Verdict == engine.Unknown {
		o.Cause = words.Cause(r)
	}
	info := r.Spec.Info()
	for i := range r.PartitionVerdicts {
		p := &r.PartitionVerdicts[i]
		part := p.Partition
		v := PartitionVerdict{Key: part.Name, Name: part.Title(info), Verdict: p.Verdict.String(),
			Operations: part.Len()}
		if v.Engine = p.Engine; p.Verdict == engine.Unknown {
			v.Cause, v.Engine = words.CauseText(p.Cause, p.Detail), ""
		}
		o.Partitions = append(o.Partitions, v)
	}
	for _, u := range r.Asked {
		cause := u.Cause.String()
		if u.Not != "" {
			cause = "not asked, as " + u.Not
		}
		o.Asked = append(o.Asked, AskedObject{u.Engine, cause, u.Partitions})
	}
	o.ask(r)
	whole := model.Whole(h)
	if r.Quasi != nil {
		whole = whole.Drained(r.Drains)
	}
	if l := r.Least; l != nil {
		o.Least = &LeastObject{Low: finite(l.Low), High: finite(l.High), Settled: l.Settled(), Certified: l.Certified ||
			l.Low == 0}
		if l.Refuted != nil {
			o.Least.Refuted = l.Refuted.Partition.Name
		}
	}
	o.Witness, o.Rearranged = ids(whole, r.Witness), ids(whole, r.Rearranged)
	if r.Partition != nil {
		o.Partition = &PartitionObject{Key: r.Partition.Name, Name: r.Partition.Title(info),
			Operations: make([]string, r.Partition.Len())}
		for i := range o.Partition.Operations {
			o.Partition.Operations[i] = r.Partition.ID(history.OpID(i))
		}
	}
	if p := run.Prefix; p != nil {
		o.Prefix = &PrefixObject{p.Returned, p.Of, r.Partition.ID(p.Last)}
	}
	if r.Verdict == engine.NotLinearizable && r.Partition != nil {
		o.Argument = words.Reasons(r)
	}
	if r.Core != nil {
		o.Core = coreObject(r, r.Core)
		for _, c := range r.MoreCores {
			more := coreObject(r, c)
			more.Argument = words.Sentences(r, c)
			o.MoreCores = append(o.MoreCores, more)
		}
	}
	if f := r.Failure; f != nil && r.Partition != nil {
		o.Failure = &FailObject{Operation: r.Partition.ID(f.Op), Line: h.Origins[r.Partition.Global(f.Op)].Line,
			Text: words.Operation(r.Partition, f.Op), Longest: ids(r.Partition, f.Longest), Complete: f.Complete}
		for _, c := range f.Frontier {
			x := ConfigObject{State: c.State, Linearized: append([]string{}, ids(r.Partition, c.Linearized)...),
				Refusals: map[string]string{}}
			for _, refusal := range c.Refusals {
				x.Refusals[r.Partition.ID(refusal.Op)] = refusal.Why
			}
			o.Failure.Frontier = append(o.Failure.Frontier, x)
		}
	}
	return o
}

// ask states the bound or the relaxation under which the answer holds.
func (o *Object) ask(r *result.Result) {
	if _, by, relaxed := specs.Relaxed(r.Spec); relaxed {
		o.Relax = by.String()
	}
	if r.Quasi != nil {
		o.Meaning, o.Bound = r.Quasi.Meaning.String(), r.Quasi.Bounds(r.Spec.Info())
	}
}

func ids(p *model.Partition, order []history.OpID) []string {
	if order == nil {
		return nil
	}
	out := make([]string, len(order))
	for k, i := range order {
		out[k] = p.ID(i)
	}
	return out
}

func finite(bound int32) int32 {
	if bound == quasi.Unbounded {
		return -1
	}
	return bound
}

func coreObject(r *result.Result, c *explain.Core) *CoreObject {
	o := &CoreObject{Besides: c.Besides, Minimal: c.Minimal, NotMinimal: c.NotMinimal, Facts: []FactObject{}}
	for _, f := range c.Facts {
		kind := [...]string{"value", "empty", "response", "result", "edge", "given", "initial"}[f.Kind]
		o.Facts = append(o.Facts, FactObject{kind, append([]string{}, ids(r.Partition, f.Operations)...)})
	}
	return o
}
