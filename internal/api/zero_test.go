package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/explore/lineup"
	"github.com/linsat/linsat/explore/localize"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/explore/roundup"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/linsattest"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/report"
	"github.com/linsat/linsat/solver"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/spec/meta"
	"github.com/linsat/linsat/spec/spectest"
	"github.com/linsat/linsat/verdict"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// zeroes are the exported types that have methods, as docs/api.txt lists them, by package.
var zeroes = map[string][]reflect.Type{
	"linsat": {
		reflect.TypeFor[linsat.Certificate](), reflect.TypeFor[linsat.Least](),
		reflect.TypeFor[linsat.Model[int, int, int]](), reflect.TypeFor[linsat.OpsResult](),
		reflect.TypeFor[linsat.PartitionVerdict](),
		reflect.TypeFor[linsat.Refusal](), reflect.TypeFor[linsat.Result](),
	},
	"linsat/explore": {
		reflect.TypeFor[explore.Call](), reflect.TypeFor[explore.Case](), reflect.TypeFor[explore.Event](),
		reflect.TypeFor[explore.Exec](),
		reflect.TypeFor[explore.Execution](), reflect.TypeFor[explore.Hang](),
		reflect.TypeFor[explore.Nondeterministic](), reflect.TypeFor[explore.Op](),
		reflect.TypeFor[explore.Outcome](), reflect.TypeFor[explore.Report](), reflect.TypeFor[explore.Schedule](),
		reflect.TypeFor[explore.Thread](),
	},
	"linsat/explore/c11": {
		reflect.TypeFor[c11.Atomic[int]](), reflect.TypeFor[c11.Cell[int]](), reflect.TypeFor[c11.Event](),
		reflect.TypeFor[c11.Exec](), reflect.TypeFor[c11.Graph](),
		reflect.TypeFor[c11.Int[int]](), reflect.TypeFor[c11.Order](), reflect.TypeFor[c11.Outcome](),
		reflect.TypeFor[c11.Thread](),
	},
	"linsat/explore/cdsspec": {
		reflect.TypeFor[cdsspec.Call[int]](), reflect.TypeFor[cdsspec.Finding](),
		reflect.TypeFor[cdsspec.Method[int, int, int]](),
		reflect.TypeFor[cdsspec.Report](), reflect.TypeFor[cdsspec.Verdict](),
	},
	"linsat/explore/mem": {
		reflect.TypeFor[mem.Atomic[int]](), reflect.TypeFor[mem.Cond](), reflect.TypeFor[mem.Int64](),
		reflect.TypeFor[mem.Memory](), reflect.TypeFor[mem.Mutex](),
		reflect.TypeFor[mem.RWMutex](), reflect.TypeFor[mem.Semaphore](), reflect.TypeFor[mem.Var[int]](),
	},
	"linsat/history": {
		reflect.TypeFor[history.Builder](), reflect.TypeFor[history.Error](), reflect.TypeFor[history.Handle](),
		reflect.TypeFor[history.History](),
		reflect.TypeFor[history.Op](), reflect.TypeFor[history.Reading](), reflect.TypeFor[history.Recorder](),
		reflect.TypeFor[history.Values](),
	},
	"linsat/explore/lineup": {reflect.TypeFor[lineup.Failure](), reflect.TypeFor[lineup.Kind](),
		reflect.TypeFor[lineup.Observations](), reflect.TypeFor[lineup.Result](), reflect.TypeFor[lineup.Sample](),
		reflect.TypeFor[lineup.Verdict]()},
	"linsat/explore/localize": {reflect.TypeFor[localize.Label](), reflect.TypeFor[localize.Race](),
		reflect.TypeFor[localize.Repair](), reflect.TypeFor[localize.Result](), reflect.TypeFor[localize.Sequence](),
		reflect.TypeFor[localize.Site]()},
	"linsat/explore/roundup": {reflect.TypeFor[roundup.Dimension](), reflect.TypeFor[roundup.Methods](),
		reflect.TypeFor[roundup.Report]()},
	"linsat/linsattest": {reflect.TypeFor[linsattest.Process](), reflect.TypeFor[linsattest.Run]()},
	"linsat/quasi": {reflect.TypeFor[quasi.Factor](), reflect.TypeFor[quasi.Meaning](),
		reflect.TypeFor[quasi.Question]()},
	"linsat/solver":    {reflect.TypeFor[solver.Lit](), reflect.TypeFor[solver.Status]()},
	"linsat/spec":      {reflect.TypeFor[spec.Result]()},
	"linsat/spec/meta": {reflect.TypeFor[meta.Fault]()},
	"linsat/verdict": {reflect.TypeFor[verdict.Cause](), reflect.TypeFor[verdict.Disagreement](),
		reflect.TypeFor[verdict.Effort](), reflect.TypeFor[linsat.Verdict]()},
}

