package gen

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/linsat/linsat/history"
)

// GrowingSet returns a random small history of a set from which nothing is removed: adds, some of
// which never return, reads of the whole set, and what is said of single elements, with results
// forgotten and elements repeated. Three of four are legal runs with up to two changes.
func GrowingSet(seed uint64, most int) (*history.History, error) {
	r := rand.New(rand.NewPCG(seed, 71))
	b := history.NewBuilder()
	n, elements := 2+r.IntN(most-1), 1+r.IntN(5)
	there := map[int]bool{}
	var initial []history.Value
	if r.IntN(4) == 0 {
		there[0] = true
		initial = append(initial, b.Values.Int(0))
	}
	content := func() history.Value {
		var list []history.Value
		for x := range elements {
			if there[x] != (r.IntN(40) == 0) {
				list = append(list, b.Values.Int(int64(x)))
			}
		}
		if len(list) > 0 && r.IntN(40) == 0 {
			list = append(list, list[0])
		}
		return b.Values.List(list)
	}
	var records []history.Record
	for i := range n { // by effect
		x, at := r.IntN(elements), int64(4*i)
		o := history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey, Call: at - r.Int64N(13),
			Return: at + r.Int64N(13), Arg: b.Values.Int(int64(x)), Result: history.Nil}
		name := "add"
		switch k := r.IntN(12); {
		case k < 6:
			switch r.IntN(4) {
			case 0:
				o.Pending = true
			case 1:
				o.Result = b.Values.Bool(!there[x])
			}
			if !o.Pending || r.IntN(2) == 0 {
				there[x] = true
			}
		case k < 10:
			name, o.Arg, o.Result = "elements", history.Nil, content()
		case k == 10:
			name, o.Result = "contains", b.Values.Bool(there[x])
		case !there[x]:
			name, o.Result = "remove", b.Values.Bool(false)
		default:
			name, o.Arg = "elements", history.Nil
			o.Forgotten = true
		}
		if !o.Pending && r.IntN(15) == 0 {
			o.Forgotten, o.Result = true, history.Nil
		}
		o.F = b.Values.String(name)
		records = append(records, o)
	}
	if r.IntN(3) > 0 {
		x, y := &records[r.IntN(n)], &records[r.IntN(n)]
		x.Call, y.Call, x.Return, y.Return = y.Call, x.Call, y.Return, x.Return
	}
	if x, y := &records[r.IntN(n)], &records[r.IntN(n)]; r.IntN(3) == 0 && x.F == y.F && !x.Pending &&
		!y.Pending {
		x.Result, y.Result, x.Forgotten, y.Forgotten = y.Result, x.Result, y.Forgotten, x.Forgotten
	}
	compare := func(x, y history.Record) int { return int(x.Call - y.Call) }
	sort.SliceStable(records, func(i, j int) bool { return compare(records[i], records[j]) < 0 })
	for _, o := range records {
		if _, err := b.Add(o); err != nil {
			return nil, err
		}
	}
	if initial != nil {
		b.SetInitial(b.Values.List(initial))
	}
	return b.Finish()
}
