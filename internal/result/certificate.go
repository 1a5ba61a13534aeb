package result

import (
	"errors"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
)

// Certificate returns the certificate of a result about h. It is an error if the result is not
// certified.
func (r *Result) Certificate(h *history.History) (*verify.Certificate, error) {
	if !r.Certified {
		why := r.Uncertified
		if r.Verdict == engine.Unknown {
			why = "the verdict is unknown"
		}
		return nil, errors.New("there is no certificate: " + why)
	}
	c := verify.NewCertificate(h, verify.Question{Spec: r.Spec, Quasi: r.Quasi, Partition: r.Partitioning}, r.Verdict)
	if r.Verdict == engine.Linearizable {
		for _, a := range r.byPartition(h) {
			p := verify.PartitionOf(a.Partition)
			p.Witness, p.Rearranged, p.Drains = a.Witness, a.Rearranged, a.Drains
			c.Partitions = append(c.Partitions, p)
		}
		return c, nil
	}
	p := verify.PartitionOf(r.Partition)
	p.Proof = r.Proof
	c.Partitions = append(c.Partitions, p)
	return c, nil
}

// byPartition returns the answers of a linearizable history, one for each partition: where one
// answer is about the whole of it, its witness contains one of each partition.
func (r *Result) byPartition(h *history.History) []PartitionVerdict {
	if r.Quasi != nil || len(r.PartitionVerdicts) != 1 || r.PartitionVerdicts[0].Partition.Len() != len(h.Ops) {
		return r.PartitionVerdicts
	}
	parts := model.Split(r.Spec, h, r.Partitioning)
	if len(parts) == 1 {
		return r.PartitionVerdicts
	}
	of := make([]struct {
		part     int32
		position history.OpID
	}, len(h.Ops))
	answers := make([]PartitionVerdict, len(parts))
	for k, p := range parts {
		answers[k].Partition = p
		for i := range history.OpID(p.Len()) {
			of[p.Global(i)].part, of[p.Global(i)].position = int32(k), i
		}
	}
	whole := r.PartitionVerdicts[0]
	for _, i := range whole.Witness {
		at := of[whole.Partition.Global(i)]
		answers[at.part].Witness = append(answers[at.part].Witness, at.position)
	}
	return answers
}
