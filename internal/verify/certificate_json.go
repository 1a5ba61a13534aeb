package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/quasi"
)

// Certificates in JSON (docs/certificates.md, docs/certificate.schema.json). Every enumeration is a
// word of its own there, so that the format stays what it is when something is renamed in Go.

// CertificateVersion is the version of certificates that is written and read.
const CertificateVersion = 2

// The words of verdicts, partitions and meanings.
var (
	verdictWords = map[engine.Verdict]string{engine.Linearizable: "linearizable",
		engine.NotLinearizable: "not linearizable"}
	partitionWords = map[model.Partitioning]string{model.ByKey: "key", model.ByObject: "object",
		model.Unpartitioned: "none"}
	meaningWords = map[quasi.Meaning]string{quasi.Slots: "slots", quasi.Classes: "classes"}
)

// meant returns what a word stands for.
func meant[T comparable](words map[T]string, kind, text string) (T, error) {
	for x, word := range words {
		if word == text {
			return x, nil
		}
	}
	var none T
	return none, fmt.Errorf("unknown %s %q", kind, text)
}

type certificateForm struct {
	Version    int          `json:"linsat"`
	Question   questionForm `json:"question"`
	Verdict    string       `json:"verdict"`
	Partitions []partForm   `json:"parts"`
}

type questionForm struct {
	Spec      string     `json:"spec"`
	Initial   *string    `json:"initial,omitempty"`
	Partition string     `json:"partition"`
	Quasi     *quasiForm `json:"quasi,omitempty"`
}

type quasiForm struct {
	Factor  map[string]proof.Bound `json:"factor"`
	Sets    []setForm              `json:"sets,omitempty"`
	Meaning string                 `json:"meaning"`
	Drain   bool                   `json:"drain"`
	Causal  bool                   `json:"causal"`
}

type setForm struct {
	Operations string      `json:"operations"`
	Bound      proof.Bound `json:"bound"`
}

type partForm struct {
	Operations []string        `json:"operations"`
	Witness    []history.OpID  `json:"witness,omitempty"`
	Rearranged []history.OpID  `json:"rearranged,omitempty"`
	Drains     int             `json:"drains,omitempty"`
	Proof      json.RawMessage `json:"proof,omitempty"`
}

