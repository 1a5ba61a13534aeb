// Command etcdfile uses the model of etcd's robustness tests on a generated history. Command dropin
// puts it into a copy of these tests, as it is and with the import path of linsat's drop-in.
//
//	etcdfile -convert h.json -to DIR     writes a report of the tests from what linsat gen etcd wrote
//	etcdfile -check DIR [-timeout 10s]   prints the verdict, the number of operations and the seconds
//
// The model says less than the specification etcd of linsat. A request that failed is left out: it
// had no effect. A comparison of a lease or of the revision of a creation is left out of a
// transaction together with the branch that was not taken; if the outcome is unknown, each branch is
// a request of unknown outcome.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/anishathalye/porcupine"
	"go.etcd.io/etcd/tests/v3/robustness/model"
	"go.etcd.io/etcd/tests/v3/robustness/report"
)

func main() {
	from := flag.String("convert", "", "history to convert")
	to := flag.String("to", "", "directory for the report")
	dir := flag.String("check", "", "report to check")
	timeout := flag.Duration("timeout", 10*time.Second, "time limit of the check")
	flag.Parse()
	var err error
	switch {
	case *from != "" && *to != "":
		err = convert(*from, *to)
	case *dir != "":
		err = check(*dir, *timeout)
	default:
		err = errors.New("-convert and -to, or -check")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "etcdfile:", err)
		os.Exit(1)
	}
}

// check does what etcd's validation does where no write-ahead log says what was persisted.
func check(dir string, timeout time.Duration) error {
	clients, err := report.LoadClientReports(dir)
	if err != nil {
		return err
	}
	var ops []porcupine.Operation
	for _, c := range clients {
		for _, o := range c.KeyValue {
			in, out := o.Input.(model.EtcdRequest), o.Output.(model.MaybeEtcdResponse)
			if out.Error != "" && in.IsRead() {
				continue
			}
			if o.Return == -1 {
				o.Return = math.MaxInt64
			}
			ops = append(ops, o)
		}
	}
	start := time.Now()
	verdict := porcupine.CheckOperationsTimeout(model.NonDeterministicModel, ops, timeout)
	fmt.Println(verdict, len(ops), time.Since(start).Seconds())
	return nil
}

// key is what a range shows of one, and what a comparison states.
type key struct {
	Key     string
	Value   json.Number
	Mod     int64
	Version int64
	Target  string
}

// arguments and results are those of linsat's specification etcd.
type arguments struct {
	key
	Prefix                 bool
	Limit, Revision, Lease int64
	Compare                []key
	Then, Else             []request
}

// number is the value of a comparison.
func (k *key) number() int64 {
	n, _ := k.Value.Int64()
	return n
}

type response struct {
	Count, Deleted int64
	Kvs            []key
}

type result struct {
	response
	Revision  int64
	Error     string
	Succeeded bool
	Responses []*response
}

// request is a pair of a name and an argument.
type request struct {
	f   string
	arg arguments
}

func (r *request) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&r.f, &r.arg})
}

type operation struct {
	Process int
	F       string
	Arg     *arguments
	Call    int64
	Return  *int64
	Result  json.RawMessage
}

func ranged(a *arguments) model.RangeOptions {
	o := model.RangeOptions{Start: a.Key, Limit: a.Limit}
	if a.Prefix { // no key ends with 0xff
		o.End = a.Key[:len(a.Key)-1] + string(a.Key[len(a.Key)-1]+1)
	}
	return o
}

func (r *request) operation() model.EtcdOperation {
	switch r.f {
	case "put":
		return model.EtcdOperation{Type: model.PutOperation, Put: model.PutOptions{Key: r.arg.Key, Value: model.ToValueOrHash(r.arg.Value.String()), LeaseID: r.arg.Lease}}
	case "delete":
		return model.EtcdOperation{Type: model.DeleteOperation, Delete: model.DeleteOptions{Key: r.arg.Key}}
	}
	return model.EtcdOperation{Type: model.RangeOperation, Range: ranged(&r.arg)}
}

func operations(all []request) []model.EtcdOperation {
	ops := make([]model.EtcdOperation, len(all))
	for i := range all {
		ops[i] = all[i].operation()
	}
	return ops
}

func (r *response) found() model.RangeResponse {
	kvs := make([]model.KeyValue, len(r.Kvs))
	for i, k := range r.Kvs {
		kvs[i] = model.KeyValue{Key: k.Key, ValueRevision: model.ValueRevision{Value: model.ToValueOrHash(k.Value.String()), ModRevision: k.Mod, Version: k.Version}}
	}
	return model.RangeResponse{KVs: kvs, Count: r.Count}
}

func (r *response) result(f string) model.EtcdOperationResult {
	switch f {
	case "range":
		return model.EtcdOperationResult{RangeResponse: r.found()}
	case "delete":
		return model.EtcdOperationResult{Deleted: r.Deleted}
	}
	return model.EtcdOperationResult{}
}

// conditions are the comparisons that the model has; all reports whether it has them all.
func conditions(compare []key) (known []model.EtcdCondition, all bool) {
	all = true
	for _, c := range compare {
		n := c.number()
		switch {
		case c.Target == "version" && n > 0:
			known = append(known, model.EtcdCondition{Key: c.Key, ExpectedVersion: n})
		case c.Target == "mod", (c.Target == "version" || c.Target == "create") && n == 0:
			known = append(known, model.EtcdCondition{Key: c.Key, ExpectedRevision: n})
		default:
			all = false
		}
	}
	return known, all
}