// excepted are types of which zero values, or nil pointers alone, may panic, and why.
var excepted = map[string]string{
	"linsat/explore/mem.Atomic":              ofMemory,
	"linsat/explore/mem.Cond":                ofMemory,
	"linsat/explore/mem.Int64":               ofMemory,
	"linsat/explore/mem.Mutex":               ofMemory,
	"linsat/explore/mem.RWMutex":             ofMemory,
	"linsat/explore/mem.Semaphore":           ofMemory,
	"linsat/explore/mem.Var":                 ofMemory,
	"linsat/explore/mem.Memory":              "the explorer makes it; Choose has nothing to choose from 0",
	"nil linsat/explore/lineup.Failure":      checked,
	"nil linsat/explore/lineup.Observations": checked,
	"nil linsat/explore/lineup.Result":       checked,
	"nil linsat/explore/lineup.Sample":       checked,
	"nil linsat/explore/localize.Repair":     checked,
	"nil linsat/explore/localize.Result":     checked,
	"nil linsat/explore/roundup.Report":      checked,
	"linsat/explore/roundup.Methods":         "its patterns are the caller's, written out",
	"linsat/explore.Exec":                    ofExplorer,
	"linsat/explore.Thread":                  ofExplorer,
	"linsat/explore/c11.Exec":                ofExplorer,
	"linsat/explore/c11.Thread":              ofExplorer,
	"linsat/explore/c11.Atomic":              "NewAtomic makes it, as a part of an execution",
	"linsat/explore/c11.Int":                 "NewInt makes it, as a part of an execution",
	"linsat/explore/c11.Cell":                "NewCell makes it, as a part of an execution",
	"linsat/explore/cdsspec.Call":            "Method.Begin makes it, as a part of an execution",
	"linsat/explore/cdsspec.Method":          "it begins a call of an execution, and has none",
	"linsat/history.Reading":                 "Read makes it, for the reader of a format",
	"linsat/linsattest.Process":              "Run.Go makes it",
	"linsat/linsattest.Run":                  "Check makes it",
	"nil linsat/verdict.Disagreement":        noError,
	"nil linsat.Refusal":                     noError,
	"nil linsat/explore.Hang":                noError,
	"nil linsat/explore.Nondeterministic":    noError,
	"nil linsat/history.Error":               noError,
	"nil linsat/spec/meta.Fault":             noError,
	"nil linsat/explore.Case":                noFields,
	"nil linsat/explore.Event":               noFields,
	"nil linsat/explore.Execution":           noFields,
	"nil linsat/explore.Op":                  noFields,
	"nil linsat/explore.Report":              noFields,
	"nil linsat/explore/c11.Event":           noFields,
	"nil linsat/explore/c11.Graph":           noFields,
	"nil linsat/explore/cdsspec.Finding":     noFields,
	"nil linsat/explore/cdsspec.Report":      noFields,
	"nil linsat/history.Builder":             noFields,
	"nil linsat/history.History":             noFields,
	"nil linsat/history.Recorder":            noFields,
	"nil linsat/history.Values":              noFields,
}

