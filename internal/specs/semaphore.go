package specs

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// semaphore counts permits. Whoever acquires waits until there are enough.
type semaphore struct{}

// Semaphore returns the specification of a counting semaphore: acquire [n], release [n] and
// tryacquire [n], where n is 1 if it is not given. Permits may be released that nobody acquired.
// Its initial state is the number of permits; 1 by default.
func Semaphore() model.Spec { return semaphore{} }

var semaphoreInfo = model.Info{
	Name:    "semaphore",
	Summary: "permits that are acquired and released",
	Initial: "the number of permits (default: 1)",
	Operations: []model.Operation{
		{Name: "acquire", Aliases: []string{"wait", "down", "p", "lock"}, Arg: "how many permits (default: 1)"},
		{Name: "release", Aliases: []string{"signal", "post", "up", "v", "unlock"}, Arg: "how many permits (default: 1)"},
		{Name: "tryacquire", Aliases: []string{"trywait", "trydown", "tryp", "trylock"}, Arg: "how many permits (default: 1)",
			Result: "true if it acquired them, else false; null: not recorded"},
	},
	Example: `{"spec": "semaphore", "initial": 2, "operations": [{"process": 0, "f": "acquire", "call": 0, "return": 3}, ` +
		`{"process": 1, "f": "acquire", "arg": 2, "call": 1, "return": 7}, {"process": 2, "f": "tryacquire", "call": 2, "return": 4, "result": true}, ` +
		`{"process": 0, "f": "release", "arg": 2, "call": 5, "return": 6}, {"process": 2, "f": "tryacquire", "call": 8, "return": 9, "result": false}]}`,
}

func (semaphore) Info() model.Info { return semaphoreInfo }

func (semaphore) Footprint(_ *history.History, _ int32, dst []history.Value) []history.Value {
	return append(dst, model.Everything)
}

func (s semaphore) Bind(p *model.Partition) (*model.Instance, error) {
	return model.BindObjects(s, p, model.WithDerived(s.bindOne))
}

// The operations of a semaphore, as they stand in its Info.
const (
	semAcquire = iota
	semRelease
	semTryAcquire
)

// maxHolders bounds permits and readers, so that no sum over a history overflows.
const maxHolders = 1_000_000_000_000

type semaphoreOp struct {
	verb   int
	n      int64
	result outcome // of an acquisition: whether it succeeded
}

func (s semaphore) bindOne(p *model.Partition) (*model.Instance, error) {
	table := p.History.Values
	init := int64(1)
	if p.HasInitial && p.Initial != history.Nil {
		n, isInt := table.AsInt(p.Initial)
		if !isInt || n < 0 || n > maxHolders {
			return nil, wrongInitial(p, semaphoreInfo)
		}
		init = n
	}
	ops := make([]semaphoreOp, len(p.Ops))
	b := &model.Instance{Spec: s, Partition: p, ReadOnly: make([]bool, len(ops)), EquivID: make([]int32, len(ops))}
	verbs := newVerbs(semaphoreInfo, p)
	var sigs signatures
	for i := range p.Ops {
		o := &p.Ops[i]
		f := verbs.Of(o.F)
		if f < 0 {
			return nil, verbs.Unknown(p, int32(i))
		}
		ops[i] = semaphoreOp{verb: f, n: 1}
		if o.Arg != history.Nil {
			n, isInt := table.AsInt(o.Arg)
			if !isInt || n < 0 || n > maxHolders/1_000_000 {
				return nil, wrongArg(p, int32(i), "a number of permits from 0 to a million")
			}
			ops[i].n = n
		}
		var err error
		if f == semRelease {
			err = noResult(p, int32(i), "leave out how many permits there were before or after; one that did not take effect has the status fail")
		} else {
			ops[i].result, err = acquisition(p, int32(i), f == semTryAcquire)
		}
		if err != nil {
			return nil, err
		}
		b.ReadOnly[i] = ops[i].result == no || ops[i].n == 0
		b.EquivID[i] = sigs.pair(int32(3*f)+int32(ops[i].result), int32(ops[i].n), 0)
	}
	b.NewMachine = func() model.Machine {
		return model.NewComparable(init, func(s int64, op int32, dst []int64) []int64 { return ops[op].step(s, dst) }, permits, nil)
	}
	b.Refusal = func(m model.Machine, s model.State, op int32) string {
		return fmt.Sprintf("there are %s, and it asks for %d", permits(model.PeekComparable[int64](m, s)), ops[op].n)
	}
	return b, nil
}

func (o semaphoreOp) step(s int64, dst []int64) []int64 {
	enough := s >= o.n
	switch {
	case o.verb == semRelease:
		dst = append(dst, s+o.n)
	case enough && o.result != no:
		dst = append(dst, s-o.n)
	case !enough && o.result != yes:
		dst = append(dst, s)
	}
	return dst
}

func permits(n int64) string {
	if n == 1 {
		return "1 permit"
	}
	return fmt.Sprintf("%d permits", n)
}
