package fleet

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/rows"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestQuestionsNameNoFile: what would write, read or mean something else at a worker is refused.
func TestQuestionsNameNoFile(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--certificate x", "--certificate is not allowed after --: workers take no flags that name files"},
		{"--certificate=x", "--certificate is not allowed"},
		{"--html x", "--html is not allowed"},
		{"--proof x.lrat", "--proof is not allowed"},
		{"--rows x", "--rows is not allowed after --: `linsat submit --format json` writes rows"},
		{"--shard 1/2", "--shard is not allowed after --: the workers of a queue share the histories without it"},
		{"--format text", "--format is not allowed after --: give --format to submit itself"},
		{"-q", "-q is not allowed"},
		{"--quiet", "--quiet is not allowed"},
		{"--help", "--help is not allowed"},
		{"-h", "-h is not allowed"},
		{"--merge", "--merge is not allowed"},
		{"--timeout 1s /etc/passwd", `"/etc/passwd" after -- is no flag`},
		{"--timeout 1s -- x", `"--" after -- is no flag`},
		{"--timeout", "--timeout needs a value"},
		{"--spec ../../secret", "--spec ../../secret: it takes the name"},
		{"--spec /nowhere/bank.star", "no such file"},
	} {
		_, _, err := asksOf(strings.Fields(c.args))
		assert.ErrorContains(t, err, c.want, c.args)
	}
	q, _, err := asksOf(strings.Fields("--timeout 60s --core=none --first --spec queue"))
	require.NoError(t, err)
	assert.Equal(t, []string{"--timeout=60s", "--core=none", "--first=true", "--spec=queue"}, q.Args)
}

// TestWorkersTrustNoSubmitter: a question that Submit would refuse is set aside by the worker, and
// writes nothing.
func TestWorkersTrustNoSubmitter(t *testing.T) {
	js := connected(t, cluster(t, 1), 1)
	text, err := os.ReadFile(writeHistories(t, 2)[1])
	require.NoError(t, err)
	target := filepath.Join(t.TempDir(), "written")
	var tickets []Ticket
	store, err := js.ObjectStore(t.Context(), histories)
	require.NoError(t, err)
	sum := rows.HashName(string(text))
	require.NoError(t, put(t.Context(), store, sum, text))
	for k, q := range []question{
		{Args: []string{"--certificate=" + target}}, {Args: []string{"--rows", target}},
		{Args: []string{"--spec=/etc/passwd.star"}},
		{Spec: &specification{"/../../written.star", sum}},
	} {
		j := job{File: fmt.Sprint(k), SHA256: sum, question: q}
		require.NoError(t, keep(t.Context(), js, workSubject+j.id(), j))
		tickets = append(tickets, Ticket{File: j.File, SHA256: sum, ID: j.id()})
	}
	worked(t, js, linsat(t), 1)
	for file, o := range collected(t, js, tickets) {
		assert.Equal(t, render.Failed, o.Verdict, file)
	}
	assert.NoFileExists(t, target)
}

// TestSpecificationsTravel: a specification in a file goes with the histories, and the process of a
// worker runs in an empty folder.
func TestSpecificationsTravel(t *testing.T) {
	dir := t.TempDir()
	spec := filepath.Join(dir, "bag.star")
	require.NoError(t,
		os.WriteFile(spec,
			[]byte("def initial():\n    return ()\ndef step(state, op):\n    if op.f == \"enq\":\n        return "+
				"state + (op.arg,)\n    return (state[1:], state[0]) if state else None\n"), 0o600))
	program, seen := filepath.Join(dir, "program"), filepath.Join(dir, "seen")
	require.NoError(t,
		os.WriteFile(program,
			[]byte(fmt.Sprintf(
				"#!/bin/sh\nls -A >> %s\necho \"[$LINSAT_FLEET_TOKEN]\" \"$@\" >> %s\necho '{\"version\": %d, "+
					"\"verdict\": \"linearizable\"}'\n", seen, seen, render.Version)), 0o755))
	t.Setenv(TokenVariable, "secret")
	js := connected(t, cluster(t, 1), 1)
	files := writeHistories(t, 1)
	tickets, err := Submit(t.Context(), js, files, []string{"--spec", spec, "--timeout", "9s"}, false)
	require.NoError(t, err)
	require.NoError(t, os.Remove(spec))
	worked(t, js, program, 1)
	assert.Equal(t, "linearizable", collected(t, js, tickets)[files[0]].Verdict)
	text, err := os.ReadFile(seen)
	require.NoError(t, err)
	assert.Regexp(t, `^\[\] solve --format json \S+/history --timeout=9s --spec=\S+/specification.star --isolate\n$`,
		string(text))
}

