package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Certificates in JSON (docs/certificates.md, docs/certificate.schema.json).

// CertificateVersion is the version of certificates that is written and read.
const CertificateVersion = 2

// certificateForm is a certificate with its version, its verdict as a word, and proofs in their own
// form.
type certificateForm struct {
	Version int `json:"linsat"`
	Certificate
	Verdict    string          `json:"verdict"`
	Partitions []partitionForm `json:"parts"`
}

type partitionForm struct {
	PartitionCertificate
	Proof json.RawMessage `json:"proof,omitempty"`
}

// readWords reads the words, and refuses those that the format does not have.
func (f *certificateForm) readWords() error {
	for _, v := range []engine.Verdict{engine.Linearizable, engine.NotLinearizable} {
		if f.Verdict == v.String() {
			f.Certificate.Verdict = v
			_, err := model.ParsePartitioning(f.Question.Partition)
			return err
		}
	}
	return fmt.Errorf("there is no certificate of the verdict %q", f.Verdict)
}

// WriteCertificate writes c as JSON, a step of an argument a line. The error is that of w, or says
// what has no JSON form.
func WriteCertificate(w io.Writer, c *Certificate) error {
	f := certificateForm{CertificateVersion, *c, c.Verdict.String(), []partitionForm{}}
	if err := f.readWords(); err != nil {
		return err
	}
	for _, p := range c.Partitions {
		x := partitionForm{PartitionCertificate: p}
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
	if err := f.readWords(); err != nil {
		return nil, fmt.Errorf("malformed certificate: %w", err)
	}
	c := &f.Certificate
	for _, x := range f.Partitions {
		if x.Proof != nil {
			if x.PartitionCertificate.Proof, err = proof.Unmarshal(x.Proof); err != nil {
				return nil, err
			}
		}
		c.Partitions = append(c.Partitions, x.PartitionCertificate)
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
