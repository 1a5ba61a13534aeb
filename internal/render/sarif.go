package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/internal/escape"
)

// sarif writes one SARIF 2.1.0 log, which code scanning shows beside the files.
type sarif struct {
	w   io.Writer
	log sarifLog
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

func newSARIF(w io.Writer, release string) *sarif {
	return &sarif{w, sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0",
		Runs: []sarifRun{{Results: []sarifResult{}, Tool: sarifTool{sarifDriver{"linsat", release, []sarifRule{
			{ruleViolation, sarifText{"The history is not linearizable, or not within the bound that was asked for."}},
			{ruleUndecided, sarifText{"A limit was reached before the history was decided."}},
			{ruleNoAnswer, sarifText{"The file could not be checked."}},
		}}}}},
	}}
}

func (s *sarif) Add(o *Object) error {
	f := o.finding()
	if f.rule == "" {
		return nil
	}
	r := sarifResult{RuleID: f.rule, Level: "error",
		Message: sarifText{strings.Join(append([]string{f.headline}, f.body...), "\n")}}
	if f.rule == ruleUndecided {
		r.Level = "warning"
	}
	if o.File != "-" {
		at := sarifPhysical{Artifact: sarifArtifact{fileURI(o.File)}}
		if f.line > 0 {
			at.Region = &sarifRegion{f.line}
		}
		r.Locations = []sarifLocation{{at}}
	}
	s.log.Runs[0].Results = append(s.log.Runs[0].Results, r)
	return nil
}

// fileURI writes the name of a file as a URI: a relative one stays relative.
func fileURI(name string) string {
	slashed := filepath.ToSlash(name)
	first, _, _ := strings.Cut(slashed, "/")
	var b strings.Builder
	switch {
	case filepath.IsAbs(name):
		b.WriteString("file://")
		if !strings.HasPrefix(slashed, "/") { // of Windows
			b.WriteByte('/')
		}
	case strings.Contains(first, ":"): // not a scheme
		b.WriteString("./")
	}
	for _, c := range []byte(slashed) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			strings.IndexByte("-._~/:@!$&'()*+,;=", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func (s *sarif) Close() error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(s.log); err != nil {
		return err
	}
	_, err := s.w.Write(escape.JSON(b.Bytes()))
	return err
}