// etcd returns the requests of the model that stand for an operation, without any for one that had
// no effect, and the response.
func (o *operation) etcd(r *result) (in []model.EtcdRequest, out model.EtcdResponse, err error) {
	out.Revision = r.Revision
	if r.Error != "" && !(r.Error == "compacted" && (o.F == "range" || o.F == "compact")) {
		return nil, out, nil
	}
	alone := request{f: o.F}
	if o.Arg != nil {
		alone.arg = *o.Arg
	}
	a := &alone.arg
	one := func(q model.EtcdRequest) ([]model.EtcdRequest, model.EtcdResponse, error) {
		if r.Error != "" {
			out = model.EtcdResponse{ClientError: "mvcc: required revision has been compacted"}
		}
		return []model.EtcdRequest{q}, out, nil
	}
	switch o.F {
	case "range":
		found := r.found()
		out.Range = &found
		return one(model.EtcdRequest{Type: model.Range, Range: &model.RangeRequest{RangeOptions: ranged(a), Revision: a.Revision}})
	case "put", "delete":
		out.Txn = &model.TxnResponse{Results: []model.EtcdOperationResult{r.response.result(o.F)}}
		return one(model.EtcdRequest{Type: model.Txn, Txn: &model.TxnRequest{OperationsOnSuccess: []model.EtcdOperation{alone.operation()}}})
	case "grant":
		out.LeaseGrant = &model.LeaseGrantReponse{}
		return one(model.EtcdRequest{Type: model.LeaseGrant, LeaseGrant: &model.LeaseGrantRequest{LeaseID: a.Lease}})
	case "revoke":
		out.LeaseRevoke = &model.LeaseRevokeResponse{}
		return one(model.EtcdRequest{Type: model.LeaseRevoke, LeaseRevoke: &model.LeaseRevokeRequest{LeaseID: a.Lease}})
	case "compact":
		out.Compact, out.Revision = &model.CompactResponse{}, -1
		return one(model.EtcdRequest{Type: model.Compact, Compact: &model.CompactRequest{Revision: a.Revision}})
	case "defragment":
		out.Defragment = &model.DefragmentResponse{}
		return one(model.EtcdRequest{Type: model.Defragment, Defragment: &model.DefragmentRequest{}})
	case "txn":
	default:
		return nil, out, fmt.Errorf("operation %q", o.F)
	}
	compare, all := conditions(a.Compare)
	x := &model.TxnRequest{Conditions: compare, OperationsOnSuccess: operations(a.Then), OperationsOnFailure: operations(a.Else)}
	taken := a.Then
	if !r.Succeeded {
		taken = a.Else
	}
	switch {
	case all:
	case o.Return == nil:
		for _, branch := range [][]request{a.Then, a.Else} {
			if len(branch) > 0 {
				in = append(in, model.EtcdRequest{Type: model.Txn, Txn: &model.TxnRequest{OperationsOnSuccess: operations(branch)}})
			}
		}
		return in, out, nil
	case r.Succeeded:
		x.OperationsOnFailure = nil
	default:
		x = &model.TxnRequest{OperationsOnSuccess: operations(a.Else)}
	}
	out.Txn = &model.TxnResponse{Failure: all && !r.Succeeded, Results: make([]model.EtcdOperationResult, len(taken))}
	for i, t := range taken {
		if i < len(r.Responses) && r.Responses[i] != nil {
			out.Txn.Results[i] = r.Responses[i].result(t.f)
		}
	}
	return one(model.EtcdRequest{Type: model.Txn, Txn: x})
}

// clients is how many directories a report has: etcd's clients go on under another number when an
// outcome is unknown.
const clients = 8

// convert writes a report.
func convert(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var h struct{ Operations []operation }
	if err := json.Unmarshal(text, &h); err != nil {
		return err
	}
	files := map[int]*os.File{}
	for i := range h.Operations {
		o := &h.Operations[i]
		var r result
		if len(o.Result) > 0 && o.Result[0] == '{' {
			if err := json.Unmarshal(o.Result, &r); err != nil {
				return fmt.Errorf("operation %d: %w", i, err)
			}
		}
		requests, response, err := o.etcd(&r)
		if err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
		answer, ends := model.MaybeEtcdResponse{EtcdResponse: response}, int64(-1)
		if o.Return == nil {
			answer = model.MaybeEtcdResponse{Error: "the outcome is unknown"}
		} else {
			ends = *o.Return
		}
		for _, in := range requests {
			f := files[o.Process%clients]
			if f == nil {
				dir := filepath.Join(to, "client-"+strconv.Itoa(o.Process%clients))
				if err := os.MkdirAll(dir, 0o755); err != nil {
					return err
				}
				if f, err = os.Create(filepath.Join(dir, "operations.json")); err != nil {
					return err
				}
				defer f.Close()
				files[o.Process%clients] = f
			}
			written := struct {
				ClientId     int
				Input        model.EtcdRequest
				Call, Return int64
				Output       model.MaybeEtcdResponse
			}{o.Process, in, o.Call, ends, answer}
			if err := json.NewEncoder(f).Encode(written); err != nil {
				return err
			}
		}
	}
	return nil
}