// WriteCertificate writes c as JSON, a step of an argument a line. The error is that of w, or says
// what has no JSON form.
func WriteCertificate(w io.Writer, c *Certificate) error {
	f := certificateForm{Version: CertificateVersion, Question: c.Question.form(), Partitions: []partForm{}}
	var known bool
	if f.Verdict, known = verdictWords[c.Verdict]; !known {
		return fmt.Errorf("there is no certificate of the verdict %q", c.Verdict)
	}
	for i := range c.Partitions {
		p := &c.Partitions[i]
		x := partForm{Operations: p.Operations, Witness: p.Witness, Rearranged: p.Rearranged, Drains: p.Drains}
		if p.Proof != nil {
			var err error
			if x.Proof, err = proof.Marshal(p.Proof); err != nil {
				return err
			}
		}
		f.Partitions = append(f.Partitions, x)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(f); err != nil {
		return err
	}
	_, err := io.WriteString(w, together(b.String()))
	return err
}

func (s Stated) form() questionForm {
	f := questionForm{Spec: s.Spec, Partition: partitionWords[s.Partition]}
	if s.Initial != "" {
		f.Initial = &s.Initial
	}
	if s.Quasi != nil {
		f.Quasi = &quasiForm{map[string]proof.Bound{}, nil, meaningWords[s.Quasi.Meaning], s.Quasi.Drain,
			s.Quasi.Causal}
		for class, b := range s.Quasi.Factor {
			f.Quasi.Factor[class] = proof.Bound(b)
		}
		for _, set := range s.Quasi.Sets {
			f.Quasi.Sets = append(f.Quasi.Sets, setForm{set.Operations, proof.Bound(set.Bound)})
		}
	}
	return f
}

func (f questionForm) stated() (s Stated, err error) {
	s.Spec = f.Spec
	if f.Initial != nil {
		s.Initial = *f.Initial
	}
	if s.Partition, err = meant(partitionWords, "partition", f.Partition); err != nil || f.Quasi == nil {
		return s, err
	}
	s.Quasi = &StatedQuasi{Factor: map[string]int32{}, Drain: f.Quasi.Drain, Causal: f.Quasi.Causal}
	for class, b := range f.Quasi.Factor {
		s.Quasi.Factor[class] = int32(b)
	}
	for _, set := range f.Quasi.Sets {
		s.Quasi.Sets = append(s.Quasi.Sets, quasi.Set{Operations: set.Operations, Bound: int32(set.Bound)})
	}
	s.Quasi.Meaning, err = meant(meaningWords, "quasi meaning", f.Quasi.Meaning)
	return s, err
}

// ReadCertificate reads what WriteCertificate writes. The error says what is malformed, of which
// version the certificate is if this is another one, or is that of r.
func ReadCertificate(r io.Reader) (*Certificate, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxCertificate+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxCertificate:
		return nil, fmt.Errorf("a certificate of more than %d bytes", maxCertificate)
	}
	if err := checkVersion(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var f certificateForm
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("malformed certificate: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("malformed certificate: more than one JSON value")
	}
	c := &Certificate{}
	if c.Question, err = f.Question.stated(); err != nil {
		return nil, fmt.Errorf("malformed certificate: %w", err)
	}
	if c.Verdict, err = meant(verdictWords, "verdict", f.Verdict); err != nil {
		return nil, fmt.Errorf("malformed certificate: %w", err)
	}
	for _, x := range f.Partitions {
		p := PartitionCertificate{Operations: x.Operations, Witness: x.Witness, Rearranged: x.Rearranged,
			Drains: x.Drains}
		if x.Proof != nil {
			if p.Proof, err = proof.Unmarshal(x.Proof); err != nil {
				return nil, err
			}
		}
		c.Partitions = append(c.Partitions, p)
	}
	return c, nil
}

// notJSON names the two commonest reasons why a text is not JSON.
func notJSON(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is cut off")
	}
	return err
}

// checkVersion refuses certificates of other versions and what is not a certificate.
func checkVersion(data []byte) error {
	var f struct {
		Version *int `json:"linsat"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&f); err != nil {
		return fmt.Errorf("not a certificate: %w", notJSON(err))
	}
	switch {
	case f.Version == nil:
		return errors.New(`not a certificate: it has no field "linsat" with the version of the format`)
	case *f.Version < CertificateVersion:
		return fmt.Errorf(
			"a certificate of version %d, which is no longer read: write it anew from the history with this linsat "+
				"(linsat solve --certificate)", *f.Version)
	case *f.Version > CertificateVersion:
		return fmt.Errorf(
			"a certificate of version %d, and this linsat reads version %d: verify it with the linsat that wrote it, "+
				"or a newer one", *f.Version, CertificateVersion)
	}
	return nil
}

// together puts lists of numbers and of short names, which indentation spreads over a line each, on
// one line.
func together(text string) string {
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	plain := func(line string) bool {
		line = strings.TrimSuffix(strings.TrimSpace(line), ",")
		return line != "" && (strings.Trim(line, "-0123456789") == "" || line[0] == '"' &&
			!strings.ContainsAny(line, " :[]{}\\"))
	}
	for i := 0; i < len(lines); i++ {
		if i+1 < len(lines) && strings.HasSuffix(lines[i], "[\n") && plain(lines[i+1]) {
			out.WriteString(strings.TrimSuffix(lines[i], "\n"))
			for i++; plain(lines[i]); i++ {
				word := strings.TrimSpace(lines[i])
				out.WriteString(word)
				if strings.HasSuffix(word, ",") {
					out.WriteByte(' ')
				}
			}
			out.WriteString(strings.TrimLeft(lines[i], " "))
			continue
		}
		out.WriteString(lines[i])
	}
	return out.String()
}
