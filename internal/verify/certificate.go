package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
)

// Certificate is an answer with what proves it, for a history that is given apart.
// docs/certificates.md describes it.
type Certificate struct {
	Version int    `json:"linsat"`
	Verdict string `json:"verdict"` // as engine.Verdict writes it
	Spec    string `json:"spec"`
	Initial string `json:"initial,omitempty"` // as JSON; "" where the history states none
	Quasi   *Quasi `json:"quasi,omitempty"`
	Split   string `json:"split"` // as model.Partitioning writes it
	// Parts are all parts of a history that is linearizable, or one that is not.
	Parts []PartCertificate `json:"parts"`
}

// CertificateVersion is the version that is written and read.
const CertificateVersion = 1

// Quasi is a relaxation.
type Quasi struct {
	Bounds  string `json:"bounds"` // "insertions=0,removals=2"
	Meaning string `json:"meaning"`
	Drain   bool   `json:"drain,omitempty"`
	Causal  bool   `json:"causal,omitempty"`
}

// PartCertificate proves the answer for a part. Operations are positions in it.
type PartCertificate struct {
	// ids (or positions in the input) of the part's operations in the order of their calls
	Operations []string `json:"operations"`

	// Of a yes: the operations in their order; under a relaxation ρ′ and ρ″, and how many drains
	// there are, numbered from the number of operations on.
	Witness    []int32 `json:"witness,omitempty"`
	Rearranged []int32 `json:"rearranged,omitempty"`
	Drains     int     `json:"drains,omitempty"`

	// Of a no: what is refuted, and by an argument or (Search: at most so many nodes) by trying
	// all; or a refutation of a relaxed queue.
	Claim      *proof.Weakening `json:"claim,omitempty"`
	Argument   *proof.Argument  `json:"argument,omitempty"`
	Search     int              `json:"search,omitempty"`
	Refutation *RefutationJSON  `json:"refutation,omitempty"`
	Evidence   *EvidenceJSON    `json:"evidence,omitempty"` // of a monitor
}

// RefutationJSON is a proof.Displacement.
type RefutationJSON struct {
	Bound int32      `json:"bound"`
	Steps []LagsStep `json:"steps"`
}

// LagsStep is a proof.DisplacementStep.
type LagsStep struct {
	Rule  string `json:"rule"`
	Place bool   `json:"place,omitempty"`
	Upper bool   `json:"upper,omitempty"`
	Op    int32  `json:"op,omitempty"`
	Value int32  `json:"value,omitempty"`
	Edge  int32  `json:"edge,omitempty"`
	By    int32  `json:"by,omitempty"`
}

// NewCertificate starts a certificate for an answer about h under s, and under r unless that is
// nil; parts are to be added.
func NewCertificate(h *history.History, s model.Spec, r *quasi.Question, scope model.Partitioning, verdict engine.Verdict) *Certificate {
	c := &Certificate{Version: CertificateVersion, Verdict: verdict.String(), Spec: s.Info().Name, Split: scope.String(), Initial: initial(h)}
	if r != nil {
		var bounds []string
		for i, b := range r.Factor {
			bounds = append(bounds, s.Info().Classes[i].Name+"="+quasi.FormatBound(b))
		}
		c.Quasi = &Quasi{strings.Join(bounds, ","), r.Meaning.String(), r.Drain, r.Causal}
	}
	return c
}

// PartOf starts the certificate of a part: it names its operations.
func PartOf(p *model.Partition) PartCertificate {
	c := PartCertificate{Operations: make([]string, p.Len())}
	for i := range c.Operations {
		c.Operations[i] = p.ID(int32(i))
	}
	return c
}

// Refuted adds a refutation of a relaxed queue.
func (c *PartCertificate) Refuted(r *proof.Displacement) {
	c.Refutation = &RefutationJSON{Bound: r.Bound}
	for _, s := range r.Steps {
		c.Refutation.Steps = append(c.Refutation.Steps, LagsStep{s.Rule.String(), s.Place, s.Upper, s.Op, s.Value, s.Edge, s.By})
	}
}

func (r *RefutationJSON) refutation() (*proof.Displacement, error) {
	out := &proof.Displacement{Bound: r.Bound}
	for _, s := range r.Steps {
		rule := proof.RuleDisplacement
		for ; rule.String() != s.Rule; rule++ {
			if rule == proof.RuleExhausted {
				return nil, fmt.Errorf("there is no rule %q", s.Rule)
			}
		}
		out.Steps = append(out.Steps, proof.DisplacementStep{Rule: rule, Place: s.Place, Upper: s.Upper, Op: s.Op, Value: s.Value, Edge: s.Edge, By: s.By})
	}
	return out, nil
}

func initial(h *history.History) string {
	if !h.HasInitial {
		return ""
	}
	return h.Values.Format(h.Initial)
}

// WriteCertificate writes c as JSON, a step of an argument a line.
func WriteCertificate(w io.Writer, c *Certificate) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(c); err != nil {
		return err
	}
	_, err := io.WriteString(w, together(b.String()))
	return err
}

