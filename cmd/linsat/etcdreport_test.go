package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asReport writes a generated history of etcd as a report of its robustness tests. It returns ""
// for one with what a report cannot say.
func asReport(t *testing.T, text []byte) string {
	var h struct {
		Operations []struct {
			Process      int
			F            string
			Arg          map[string]any
			Call, Return *int64
			Result       map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(text, &h))
	lines := map[int]string{}
	str := func(m map[string]any, k string) string { s, _ := m[k].(string); return s }
	num := func(m map[string]any, k string) any {
		if n, ok := m[k].(float64); ok {
			return int64(n)
		}
		return int64(0)
	}
	possible := true
	ranged := func(m map[string]any) map[string]any {
		end := str(m, "end")
		if m["prefix"] == true {
			name := []byte(str(m, "key"))
			if len(name) == 0 {
				possible = false
				return nil
			}
			name[len(name)-1]++
			end = string(name)
		}
		return map[string]any{"Start": str(m, "key"), "End": end, "Limit": num(m, "limit"),
			"Revision": num(m, "revision")}
	}
	value := func(m map[string]any) any { return map[string]any{"Value": fmt.Sprint(m["value"])} }
	request := func(f string, m map[string]any) any {
		switch f {
		case "range":
			possible = possible && m["revision"] == nil
			return map[string]any{"Type": "range-operation", "Range": ranged(m)}
		case "put":
			return map[string]any{"Type": "put-operation", "Put": map[string]any{"Key": str(m, "key"),
				"Value": value(m), "LeaseID": num(m, "lease")}}
		}
		possible = possible && m["prefix"] == nil && m["end"] == nil
		return map[string]any{"Type": "delete-operation", "Delete": map[string]any{"Key": str(m, "key")}}
	}
	result := func(m map[string]any) map[string]any {
		var kvs []any
		list, _ := m["kvs"].([]any)
		for _, kv := range list {
			kv := kv.(map[string]any)
			kvs = append(kvs, map[string]any{"Key": str(kv, "key"), "Value": value(kv), "ModRevision": num(kv, "mod"),
				"Version": num(kv, "version")})
		}
		return map[string]any{"KVs": kvs, "Count": num(m, "count"), "Deleted": num(m, "deleted")}
	}
	requests := func(v any) (all []any) {
		list, _ := v.([]any)
		for _, r := range list {
			pair := r.([]any)
			all = append(all, request(pair[0].(string), pair[1].(map[string]any)))
		}
		return all
	}
	for _, o := range h.Operations {
		in, out := map[string]any{}, map[string]any{"Revision": num(o.Result, "revision")}
		switch o.F {
		case "range":
			in["Type"], in["Range"] = "range", ranged(o.Arg)
			out["Range"] = result(o.Result)
		case "put", "delete":
			in["Type"], in["Txn"] = "txn", map[string]any{"OperationsOnSuccess": []any{request(o.F, o.Arg)}}
			out["Txn"] = map[string]any{"Results": []any{result(o.Result)}}
		case "txn":
			var conditions, results []any
			compares, _ := o.Arg["compare"].([]any)
			for _, c := range compares {
				c := c.(map[string]any)
				possible = possible && (c["op"] == nil || c["op"] == "=")
				switch {
				case c["target"] == "mod":
					conditions = append(conditions, map[string]any{"Key": str(c, "key"),
						"ExpectedRevision": num(c, "value")})
				case c["target"] == "version" && num(c, "value") != int64(0):
					conditions = append(conditions, map[string]any{"Key": str(c, "key"),
						"ExpectedVersion": num(c, "value")})
				default:
					possible = false
				}
			}
			responses, _ := o.Result["responses"].([]any)
			for _, r := range responses {
				m, _ := r.(map[string]any)
				results = append(results, result(m))
			}
			in["Type"], in["Txn"] = "txn", map[string]any{"Conditions": conditions,
				"OperationsOnSuccess": requests(o.Arg["then"]), "OperationsOnFailure": requests(o.Arg["else"])}
			out["Txn"] = map[string]any{"Failure": o.Result["succeeded"] == false, "Results": results}
		case "grant", "revoke":
			name := map[string]string{"grant": "LeaseGrant", "revoke": "LeaseRevoke"}[o.F]
			in["Type"], in[name] = strings.ToLower(name[:1])+name[1:], map[string]any{"LeaseID": num(o.Arg, "lease")}
			out[name] = map[string]any{}
		case "compact":
			in["Type"], in["Compact"] = "compact", map[string]any{"Revision": num(o.Arg, "revision")}
			out["Compact"] = map[string]any{}
		case "defragment":
			in["Type"], in["Defragment"] = "defragment", map[string]any{}
			out["Defragment"] = map[string]any{}
		}
		ret := int64(-1)
		switch e := str(o.Result, "error"); {
		case o.Return == nil:
			out = map[string]any{"Error": "etcdserver: request timed out"}
		case e == "compacted":
			out = map[string]any{"ClientError": "etcdserver: mvcc: required revision has been compacted"}
		case e == "no lease":
			out = map[string]any{"ClientError": "etcdserver: requested lease not found"}
		case e != "":
			possible = false
		}
		if o.Return != nil {
			ret = *o.Return
		}
		line, err := json.Marshal(map[string]any{"ClientId": o.Process, "Input": in, "Call": *o.Call, "Output": out,
			"Return": ret})
		require.NoError(t, err)
		lines[o.Process] += string(line) + "\n"
	}
	if !possible {
		return ""
	}
	dir := t.TempDir()
	for n, text := range lines {
		client := filepath.Join(dir, fmt.Sprint("client-", n))
		require.NoError(t, os.MkdirAll(client, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(client, "operations.json"), []byte(text), 0o600))
	}
	return dir
}

// TestEtcdReports: a history has the same verdict as a report, under every violation.
func TestEtcdReports(t *testing.T) {
	reports, bad := 0, 0
	for seed := range 120 {
		args := []string{"gen", "etcd", "--operations", "9", "--processes", "3", "--seed", fmt.Sprint(seed)}
		switch seed % 3 {
		case 1:
			args = append(args, "--pending", "0.2")
		case 2:
			args = append(args, "--violation", []string{"lost", "stale", "duplicate", "gap"}[seed/3%4])
		}
		var text, errs, out bytes.Buffer
		if code := run(args, strings.NewReader(""), &text, &errs); code != cli.Linearizable {
			continue // no such violation in so few operations
		}
		dir := asReport(t, text.Bytes())
		if dir == "" {
			continue
		}
		reports++
		whole := run([]string{"solve", "--quiet", "-"}, bytes.NewReader(text.Bytes()), &out, &errs)
		require.NotEqual(t, cli.Usage, whole, errs.String())
		require.Equal(t, whole, run([]string{"solve", dir}, strings.NewReader(""), &out, &errs), "seed %d: %s%s%s",
			seed, text.String(), out.String(), errs.String())
		if whole == cli.Violation {
			bad++
		}
	}
	assert.Greater(t, reports, 25)
	assert.Greater(t, bad, 3)
}
