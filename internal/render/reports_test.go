package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/words"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rowsOfEveryKind has a row of each verdict, with text that means something to every format.
func rowsOfEveryKind() []*Object {
	const name = "a&<b>\"'\x1b[2J%0A,:\n::error::x"
	no := &Object{Version: Version, File: name, Verdict: "not linearizable", Answer: "not linearizable",
		Spec: "queue", Operations: 3,
		Argument: []string{"]]> " + name}, Failure: &FailObject{Operation: "x" + name, Text: name, Line: 7},
		Partitions: []PartitionVerdict{{Name: name, Verdict: "not linearizable"}, {Verdict: "not linearizable"}}}
	return []*Object{
		no,
		{Version: Version, File: "yes", Verdict: "linearizable", Answer: "linearizable", Spec: "queue"},
		{Version: Version, File: "empty", Verdict: "linearizable", Answer: words.NothingToCheck, Vacuous: true,
			Spec: "queue"},
		{Version: Version, File: "open", Verdict: "unknown", Answer: "unknown", Cause: "timeout " + name,
			Spec: "queue"},
		ErrorObject(name, Failed, name+": bad", "hint "+name),
		ErrorObject("engines", Disagreement, "they contradict each other", ""),
	}
}

func reported(t *testing.T, format string) string {
	t.Helper()
	var b bytes.Buffer
	r, err := NewReport(format, &b, words.Style{}, "1.2.3")
	require.NoError(t, err)
	for _, o := range rowsOfEveryKind() {
		require.NoError(t, r.Add(o))
	}
	require.NoError(t, r.Close())
	return b.String()
}

// TestReportsStayInTheirFormat: no text of a file gets out of its place.
func TestReportsStayInTheirFormat(t *testing.T) {
	for _, format := range ReportFormats {
		if format != "json" { // which escapes as JSON does
			harmless(t, strings.ReplaceAll(reported(t, format), "\t", " ")) // between fields
		}
	}
	assert.Len(t, strings.Split(strings.TrimSpace(reported(t, "text")), "\n"), 6)
	assert.Len(t, strings.Split(strings.TrimSpace(reported(t, "json")), "\n"), 6)
	table := strings.Split(strings.TrimSpace(reported(t, "tsv")), "\n")
	require.Len(t, table, 7)
	for _, line := range table[:6] {
		assert.Len(t, strings.Split(line, "\t"), len(tsvColumns))
	}
}

func TestJUnit(t *testing.T) {
	text := reported(t, "junit")
	counts := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err, text)
		if start, ok := token.(xml.StartElement); ok {
			counts[start.Name.Local]++
		}
	}
	assert.Equal(t, map[string]int{"testsuites": 1, "testsuite": 1, "testcase": 6, "failure": 1, "error": 3,
		"skipped": 1}, counts)
	assert.Contains(t, text, `tests="6" failures="1" errors="3" skipped="1"`)
}

func TestSARIF(t *testing.T) {
	var log sarifLog
	require.NoError(t, json.Unmarshal([]byte(reported(t, "sarif")), &log))
	rules := map[string]bool{}
	for _, r := range log.Runs[0].Tool.Driver.Rules {
		rules[r.ID] = true
	}
	var levels []string
	for _, r := range log.Runs[0].Results {
		assert.True(t, rules[r.RuleID])
		levels = append(levels, r.RuleID+" "+r.Level)
		assert.NotContains(t, r.Locations[0].Physical.Artifact.URI, " ")
	}
	assert.Equal(t, []string{"not-linearizable error", "undecided warning", "no-answer error", "no-answer error"},
		levels)
	assert.Equal(t, 7, log.Runs[0].Results[0].Locations[0].Physical.Region.StartLine)
	assert.Equal(t, "file:///tmp/a%20b.json", fileURI("/tmp/a b.json"))
	assert.Equal(t, "./a:b.json", fileURI("a:b.json"))
}

// TestGitHubAnnotations: each is one line, and its properties end where they should.
func TestGitHubAnnotations(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(reported(t, "github")), "\n")
	require.Len(t, lines, 6)
	assert.True(t,
		strings.HasPrefix(lines[0],
			`::error file=a&<b>"'\x1b[2J%250A%2C%3A\n%3A%3Aerror%3A%3Ax,line=7,title=linsat::not linearizable (queue, 3 operations)`), lines[0])
	assert.Equal(t, "linsat: yes: linearizable", lines[1])
	assert.True(t, strings.HasPrefix(lines[3],
		"::warning file=open,title=linsat::unknown (queue, 0 operations): timeout"), lines[3])
	assert.True(t, strings.HasPrefix(lines[5], "::error file=engines,title=linsat::disagreement: they"), lines[5])
}

func TestUnknownReport(t *testing.T) {
	_, err := NewReport("xml", io.Discard, words.Style{}, "")
	assert.Error(t, err)
}
