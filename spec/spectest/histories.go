package spectest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
)

// histories checks the laws of verdicts.
func (c *checker) histories() {
	for run := range uint64(c.kit.Runs) {
		seed := c.kit.Seed + run
		h, err := c.kit.draw(c.spec, seed)
		if err != nil {
			c.fail("no history of samples, seed %d: %v", seed, err)
			return
		}
		c.history(h, seed, "history of samples")
		if c.kit.Histories != nil {
			if h, err = c.kit.Histories(seed); err != nil {
				c.fail("no history, seed %d: %v", seed, err)
				return
			}
			c.history(h, seed, "history")
		}
		if len(c.errors) > 0 {
			return
		}
	}
}

func (c *checker) history(h *history.History, seed uint64, what string) {
	whole := model.Whole(h)
	what += " " + listed(h)
	b, err := c.spec.Bind(whole)
	all := err == nil
	verdict := false
	if all {
		verdict, _ = oracle.Linearizable(b)
	}
	for _, scope := range []model.Partitioning{model.ByKey, model.ByObject} {
		var refused error
		parts := true
		covered := 0
		for _, p := range model.Split(c.spec, h, scope) {
			covered += p.Len()
			pb, err := c.spec.Bind(p)
			if err != nil {
				refused = err
				continue
			}
			ok, _ := oracle.Linearizable(pb)
			parts = parts && ok
		}
		switch {
		case covered != len(h.Ops):
			c.fail("%s, seed %d: split by %s, it has %d operations instead of %d", what, seed, scope,
				covered, len(h.Ops))
		case (refused == nil) != all:
			c.fail("%s, seed %d: split by %s, it is %s; as a whole: %s", what, seed, scope, taken(refused), taken(err))
		case all && parts != verdict:
			c.fail("%s, seed %d: split by %s, it is linearizable: %v; as a whole: %v", what, seed, scope,
				parts, verdict)
		}
	}
	if !all {
		return
	}
	if b.Axiomatic() != nil {
		t := &model.Instance{Partition: whole, NewMachine: func() model.Machine { return machineOf(b.Axiomatic()) }}
		if ok, _ := oracle.Linearizable(t); ok != verdict {
			c.fail("%s, seed %d: by the theory, it is linearizable: %v; by the machine: %v", what, seed, ok, verdict)
		}
	}
	if verdict && len(h.Ops) > 0 {
		c.weaken(whole, seed, what)
	}
}

// taken says what Bind returned.
func taken(err error) string {
	if err == nil {
		return "accepted"
	}
	return err.Error()
}

// listed shows the operations of a history, and where it starts.
func listed(h *history.History) string {
	texts := make([]string, len(h.Ops))
	for i := range h.Ops {
		o := &h.Ops[i]
		name, _ := h.Values.AsString(o.F)
		if texts[i] = name; o.Key != history.NoKey {
			texts[i] += " " + h.Values.Format(o.Key)
		}
		if o.Arg != history.Nil {
			texts[i] += " " + h.Values.Format(o.Arg)
		}
		switch {
		case o.Pending():
			texts[i] += " (never returned)"
		case o.Unknown:
			texts[i] += " (result unknown)"
		default:
			texts[i] += " → " + h.Values.Format(o.Result)
		}
	}
	from := ""
	if h.HasInitial {
		from = "from " + h.Values.Format(h.Initial) + ": "
	}
	return "(" + from + strings.Join(texts, "; ") + ")"
}

// weaken forgets something of a linearizable history, which must stay one.
func (c *checker) weaken(p *model.Partition, seed uint64, what string) {
	r := rand.New(rand.NewPCG(seed, 3))
	q := *p
	q.Ops = slices.Clone(p.Ops)
	o := &q.Ops[r.IntN(len(q.Ops))]
	o.Unknown, o.Result = true, history.Nil
	if r.IntN(2) == 0 {
		o.Return = history.Never
	}
	b, err := c.spec.Bind(&q)
	if err != nil {
		c.fail("%s, seed %d: with a result forgotten, it is refused: %v", what, seed, err)
		return
	}
	if ok, _ := oracle.Linearizable(b); !ok {
		c.fail("%s, seed %d: with a result forgotten, it is no longer linearizable", what, seed)
	}
}

// draw makes a history of samples: a run in which each operation takes effect within its interval,
// then, mostly, some results that are any of those that the sample may give.
func (k *Kit) draw(s model.Spec, seed uint64) (*history.History, error) {
	r := rand.New(rand.NewPCG(seed, 2))
	var initial any
	if len(k.Initials) > 0 && r.IntN(3) == 0 {
		initial = k.Initials[r.IntN(len(k.Initials))]
	}
	run, err := k.run(s, r, initial)
	if err != nil {
		return nil, err
	}
	if r.IntN(4) > 0 {
		for i := range run {
			if results := k.Samples[run[i].sample].Results; len(results) > 0 && r.IntN(2) == 0 {
				run[i].result = results[r.IntN(len(results))]
			}
		}
	}
	return k.concurrent(r, run, initial)
}

// run makes 2 to 7 letters that can follow each other.
func (k *Kit) run(s model.Spec, r *rand.Rand, initial any) ([]letter, error) {
	a, err := newAlphabet(s, k, initial)
	if err != nil {
		return nil, err
	}
	m := a.bound.NewMachine()
	state := m.Init()
	var run []letter
	for want, tries := 2+r.IntN(6), 0; len(run) < want; tries++ {
		if tries == 1000 {
			return nil, errors.New("hardly any sample is allowed in " + m.Describe(state))
		}
		op := r.IntN(len(a.letters))
		l := a.letters[op]
		if l.pending && r.IntN(4) > 0 || l.unknown && !l.pending && r.IntN(8) > 0 {
			continue
		}
		if l.pending && r.IntN(2) == 0 { // does not take effect
			run = append(run, l)
			continue
		}
		if next := m.Step(state, history.OpID(op), nil); len(next) > 0 {
			state = next[r.IntN(len(next))]
			run = append(run, a.letters[op])
		}
	}
	return run, nil
}

// concurrent gives the operations intervals around the moments of the run.
func (k *Kit) concurrent(r *rand.Rand, run []letter, initial any) (*history.History, error) {
	b := history.NewBuilder()
	if initial != nil {
		v, err := b.Values.Of(initial)
		if err != nil {
			return nil, err
		}
		b.SetInitial(v)
	}
	spread := int64(1 + r.IntN(9))
	for i, l := range run {
		rec, err := k.record(b, l.sample, l.result)
		if err != nil {
			return nil, err
		}
		rec.Process = b.Process(strconv.Itoa(i))
		rec.Call, rec.Return = 4*int64(i)-r.Int64N(spread), 4*int64(i)+r.Int64N(spread)
		if l.pending {
			rec.Pending = true
		}
		if _, err := b.Add(rec); err != nil {
			return nil, err
		}
	}
	if i := r.IntN(len(run)); i > 0 && r.IntN(10) == 0 {
		if err := b.Edge(r.IntN(i), i, 0); err != nil {
			return nil, err
		}
	}
	h, err := b.Finish()
	if err != nil {
		return nil, err
	}
	k.finish(h, run)
	return h, nil
}