// TestLargeAnswers: an answer that no message holds comes in pieces.
func TestLargeAnswers(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	require.NoError(t,
		os.WriteFile(program,
			[]byte(fmt.Sprintf(
				"#!/bin/sh\nprintf '{\"version\": %d, \"verdict\": \"unknown\", \"cause\": \"'\nhead -c 3000000 "+
					"/dev/zero | tr '\\0' x\necho '\"}'\n", render.Version)), 0o755))
	js := connected(t, cluster(t, 1), 1)
	files := writeHistories(t, 1)
	tickets, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	worked(t, js, program, 1)
	o := collected(t, js, tickets)[files[0]]
	assert.Equal(t, "unknown", o.Verdict)
	assert.Len(t, o.Cause, 3000000)
}

// TestAnswerThatCannotBeStored: the cause says so.
func TestAnswerThatCannotBeStored(t *testing.T) {
	js := connected(t, cluster(t, 1), 1)
	_, err := js.UpdateStream(t.Context(), jetstream.StreamConfig{Name: resultStream,
		Subjects: []string{resultSubject + "*"}, MaxMsgsPerSubject: 1, MaxMsgSize: 10, Replicas: 1,
		Storage: jetstream.FileStorage})
	require.NoError(t, err)
	files := writeHistories(t, 1)
	tickets, err := Submit(t.Context(), js, files, nil, false)
	require.NoError(t, err)
	worked(t, js, linsat(t), 1)
	o := collected(t, js, tickets)[files[0]]
	assert.Equal(t, render.Failed, o.Verdict)
	assert.Contains(t, o.Cause, "set aside after 2 attempts: its answer could not be stored: ")
}

// TestTokens: a server that other machines reach does not start without a token, and lets nobody in
// without it; the token that it makes stays.
func TestTokens(t *testing.T) {
	_, err := Serve(ServerOptions{Host: "0.0.0.0", Port: -1, Dir: t.TempDir()})
	require.ErrorContains(t, err, "needs a token")
	for host, want := range map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true, "": false,
		"0.0.0.0": false, "::": false, "queue": false} {
		assert.Equal(t, want, Loopback(host), host)
	}
	dir := filepath.Join(t.TempDir(), "data")
	token, file, err := OwnToken(dir)
	require.NoError(t, err)
	again, _, err := OwnToken(dir)
	require.NoError(t, err)
	assert.Equal(t, token, again)
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Zero(t, info.Mode()&0o077)
	s, err := Serve(ServerOptions{Name: "n", Host: "127.0.0.1", Port: -1, Dir: dir, Token: token})
	require.NoError(t, err)
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	for given, ok := range map[string]bool{token: true, "": false, "wrong": false} {
		conn, err := nats.Connect(s.ClientURL(), nats.Token(given), nats.Timeout(time.Minute))
		if ok {
			require.NoError(t, err)
			conn.Close()
		} else {
			assert.ErrorIs(t, err, nats.ErrAuthorization)
		}
	}
}

// TestJobsAreRead: what a worker reads is what Submit wrote.
func TestJobsAreRead(t *testing.T) {
	j := job{File: "f", SHA256: "s", question: question{Args: []string{"--first=true"},
		Spec: &specification{".star", "h"}}}
	text, err := json.Marshal(j)
	require.NoError(t, err)
	var read job
	require.NoError(t, json.Unmarshal(text, &read))
	assert.Equal(t, j, read)
	assert.NotEqual(t, j.id(), job{File: "f", SHA256: "s", question: question{Args: []string{"--first=true"}}}.id())
}

// TestAllowedFlags: they are flags of linsat solve, which take a value or none as is said here.
func TestAllowedFlags(t *testing.T) {
	help, err := exec.Command(linsat(t), "solve", "--help").Output()
	require.NoError(t, err)
	for name, takes := range allowed {
		at := regexp.MustCompile(`(?m)^ +--` + name + `( [a-z]+)?  `).FindSubmatch(help)
		if assert.NotNil(t, at, name) {
			assert.Equal(t, takes, len(at[1]) > 0, name)
		}
	}
}