const (
	ofMemory   = "a method of Memory makes it, as a part of an execution"
	ofExplorer = "the explorer makes it, as a part of an execution"
	checked    = "a nil pointer is the result of no check; the zero value has nothing to say"
	noError    = "a nil pointer is no error"
	noFields   = "a nil pointer has no exported fields that its methods could be about; the zero value does not panic"
)

// samples are arguments besides the zero values of their types.
var samples = []any{
	context.Background(), io.Writer(io.Discard), io.Reader(strings.NewReader("{}")), "write", []byte("1"), 1, int32(7),
	int64(-1), history.Value(99),
	history.OpID(3), []history.Value{1, 99, -1}, history.Record{Process: 5, F: 77, Return: 1}, history.Note{Text: "x"},
	rand.New(rand.NewPCG(1, 2)),
	func() {}, func() any { return nil }, model.Info{Name: "queue"}, true, errNone,
}

var errNone = fmt.Errorf("none")

// TestZeroValues calls every exported method on zero values and on nil pointers.
func TestZeroValues(t *testing.T) {
	used := map[string]bool{}
	for name, methods := range listed(t) {
		if strings.HasPrefix(name, "linsat/explore/shim") {
			continue // they do what those of Go do, panics too
		}
		i := slices.IndexFunc(zeroes[name[:strings.LastIndex(name, ".")]], func(u reflect.Type) bool {
			plain, _, _ := strings.Cut(u.Name(), "[")
			return plain == name[strings.LastIndex(name, ".")+1:] || strings.HasSuffix(name, ".Question") &&
				plain == "Question"
		})
		if !assert.GreaterOrEqual(t, i, 0, "%s is not among zeroes", name) {
			continue
		}
		u := zeroes[name[:strings.LastIndex(name, ".")]][i]
		for _, method := range methods {
			for _, receiver := range []string{"", "nil "} {
				for _, typical := range []bool{false, true} {
					what := receiver + name + "." + method
					if why := panics(u, method, receiver != "", typical); why != "" {
						switch {
						case excepted[name] != "":
							used[name] = true
						case excepted[receiver+name] != "":
							used[receiver+name] = true
						default:
							t.Errorf("%s panics: %s", what, why)
						}
					}
				}
			}
		}
	}
	for what := range excepted {
		assert.True(t, used[what], "%s does not panic: it needs no exception", what)
	}
}

// listed returns the methods that docs/api.txt lists, by package and type.
func listed(t *testing.T) map[string][]string {
	text, err := os.ReadFile("../../docs/api.txt")
	require.NoError(t, err)
	in, of, all := "", "", map[string][]string{}
	head, typed, method := regexp.MustCompile(`^package .* github.com/linsat/(.*)`), regexp.MustCompile(`^type (\w+)`),
		regexp.MustCompile(`^\tfunc \(\*?T\) (\w+)`)
	for line := range strings.Lines(string(text)) {
		if m := head.FindStringSubmatch(line); m != nil {
			in = m[1]
		} else if m := typed.FindStringSubmatch(line); m != nil {
			of = in + "." + m[1]
		} else if m := method.FindStringSubmatch(line); m != nil {
			all[of] = append(all[of], m[1])
		}
	}
	require.Greater(t, len(all), 50)
	return all
}

// panics calls a method and returns what it panics with, "" if it does not. A nil pointer has no
// methods with a receiver that is no pointer.
func panics(u reflect.Type, method string, null, typical bool) (why string) {
	receiver := reflect.New(u)
	if null {
		if _, ok := u.MethodByName(method); ok {
			return ""
		}
		receiver = reflect.Zero(receiver.Type())
	}
	m := receiver.MethodByName(method)
	if !m.IsValid() {
		return "there is no such method"
	}
	var in []reflect.Value
	for i := range m.Type().NumIn() {
		p := m.Type().In(i)
		if m.Type().IsVariadic() && i == m.Type().NumIn()-1 {
			break
		}
		v := reflect.Zero(p)
		if typical {
			for _, s := range samples {
				if reflect.TypeOf(s).AssignableTo(p) {
					v = reflect.ValueOf(s)
					break
				}
			}
		}
		in = append(in, v)
	}
	defer func() {
		if v := recover(); v != nil {
			why = fmt.Sprint(v)
		}
	}()
	m.Call(in)
	return ""
}

