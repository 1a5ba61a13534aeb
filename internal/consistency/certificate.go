package consistency

import (
	"encoding/json"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
)

// Certificate shows why the answer to a question is what it is. Exactly one of its other fields is
// set; with Chosen, Commits or Views is, of the accesses as chosen (Accesses.Chosen).
type Certificate struct {
	Question string `json:"question"`
	// Order is a certificate of linearizability (docs/certificates.md): of the history, or of
	// ByProcess where the question is sequential.
	Order json.RawMessage `json:"order,omitempty"`
	// Commits is a certificate about the accesses as transactions (Accesses.Transactions).
	Commits *isolation.Certificate `json:"commits,omitempty"`
	// Views show that each process can see the writes in some order.
	Views []View `json:"views,omitempty"`
	// Hidden show the same of an object of any kind: certificates of linearizability, each of the
	// history as a process knows it (Hidden).
	Hidden []json.RawMessage `json:"hidden,omitempty"`
	// Conflict shows that one process cannot.
	Conflict *Conflict `json:"conflict,omitempty"`
	// Reads is a stale.Certificate, where the question is of registers.
	Reads json.RawMessage `json:"reads,omitempty"`
	// Chosen says which writes reads are from that may be from several.
	Chosen []Choice `json:"chosen,omitempty"`
	// Choices show that there is no such choice.
	Choices *Choices `json:"choices,omitempty"`
	// Causes are of an object of any kind.
	Causes *Causes `json:"causes,omitempty"`
}

// View is an order for one process: of its reads, and of the writes that come before one of them.
// Other writes come after these. Where the question is weakly-causal there is one, of all reads and
// writes, with causes first.
type View struct {
	Process int32          `json:"process"`
	Order   []history.OpID `json:"order"`
}

// Conflict is a contradiction for one process. Paths lead from one operation to another, which
// comes after it by a rule of the question (Question.Before) or by an overwriting before.
type Conflict struct {
	Process int32 `json:"process"`
	// Overwrites are writes that come before another of the same object, each since a path leads
	// from it to a read of that one.
	Overwrites []Overwrite `json:"overwrites,omitempty"`
	// Path ends where it begins, or it leads from a write to a read of the value at the start. If
	// it is of one operation, that is a read of what nobody wrote.
	Path []history.OpID `json:"path"`
}

// Overwrite says that the first operation of Path, a write, comes before the write that its last
// one reads from.
type Overwrite struct {
	Path []history.OpID `json:"path"`
}