// together puts lists of numbers and of short names, which indentation spreads over a line each, on
// one line.
func together(text string) string {
	var out strings.Builder
	lines := strings.SplitAfter(text, "\n")
	plain := func(line string) bool {
		line = strings.TrimSuffix(strings.TrimSpace(line), ",")
		return line != "" && (strings.Trim(line, "-0123456789") == "" || line[0] == '"' && !strings.ContainsAny(line, " :[]{}\\"))
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

// maxCertificate bounds the size of a certificate that is read.
const maxCertificate = 1 << 30

// ReadCertificate reads what WriteCertificate writes. The error says what is malformed.
func ReadCertificate(r io.Reader) (*Certificate, error) {
	d := json.NewDecoder(io.LimitReader(r, maxCertificate))
	d.DisallowUnknownFields()
	c := &Certificate{}
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("no certificate: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one certificate")
	}
	if c.Version != CertificateVersion {
		return nil, fmt.Errorf("a certificate of version %d, not %d", c.Version, CertificateVersion)
	}
	return c, nil
}

// judge is Verify without its walls.
func judge(ctx context.Context, h *history.History, s model.Spec, c *Certificate) error {
	info := s.Info()
	if c.Version != CertificateVersion {
		return fmt.Errorf("a certificate of version %d, not %d", c.Version, CertificateVersion)
	}
	if c.Spec != info.Name {
		return fmt.Errorf("the certificate is about a %s, not about a %s", c.Spec, info.Name)
	}
	if err := specs.CheckStated(s, h); err != nil {
		return err
	}
	if want := initial(h); c.Initial != want {
		return fmt.Errorf("the certificate starts from %q, the history from %q", c.Initial, want)
	}
	relax, err := c.Quasi.relaxation(info)
	if err != nil {
		return err
	}
	scope, err := scopeOf(c.Split)
	if err != nil {
		return err
	}
	if relax != nil && scope == model.ByKey {
		return errors.New("under a relaxation, a history is split by object only")
	}
	parts := model.Split(s, h, scope)
	switch c.Verdict {
	case engine.Linearizable.String():
		return judgeYes(ctx, s, parts, relax, c)
	case engine.NotLinearizable.String():
		return judgeNo(ctx, s, parts, relax, c)
	}
	return fmt.Errorf("there is nothing to prove about the verdict %q", c.Verdict)
}

func scopeOf(name string) (model.Partitioning, error) {
	for _, s := range []model.Partitioning{model.ByKey, model.ByObject, model.Unpartitioned} {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("there is no way %q to split a history", name)
}

// relaxation returns nil for plain linearizability.
func (q *Quasi) relaxation(info model.Info) (*quasi.Question, error) {
	if q == nil {
		return nil, nil
	}
	request, err := quasi.Parse(info, q.Bounds)
	if err != nil {
		return nil, err
	}
	if request.Least {
		return nil, errors.New("the bounds are not stated")
	}
	meaning, err := quasi.ParseMeaning(q.Meaning)
	if err != nil {
		return nil, err
	}
	return &quasi.Question{Factor: request.Factor, Meaning: meaning, Drain: q.Drain, Causal: q.Causal}, nil
}

// of says whether the certificate names exactly the operations of a part.
func (c *PartCertificate) of(p *model.Partition) bool {
	if len(c.Operations) != p.Len() {
		return false
	}
	for i, id := range c.Operations {
		if p.ID(int32(i)) != id {
			return false
		}
	}
	return true
}

func judgeYes(ctx context.Context, s model.Spec, parts []*model.Partition, relax *quasi.Question, c *Certificate) error {
	if len(c.Parts) != len(parts) {
		return fmt.Errorf("%d parts are certified, the history has %d", len(c.Parts), len(parts))
	}
	byFirst := map[string]*PartCertificate{}
	for i := range c.Parts {
		byFirst[firstOf(c.Parts[i].Operations)] = &c.Parts[i]
	}
	for _, p := range parts {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		first := ""
		if p.Len() > 0 {
			first = p.ID(0)
		}
		k := byFirst[first]
		if k == nil || !k.of(p) {
			return fmt.Errorf("the part %q of %d operations is not certified", p.Name, p.Len())
		}
		b, err := s.Bind(p)
		if err != nil {
			return err
		}
		switch {
		case k.Drains < 0 || relax == nil && (k.Drains > 0 || len(k.Rearranged) > 0):
			err = errors.New("drains or ρ″ where there can be none")
		case relax != nil:
			err = Rearrangement(b, relax, k.Witness, k.Rearranged, k.Drains)
		default:
			err = Witness(b, k.Witness)
		}
		if err != nil {
			return fmt.Errorf("part %q: %w", p.Name, err)
		}
	}
	return nil
}

func firstOf(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

func judgeNo(ctx context.Context, s model.Spec, parts []*model.Partition, relax *quasi.Question, c *Certificate) error {
	if len(c.Parts) != 1 {
		return fmt.Errorf("%d parts are refuted, one is enough", len(c.Parts))
	}
	k := &c.Parts[0]
	at := slices.IndexFunc(parts, k.of)
	if at < 0 {
		return errors.New("the history has no part of just these operations")
	}
	b, err := s.Bind(parts[at])
	if err != nil {
		return err
	}
	switch {
	case relax != nil && k.Refutation != nil:
		r, err := k.Refutation.refutation()
		if err != nil {
			return err
		}
		return lag(ctx, b, relax, r, nil)
	case relax == nil && k.Evidence != nil:
		return Evidence(ctx, b, k.Evidence.evidence())
	case relax != nil && k.Argument != nil:
		return errors.New("a relaxation is not refuted by an argument about linearizability")
	case k.Claim == nil:
		return errors.New("it does not say what is refuted")
	case k.Argument != nil:
		return argue(ctx, b, k.Claim, k.Argument)
	case k.Search > 0 && relax != nil:
		_, err := exhaustedQuasi(ctx, b, relax, k.Claim, min(k.Search, MaxNodes))
		return err
	case k.Search > 0:
		_, err := exhausted(ctx, b, k.Claim, min(k.Search, MaxNodes))
		return err
	}
	return errors.New("there is nothing that proves it")
}