// TestFunctionsOnNothing: what a function cannot work with is an error.
func TestFunctionsOnNothing(t *testing.T) {
	ctx := context.Background()
	one := func(_ any, err error) error { return err }
	queue := spec.MustLookup("queue")
	h, other := queued(t, 1), queued(t, 2)
	r, err := linsat.Check(ctx, queue, h)
	require.NoError(t, err)
	require.Equal(t, linsat.Linearizable, r.Verdict)
	bad, err := linsat.Check(ctx, queue, queued(t, 3, 1))
	require.NoError(t, err)
	require.Equal(t, linsat.NotLinearizable, bad.Verdict)
	for name, call := range map[string]func() error{
		"Check":            func() error { return one(linsat.Check(ctx, nil, nil)) },
		"Check of nothing": func() error { return one(linsat.Check(ctx, queue, &history.History{})) },
		"CheckOps": func() error {
			return one(linsat.CheckOps(ctx, linsat.Model[int, int, int]{}, nil))
		},
		"Certify":                 func() error { return one(linsat.Certify(h, &linsat.Result{})) },
		"Certify another":         func() error { return one(linsat.Certify(other, &r)) },
		"Certify another, no":     func() error { return one(linsat.Certify(other, &bad)) },
		"Verify":                  func() error { return linsat.Verify(ctx, nil, nil, nil) },
		"Verify nothing":          func() error { return linsat.Verify(ctx, queue, h, &linsat.Certificate{}) },
		"ReadCertificate":         func() error { return one(linsat.ReadCertificate(nil)) },
		"history.Read":            func() error { return one(history.Read(nil, history.ReadOptions{})) },
		"history.ReadFile":        func() error { return one(history.ReadFile("", history.ReadOptions{})) },
		"history.ReadMerged":      func() error { return one(history.ReadMerged(nil, history.ReadOptions{})) },
		"WriteJSON":               func() error { return history.WriteJSON(io.Discard, nil) },
		"WriteJSON of nothing":    func() error { return history.WriteJSON(io.Discard, &history.History{}) },
		"WriteJSON to nothing":    func() error { return history.WriteJSON(nil, h) },
		"WriteJSONL":              func() error { return history.WriteJSONL(io.Discard, nil) },
		"WriteJSONL of nothing":   func() error { return history.WriteJSONL(io.Discard, &history.History{}) },
		"WriteJSONL to nothing":   func() error { return history.WriteJSONL(nil, h) },
		"report.Text":             func() error { return report.Text(io.Discard, nil, linsat.Result{}) },
		"report.Text, zero":       func() error { return report.Text(io.Discard, h, linsat.Result{}) },
		"report.Text, another":    func() error { return report.Text(io.Discard, other, r) },
		"report.Text, another no": func() error { return report.Text(io.Discard, other, bad) },
		"report.Text to nothing":  func() error { return report.Text(nil, h, r) },
		"report.HTML":             func() error { return report.HTML(io.Discard, nil, r) },
		"report.HTML, zero":       func() error { return report.HTML(io.Discard, h, linsat.Result{}) },
		"report.SVG":              func() error { return report.SVG(io.Discard, nil, r) },
		"report.SVG, zero":        func() error { return report.SVG(io.Discard, h, linsat.Result{}) },
		"report.JSON":             func() error { return report.JSON(io.Discard, nil, r) },
		"report.JSON, zero":       func() error { return report.JSON(io.Discard, h, linsat.Result{}) },
		"spec.Define":             func() error { return one(spec.Define(spec.Definition[int]{})) },
		"spec.Recognise":          func() error { return one(spec.Recognise(nil)) },
		"spec.Relax":              func() error { return one(spec.Relax(nil, "")) },
		"spec.Rename":             func() error { return one(spec.Rename(nil, nil)) },
		"quasi.Parse":             func() error { return one(quasi.Parse(meta.Info{}, "")) },
		"explore.Check":           func() error { return one(explore.Check(ctx, nil, nil, explore.CheckOptions{})) },
		"explore.Check, zero": func() error {
			return one(explore.Check(ctx, &explore.Case{}, queue, explore.CheckOptions{}))
		},
		"explore.ParseCase": func() error { return one(explore.ParseCase(nil, "")) },
		"explore.Run":       func() error { return one(explore.Run(nil, nil, explore.Options{}, nil)) },
		"Case.Replay":       func() error { return one((&explore.Case{}).Replay(nil, explore.Options{})) },
		"Case.History":      func() error { return one((&explore.Case{}).History(nil)) },
		"Execution.History": func() error { return one((&explore.Execution{}).History()) },
		"c11.Run":           func() error { return one(c11.Run(nil, c11.Options{}, nil)) },
		"c11.Replay":        func() error { return one(c11.Replay(nil, c11.Options{}, "")) },
		"cdsspec.Check":     func() error { return one(cdsspec.Check(ctx, nil, cdsspec.Options{})) },
		"cdsspec.CheckHistories": func() error {
			return one(cdsspec.CheckHistories(ctx, nil, nil, nil, cdsspec.Options{}))
		},
		"spectest.Check":   func() error { return errors.Join(spectest.Check(nil, spectest.Kit{})...) },
		"Recorder.History": func() error { return one(new(history.Recorder).History()) },
		"Builder.Finish":   func() error { return one(new(history.Builder).Finish()) },
	} {
		t.Run(name, func(t *testing.T) {
			assert.NotPanics(t, func() { assert.Error(t, call()) })
		})
	}
}

