package lineup

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blockingQueue is the queue of the paper's Figure 7: Take blocks on an empty queue, TryTake fails.
func blockingQueue() *explore.Object {
	return &explore.Object{Name: "blocking queue", New: func(m *mem.Memory) explore.Instance {
		lock := mem.NewMutex(m, "lock")
		some := mem.NewCond(m, "some", lock)
		items := mem.NewVar(m, "items", []any(nil))
		return func(f string, arg any) any {
			lock.Lock()
			defer lock.Unlock()
			v := items.Load()
			switch f {
			case "Add":
				items.Store(append(v[:len(v):len(v)], arg))
				some.Signal()
				return nil
			case "Take":
				for len(v) == 0 {
					some.Wait()
					v = items.Load()
				}
			case "TryTake":
				if len(v) == 0 {
					return "Fail"
				}
			default:
				panic(f)
			}
			items.Store(v[1:])
			return v[0]
		}
	}}
}

func figure7() *explore.Case {
	return &explore.Case{Object: blockingQueue(), Threads: [][]explore.Call{
		{{F: "Add", Arg: 200}, {F: "Add", Arg: 400}},
		{{F: "Take"}, {F: "TryTake"}},
	}}
}

// TestFigure7 synthesises the observations of the paper's Figure 7. The figure shows three of its
// sections, with the stuck one among them.
func TestFigure7(t *testing.T) {
	o, failure, _, err := Synthesize(context.Background(), figure7(), Options{})
	require.NoError(t, err)
	require.Nil(t, failure)
	var b strings.Builder
	require.NoError(t, o.WriteXML(&b))
	file, err := os.ReadFile("testdata/figure7.xml")
	require.NoError(t, err)
	sections := strings.Split(string(file), "  <observation>\n")[1:]
	require.Len(t, sections, 3)
	for _, s := range sections {
		s, _, _ = strings.Cut(s, "</observationset>")
		assert.Contains(t, b.String(), s)
	}
	full, stuck := o.Histories()
	assert.Equal(t, 3, full)
	assert.Equal(t, 1, stuck)

	// The paper's violation at the bottom of the figure: 1[ 3[ ]1 2[ ]3 ]2 4[ ]4 with TryTake →
	// Fail.
	read, err := ReadFile("testdata/figure7.xml")
	require.NoError(t, err)
	assert.False(t, read.Complete)
	x := &explore.Execution{Ops: []explore.Op{
		{Thread: 0, F: "Add", Arg: 200, Call: 0, Return: 2}, {Thread: 1, F: "Take", Result: 200, Call: 1, Return: 4},
		{Thread: 0, F: "Add", Arg: 400, Call: 3, Return: 5}, {Thread: 1, F: "TryTake", Result: "Fail",
			Call: 6, Return: 7},
	}}
	for _, obs := range []*Observations{o, read} {
		ok, _, err := obs.Accepts(x)
		require.NoError(t, err)
		assert.False(t, ok)
	}
	x.Ops[3].Call = 5
	x.Ops[2].Return = 6
	ok, _, err := read.Accepts(x)
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, "1[ 2[ ]1 3[ ]2 4[ ]3 ]4", concurrentText(x, func(op int) int { return op + 1 }))
}

// TestRoundTrip writes the observations of random objects with awkward names and values, reads
// them, and writes them again.
func TestRoundTrip(t *testing.T) {
	odd := []any{nil, true, false, 0, -7, int64(1) << 60, "", "word", "two words", "true", "null", "12", " blank",
		"blank ", `"<&>'`, "a\nb\tc", "ü→#", "[1]", []any{}, []any{1, []any{"<x>", nil}},
		map[string]any{"k\"": 1, "a": []any{true}}}
	rounds := testenv.Scale(200, 3000)
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 3))
		m := randomModel(r)
		for s := range m.results {
			for o := range m.results[s] {
				m.results[s][o] = odd[r.IntN(len(odd))]
			}
		}
		c := randomCase(r, m.object(), 6)
		awkward := func(calls []explore.Call) {
			for i := range calls {
				calls[i].Arg = odd[r.IntN(len(odd))]
			}
		}
		awkward(c.Before)
		awkward(c.After)
		for _, calls := range c.Threads {
			awkward(calls)
		}
		o, failure, _, err := Synthesize(context.Background(), c, Options{})
		require.NoError(t, err, "seed %d", seed)
		require.Nil(t, failure)
		var first, second bytes.Buffer
		require.NoError(t, o.WriteXML(&first))
		read, err := ReadXML(bytes.NewReader(first.Bytes()), "o.xml")
		require.NoError(t, err, "seed %d\n%s", seed, first.String())
		require.NoError(t, read.WriteXML(&second))
		require.Equal(t, first.String(), second.String(), "seed %d", seed)
		require.Equal(t, o.texts(), read.texts(), "seed %d", seed)
		require.Equal(t, len(o.nodes), len(read.nodes), "seed %d", seed)
		require.True(t, read.Complete)
		for range 3 {
			x := randomHistory(r, o, c)
			a, _, err := o.Accepts(x)
			require.NoError(t, err)
			b, _, err := read.Accepts(x)
			require.NoError(t, err, "seed %d", seed)
			require.Equal(t, a, b, "seed %d", seed)
		}
	}
}

