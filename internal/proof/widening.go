package proof

import (
	"errors"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// KindWidening is the kind of *Widening.
const KindWidening Kind = "widening"

// Widening proves that a partition is not quasi-linearizable: Refutation proves that the partition
// is not linearizable if operations that may move have the calls and returns that ρ″ may give them
// (package widening). Its positions are those there, by call.
type Widening struct {
	about
	Refutation Inner `json:"refutation"`
}

// Kind implements Proof.
func (*Widening) Kind() Kind { return KindWidening }

// Operations implements Proof: it names those of another partition.
func (*Widening) Operations(*model.Instance) []history.OpID { return nil }

// Inner is the proof in a Widening, which is of another kind.
type Inner struct{ Proof Proof }

// MarshalJSON implements json.Marshaler.
func (i Inner) MarshalJSON() ([]byte, error) {
	if i.Proof == nil {
		return nil, missing("refutation")
	}
	return Marshal(i.Proof)
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *Inner) UnmarshalJSON(data []byte) (err error) {
	if i.Proof, err = Unmarshal(data); err == nil && i.Proof.Kind() == KindWidening {
		err = errors.New("it is a widening of a widening")
	}
	return err
}
