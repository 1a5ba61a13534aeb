package proof

// Proofs in JSON.
// What: a proof is an object with its kind, the version of the form in which that kind is written,
// and the fields of this form. Kinds, rules and other enumerations in Go are words in JSON, and
// every field has its own name there: a certificate stays the same when a constant or a field of Go
// is renamed or moved. Operations are positions in the partition, from 0; INIT, PAST, NONE, ITEMk
// and DRAINS stand for what is not an operation.
//
// Invariants: what Marshal writes, Unmarshal reads as the same proof. Unmarshal refuses kinds,
// versions, words and fields that it does not know.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// version is the version of the forms in which proofs of all kinds are written.
const version = 1

// header is what every form begins with.
type header struct {
	Kind    Kind `json:"kind"`
	Version int  `json:"version"`
}

// form is the JSON form of a kind of proof.
type form interface {
	// write fills the form in; the error says what of the proof has no JSON form.
	write(p Proof) error
	// read returns the proof; the error says what is malformed.
	read() (Proof, error)
}

// registry holds every kind of proof with its JSON form.
var registry = map[Kind]func() form{
	KindArgument:           func() form { return new(argumentForm) },
	KindExhaustion:         func() form { return new(exhaustionForm) },
	KindRegisterConflict:   func() form { return new(registerForm) },
	KindCollectionConflict: func() form { return new(collectionForm) },
	KindToggleCount:        func() form { return new(toggleForm) },
	KindSumConflict:        func() form { return new(sumForm) },
	KindLogConflict:        func() form { return new(logForm) },
	KindGrowthConflict:     func() form { return new(growthForm) },
	KindHoldConflict:       func() form { return new(holdForm) },
	KindDualBound:          func() form { return new(dualForm) },
	KindDisplacement:       func() form { return new(displacementForm) },
	KindPairing:            func() form { return new(pairingForm) },
	KindSaturation:         func() form { return new(saturationForm) },
	KindClausal:            func() form { return new(clausalForm) },
}

// Marshal writes a proof as JSON.
func Marshal(p Proof) ([]byte, error) {
	newForm, known := registry[p.Kind()]
	if !known {
		return nil, fmt.Errorf("proofs of kind %q have no JSON form", p.Kind())
	}
	f := newForm()
	if err := f.write(p); err != nil {
		return nil, err
	}
	return plainJSON(f)
}

// Unmarshal reads what Marshal writes. The error says what is unknown or malformed.
func Unmarshal(data []byte) (Proof, error) {
	var h header
	if err := json.Unmarshal(data, &h); err != nil {
		return nil, fmt.Errorf("malformed proof: %w", err)
	}
	newForm, known := registry[h.Kind]
	switch {
	case !known:
		return nil, fmt.Errorf("unknown kind of proof %q", h.Kind)
	case h.Version != version:
		return nil, fmt.Errorf("the proof of kind %q is of version %d, but this linsat reads version %d", h.Kind, h.Version, version)
	}
	f := newForm()
	if err := strictly(data, f); err != nil {
		return nil, fmt.Errorf("malformed proof of kind %q: %w", h.Kind, err)
	}
	p, err := f.read()
	if err != nil {
		return nil, fmt.Errorf("malformed proof of kind %q: %w", h.Kind, err)
	}
	return p, nil
}

// plainJSON leaves < and > as they are.
func plainJSON(x any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return []byte(strings.TrimSuffix(b.String(), "\n")), err
}

// strictly reads one JSON value; fields that the form does not have are an error.
func strictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one value")
	}
	return nil
}

// word returns the word for a rule, by number.
func word[R ~uint8](words []string, r R) string {
	if int(r) < len(words) && words[r] != "" {
		return words[r]
	}
	return "rule " + strconv.Itoa(int(r))
}

// writeRule returns the word for a rule, and an error if there is none.
func writeRule[R ~uint8](words []string, r R) (string, error) {
	if int(r) >= len(words) || words[r] == "" {
		return "", fmt.Errorf("rule %d has no name", r)
	}
	return words[r], nil
}

// readRule is the inverse of writeRule.
func readRule[R ~uint8](words []string, text string) (R, error) {
	if k := slices.Index(words, text); k >= 0 && text != "" {
		return R(k), nil
	}
	return 0, fmt.Errorf("unknown rule %q", text)
}

// reference is an operation in JSON: a position, or the name of what is not an operation.
type reference int32

// drains is the name of Draining.
const drains = "DRAINS"

// MarshalJSON writes a number or a name.
func (r reference) MarshalJSON() ([]byte, error) {
	switch i := history.OpID(r); {
	case i >= 0:
		return strconv.AppendInt(nil, int64(i), 10), nil
	case i == Draining:
		return []byte(`"` + drains + `"`), nil
	case i < NoOp && i > Item(0):
		return nil, fmt.Errorf("operation %d has no name", i)
	default:
		return []byte(`"` + OperationName(i) + `"`), nil
	}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *reference) UnmarshalJSON(data []byte) error {
	if data[0] != '"' {
		n, err := strconv.ParseUint(string(data), 10, 31)
		if err != nil {
			return fmt.Errorf("%s is not an operation", data)
		}
		*r = reference(n)
		return nil
	}
	var name string
	if err := json.Unmarshal(data, &name); err != nil {
		return err
	}
	if name == drains {
		*r = reference(Draining)
		return nil
	}
	i, err := ParseOperation(name)
	if err != nil || i >= 0 {
		return fmt.Errorf("%q is not an operation", name)
	}
	*r = reference(i)
	return nil
}

// references and operationsOf turn lists of operations into JSON and back.
func references(ops []history.OpID) []reference {
	out := make([]reference, len(ops))
	for k, i := range ops {
		out[k] = reference(i)
	}
	return out
}

func operationsOf(refs []reference) []history.OpID {
	out := make([]history.OpID, len(refs))
	for k, r := range refs {
		out[k] = history.OpID(r)
	}
	return out
}

// missing is the error of a form without a field.
func missing(field string) error { return fmt.Errorf("there is no %q", field) }
