package history_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// report writes a report of etcd's robustness tests: lines of each client.
func report(t *testing.T, clients map[int]string) string {
	dir := t.TempDir()
	for n, lines := range clients {
		client := filepath.Join(dir, fmt.Sprint("client-", n))
		require.NoError(t, os.MkdirAll(client, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(client, "operations.json"), []byte(lines), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(client, "watch.json"), []byte(`{"Request": {}}`), 0o600))
	}
	return dir
}

// TestEtcdReport reads each kind of request and of response.
func TestEtcdReport(t *testing.T) {
	dir := report(t, map[int]string{
		1: `{"ClientId":1,"Input":{"Type":"txn","LeaseGrant":null,"Range":null,"Txn":{"Conditions":null,"OperationsOnSuccess":[{"Type":"put-operation","Range":{"Start":"","End":"","Limit":0},"Put":{"Key":"a","Value":{"Value":"x"},"LeaseID":0},"Delete":{"Key":""}}],"OperationsOnFailure":null},"Defragment":null},"Call":1,"Output":{"Txn":{"Failure":false,"Results":[{"KVs":null,"Count":0,"Deleted":0}]},"Range":null,"Revision":2,"Persisted":false,"PersistedRevision":0,"Error":""},"Return":4}
{"ClientId":1,"Input":{"Type":"range","Range":{"Start":"a","End":"b","Limit":2,"Revision":2}},"Call":5,"Output":{"Range":{"KVs":[{"Key":"a","Value":{"Value":"x"},"ModRevision":2,"Version":1}],"Count":1},"Revision":-1},"Return":6}
{"ClientId":1,"Input":{"Type":"defragment","Defragment":{}},"Call":7,"Output":{"Defragment":{},"Revision":2},"Return":8}`,
		2: `{"ClientId":2,"Input":{"Type":"txn","Txn":{"Conditions":[{"Key":"a","ExpectedRevision":2},{"Key":"b","ExpectedRevision":0,"ExpectedVersion":3}],"OperationsOnSuccess":[{"Type":"delete-operation","Delete":{"Key":"a"}},{"Type":"range-operation","Range":{"Start":"a"}}],"OperationsOnFailure":[{"Type":"put-operation","Put":{"Key":"c","Value":{"Hash":77},"LeaseID":9}}]}},"Call":10,"Output":{"Txn":{"Failure":false,"Results":[{"Deleted":1},{"KVs":null,"Count":0}]},"Revision":3},"Return":12}
{"ClientId":2,"Input":{"Type":"leaseGrant","LeaseGrant":{"LeaseID":9}},"Call":13,"Output":{"LeaseGrant":{"LeaseID":9},"Revision":0},"Return":14}
{"ClientId":2,"Input":{"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":9}},"Call":15,"Output":{"LeaseRevoke":{},"Revision":3},"Return":16}
{"ClientId":2,"Input":{"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"delete-operation","Delete":{"Key":"a"}}]}},"Call":17,"Output":{"Error":"context deadline exceeded"},"Return":18}
{"ClientId":2,"Input":{"Type":"compact","Compact":{"Revision":3}},"Call":19,"Output":{"ClientError":"etcdserver: mvcc: required revision has been compacted"},"Return":20}
{"ClientId":2,"Input":{"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"put-operation","Put":{"Key":"d","Value":{"Value":"y"}}}]}},"Call":21,"Output":{"Persisted":true,"PersistedRevision":5},"Return":22}
{"ClientId":2,"Input":{"Type":"range","Range":{"Start":"a"}},"Call":23,"Output":{},"Return":9223372036854775807}`,
	})
	files, err := history.Files(dir, nil)
	require.NoError(t, err)
	require.Equal(t, []string{dir}, files)
	h, err := history.ReadFile(dir, history.ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, "etcd", h.Spec)
	var all []string
	for i := range h.Ops {
		o := &h.Ops[i]
		f := h.Values.Format(o.F)
		result := "?"
		if !o.Pending() {
			result = h.Values.Format(o.Result)
		}
		all = append(all, strings.ReplaceAll(f+" "+h.Values.Format(o.Arg)+" → "+result, `"`, ""))
	}
	assert.Equal(t, []string{
		`put {key: a, value: x} → {revision: 2}`,
		`range {end: b, key: a, limit: 2, revision: 2} → {count: 1, kvs: [{key: a, mod: 2, value: x, version: 1}]}`,
		`defragment null → {revision: 2}`,
		`txn {compare: [{key: a, op: =, target: mod, value: 2}, {key: b, op: =, target: version, value: 3}], else: [[put, {key: c, lease: 9, value: hash:77}]], then: [[delete, {key: a}], [range, {key: a}]]} → {responses: [{deleted: 1}, {count: 0, kvs: []}], revision: 3, succeeded: true}`,
		`grant {lease: 9} → true`,
		`revoke {lease: 9} → {revision: 3}`,
		`delete {key: a} → ?`,
		`compact {revision: 3} → {error: compacted}`,
		`put {key: d, value: y} → {revision: 5}`,
		`range {key: a} → ?`,
	}, all)
}