// TestBadXML: one clear line with place and hint.
func TestBadXML(t *testing.T) {
	file, err := os.ReadFile("testdata/figure7.xml")
	require.NoError(t, err)
	good := string(file)
	for _, c := range []struct {
		from, to string // what is changed in the good file
		line     int
		what     string
	}{
		{good, "", 1, "no <observationset> at the beginning"},
		{good, "{}", 1, "no <observationset> at the beginning"},
		{good, "<observationset>\n</observationset>", 2, "no <history> in it"},
		{"<observationset>", "<observations>", 1, "no <observationset> at the beginning"},
		{"</observationset>\n", "", 27, "XML syntax error|unexpected EOF"},
		{"</observationset>\n", "</observationset><x/>", 27, "something after </observationset>"},
		{"</thread>", "</thred>", 3, "element <thread> closed by </thred>"},
		{"<observation>", "<observatory>", 2, "element <observatory> in <observationset>|element <observatory> closed"},
		{`<thread id="A">1 2`, `<thread>1 2`, 3, "a <thread> without id"},
		{`<thread id="A">1 2`, `<thread id="A">1 9`, 3, `operation "9", which has no <op>`},
		{`<thread id="A">1 2`, `<thread id="A">1 1`, 3, `operation 1 comes twice`},
		{`<thread id="A">1 2`, `<thread id="A">1B 2`, 3, `operation 1 blocks, but more comes after it`},
		{`<thread id="A">1 2`, `<thread id="A">1`, 6, `operation 2 is in no thread`},
		{`<op id="1" name="Add">`, `<op name="Add">`, 5, "an <op> without id or name"},
		{`<op id="2" name="Add">`, `<op id="1" name="Add">`, 6, `id "1" is used twice, first in line 5`},
		{`value="200"`, `value=200`, 5, `operation 1 has the contents "value=200"`},
		{`value="200"`, `value="1.5"`, 5, "value of operation 1: 1.5 is not a whole number of 64 bits"},
		{`value="200"`, `values="1"`, 5, `operation 1 has an attribute "values"`},
		{`result="Fail"`, `result="{&amp;quot;blocks&amp;quot;:true}"`, 8, "reserved for operations that block"},
		{"<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", "<history>1[ 3[ ]1 ]3 4[ ]4 2[ ]2<", 9,
			`"3[" after the call of operation 1`},
		{"<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", "<history>2[ ]2 1[ ]1 3[ ]3 4[ ]4<", 9,
			"operation 2 is called out of its order"},
		{"<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", "<history>1[ ]1 3[ ]3 4[ ]4<", 9, "the history has 3 of 4 operations"},
		{"<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", "<history>1[ ]1 3[ ]3 4[ ]4 2[<", 9,
			"operation 2 neither returns nor blocks"},
		{"<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", "<history>1[ ]1 3[ ]3 4[ ]4 2[ #<", 9, "# after operation 2"},
		{"<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", "<history>1 2<", 9, `"1" where an operation should be called`},
		{"<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", "<history>7[ ]7<", 9, `operation "7" is in no thread`},
		{"    <history>1[ ]1 3[ ]3 4[ ]4 2[ ]2</history>\n", "", 2, "an observation without history"},
		{"<history>1[ ]1 3[ ]3 2[ ]2 4[ ]4<", "<history>1[ ]1 2[ ]2 3[ ]3 4[ ]4<", 19, "this history was there before"},
		{`result="400"`, `result="401"`, 0, ""},
		{"<history>1[ ]1 3[ ]3 2[ ]2 4[ ]4<", "<history>1[ ]1 3[ ]3 4[ ]4 2[ ]2<", 19,
			"an earlier history has another outcome of TryTake() after the same operations"},
		{`<op id="1" name="Take" />`, `<op id="1" name="TryTake" />`, 24,
			"operation 1 of thread B is not that of line 7"},
		{`<op id="1" name="Take" />`, `<op id="1" name="Take"><x/></op>`, 24, "an element inside of <op>"},
		{"<observation>", "<observation>hello", 3, `text "hello" in <observation>`},
		{"<observation>", "hello<observation>", 2, `text "hello" between observations`},
		{"<observation>", "<observation><histories/>", 2, "an element <histories> in <observation>"},
		{"<observation>", "<!DOCTYPE x><observation>", 2, "a directive <!DOCTYPE x>"},
	} {
		require.Contains(t, good, c.from)
		_, err := ReadXML(strings.NewReader(strings.Replace(good, c.from, c.to, 1)), "o.xml")
		if c.what == "" {
			require.NoError(t, err, c.to)
			continue
		}
		var bad *history.Error
		require.True(t, errors.As(err, &bad), "%s: %v", c.to, err)
		assert.Equal(t, "o.xml", bad.File, c.to)
		assert.Equal(t, c.line, bad.Line, "%s: %s", c.to, bad)
		matched := false
		for _, what := range strings.Split(c.what, "|") {
			matched = matched || strings.Contains(bad.What, what)
		}
		assert.True(t, matched, "%s: %s", c.to, bad)
		assert.NotEmpty(t, bad.Hint, c.to)
		assert.NotContains(t, bad.Error(), "\n")
	}
	_, err = ReadFile("testdata/missing.xml")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// TestTestElement: with a <test> the reader knows operations that no serial run got to.
func TestTestElement(t *testing.T) {
	c := &explore.Case{Object: blockingQueue(), Threads: [][]explore.Call{{{F: "Take"}, {F: "Add", Arg: 1}}}}
	o, _, _, err := Synthesize(context.Background(), c, Options{})
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, o.WriteXML(&b))
	read, err := ReadXML(strings.NewReader(b.String()), "")
	require.NoError(t, err)
	x := &explore.Execution{Ops: []explore.Op{{F: "Take", Result: 1, Call: 0, Return: 1},
		{F: "Add", Arg: 1, Call: 2, Return: 3}}}
	ok, _, err := read.Accepts(x)
	require.NoError(t, err)
	assert.False(t, ok)
	assert.False(t, byLinsat(t, read, x))
	for _, wrong := range []string{
		strings.Replace(b.String(), `name="Add">value="1"`, `name="Add">value="1"`, 1) + "<x/>",
		strings.Replace(b.String(), "<test>", "<test><history>1[ ]1</history>", 1),
		strings.Replace(b.String(), "</test>", "</test><test></test>", 1),
	} {
		_, err := ReadXML(strings.NewReader(wrong), "")
		assert.Error(t, err)
	}
	x.Ops = append(x.Ops, explore.Op{F: "Take", Call: 4, Return: 5})
	_, _, err = read.Accepts(x)
	assert.ErrorContains(t, err, "thread A of the observations has 2 operations, not Take() as the next")
	x.Ops = x.Ops[:2]
	x.Ops[1].Arg = 2
	_, _, err = read.Accepts(x)
	assert.ErrorContains(t, err, `operation 2 of thread A is Add(2), but Add(1) in the observations`)
}

func FuzzReadXML(f *testing.F) {
	file, err := os.ReadFile("testdata/figure7.xml")
	require.NoError(f, err)
	f.Add(string(file))
	f.Add("<observationset><test><thread id=\"A\">1</thread><op id=\"1\" name=\"x\" /></test><observation><thread " +
		"id=\"A\"></thread><history></history></observation></observationset>")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ReadXML(strings.NewReader(text), "")
		if err != nil {
			var bad *history.Error
			require.True(t, errors.As(err, &bad), "%v", err)
			require.NotContains(t, bad.Error(), "\n")
			return
		}
		var first, second bytes.Buffer
		require.NoError(t, o.WriteXML(&first))
		again, err := ReadXML(bytes.NewReader(first.Bytes()), "")
		require.NoError(t, err, first.String())
		require.NoError(t, again.WriteXML(&second))
		require.Equal(t, first.String(), second.String())
	})
}