// TestHistoryWithoutOperations: there is a picture of it without a result, and no text.
func TestHistoryWithoutOperations(t *testing.T) {
	h := &history.History{Values: history.NewBuilder().Values}
	assert.NoError(t, report.HTML(io.Discard, h, linsat.Result{}))
	assert.NoError(t, report.SVG(io.Discard, h, linsat.Result{}))
	assert.Error(t, report.Text(io.Discard, h, linsat.Result{}))
	assert.Error(t, report.JSON(io.Discard, h, linsat.Result{}))
}

// queued is a history of a queue: values are put in, and the last of them is taken out.
func queued(t *testing.T, values ...int) *history.History {
	var r history.Recorder
	for _, v := range values {
		r.Call(0, "enq", v).Return(nil)
	}
	r.Call(0, "deq", nil).Return(values[len(values)-1])
	h, err := r.History()
	require.NoError(t, err)
	return h
}

// TestBuilderIsUsedOnce: after Finish every method gives errors or nothing.
func TestBuilderIsUsedOnce(t *testing.T) {
	b := history.NewBuilder()
	p := b.Process("p")
	_, err := b.Add(history.Record{Process: p + 1, F: b.Values.String("write")})
	assert.ErrorContains(t, err, "process number 1 was not returned by Process or ProcessInt")
	require.NoError(t, b.Invoke(p, b.Values.String("write"), history.NoKey, b.Values.Int(1), 0))
	_, err = b.Finish()
	require.NoError(t, err)
	_, err = b.Finish()
	assert.ErrorContains(t, err, "used after Finish")
	_, err = b.Add(history.Record{Process: p})
	assert.ErrorContains(t, err, "used after Finish")
	assert.ErrorContains(t, b.Invoke(p, history.Nil, history.NoKey, history.Nil, 0), "used after Finish")
	assert.Error(t, b.Complete(p, history.Nil, false, 0))
	u := reflect.TypeOf(b)
	for i := range u.NumMethod() {
		assert.NotPanics(t, func() {
			var in []reflect.Value
			for k := range u.Method(i).Type.NumIn() - 1 {
				in = append(in, reflect.Zero(u.Method(i).Type.In(k+1)))
			}
			reflect.ValueOf(b).Method(i).Call(in)
		}, u.Method(i).Name)
	}
}