// TestBadEtcdReport: what cannot be a report is refused at its place.
func TestBadEtcdReport(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"ClientId":1,"Input":{"Type":"watch","Range":{}},"Call":1,"Output":{},"Return":2}`,
			`operations.json:1: a request of type "watch" without its content`},
		{`{"ClientId":1,"Input":{"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"increment"}]}},"Call":1,"Output":{},"Return":2}`, "operations.json:1: a transaction with an operation of unknown type"},
		{`{"ClientId":1,"Input":{"Type":"range","Range":{"Start":"a"}},"Call":"x","Output":{},"Return":2}`,
			`operations.json:1: "Call" is a string, not an integer`},
	} {
		_, err := history.ReadFile(report(t, map[int]string{0: c.line}), history.ReadOptions{})
		require.ErrorContains(t, err, c.want)
	}
	// a directory of another kind is none
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "client-1"), 0o755))
	_, err := history.ReadFile(dir, history.ReadOptions{})
	require.ErrorContains(t, err, "is a directory")
}

// TestEtcdWatches: an event of a put that one request makes is the return of that request.
func TestEtcdWatches(t *testing.T) {
	put := func(client, value string, call int) string {
		return fmt.Sprintf(
			`{"ClientId":%s,"Input":{"Type":"txn","Txn":{"Conditions":[{"Key":"a","ExpectedRevision":0}],"OperationsOnSuccess":[{"Type":"put-operation","Put":{"Key":"a","Value":{"Value":"%s"}}}]}},"Call":%d,"Output":{"Error":"timeout"},"Return":%d}`, client, value, call, call+1) + "\n"
	}
	dir := report(t, map[int]string{1: put("1", "x", 10) + put("1", "y", 20) + put("1", "z", 30), 2: put("2", "y", 12)})
	watch := filepath.Join(dir, "client-7")
	require.NoError(t, os.MkdirAll(watch, 0o755))
	events := func(time int, all string) string {
		return fmt.Sprintf(
			`{"Request":{"Key":"a"},"Responses":[{"Events":null,"IsProgressNotify":true,"Revision":1,"Time":3},{"Events":[%s],"Revision":3,"Time":%d}]}`, all, time) + "\n"
	}
	event := func(value string, revision int) string {
		return fmt.Sprintf(
			`{"Type":"put-operation","Key":"a","Value":{"Value":"%s","Hash":0},"Revision":%d,"IsCreate":true,"PrevValue":null}`, value, revision)
	}
	require.NoError(t, os.WriteFile(filepath.Join(watch, "watch.json"), []byte(
		events(90, event("x", 2)+","+event("y", 3))+
			events(40, event("x", 2)+`,{"Type":"delete-operation","Key":"a","Revision":4}`)), 0o600))
	h, err := history.ReadFile(dir, history.ReadOptions{})
	require.NoError(t, err)
	var all []string
	for i := range h.Ops {
		o, what := &h.Ops[i], "?"
		if !o.Pending() {
			what = fmt.Sprint(h.Values.Format(o.Result), h.Origins[i].ReturnTime, h.Revisions[i].Number)
		}
		then, _ := h.Values.AsMap(o.Arg)
		all = append(all, h.Values.Format(then[3])+" → "+what)
	}
	want := func(value, result string) string {
		return `[["put", {"key": "a", "value": "` + value + `"}]] → ` + result
	}
	assert.Equal(t, []string{want("x", `{"revision": 2}40 2`), want("y", "?"), want("y", "?"), want("z", "?")}, all)
	assert.Contains(t, history.Parts(dir), filepath.Join(watch, "watch.json"))

	require.NoError(t, os.WriteFile(filepath.Join(watch, "watch.json"), []byte("{\"Responses\": [{\n\"Events\": ["),
		0o600))
	_, err = history.ReadFile(dir, history.ReadOptions{})
	require.ErrorContains(t, err, "watch.json:2: ")
}
