package consistency

import "encoding/json"

// Certificate shows why the answer to a question is what it is. Exactly one of its other fields is
// set.
type Certificate struct {
	Question string `json:"question"`
	// Order is a certificate of linearizability (docs/certificates.md): of the history, or of
	// ByProcess where the question is sequential.
	Order json.RawMessage `json:"order,omitempty"`
	// Reads is a stale.Certificate, where the question is of registers.
	Reads json.RawMessage `json:"reads,omitempty"`
}
