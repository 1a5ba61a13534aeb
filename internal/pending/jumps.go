package pending

// What: a partition of a specification of which nothing is known but its steps, refuted without
// telling apart which operations of unknown outcome took effect. It only refutes.
//
// Source: ours, over the just-in-time linearization of Lowe (CCPE'17), breadth first.
//
// Why: where a violation comes late, the depth-first search goes back through all that was left
// open before it: every set of pending operations that may have taken effect is a configuration of
// its own, though most of them leave one of few states.
//
// What we changed: a pending operation may take effect again and again. Then a configuration is
// what has taken effect of the completed operations, and a state. And all states to which pending
// operations lead, from any state that was ever met, form one set (reached): from each
// configuration there is a jump to each of them. So they are not kept by configuration, and what a
// completed operation leaves after a jump is found once, not for every configuration.
//
// Why that is sound: take a linearization, and the part of it up to the operation that returns
// next. Where a completed operation takes effect, its configuration was met, with the state before
// it, or that state is in reached: the state before was left by a completed operation, and was met,
// or by a pending one, called before that return, from a state of either kind. Explicit order is
// not looked at. So if a return cannot be passed, there is no linearization.
//
// What is in reached is not met: a mask that was met says as much.
//
// Invariants: reached is closed under the classes that are called; what was met at a layer has its
// successors under them there, too.
//
// Cost: for each state met, the classes; for each completed operation, reached; for each layer, its
// configurations times what is open. It gives up where reached has more than jumpStates states for
// each class: a counter has no end of them.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/wgl"
)

// jumps is this search.
type jumps struct {
	r       *wgl.Run
	limit   int64 // of steps
	most    int   // states in reached
	classes []history.OpID
	applied []int32 // by state: so many classes have been
	reached []model.State
	is      []bool // by state: it is in reached
	open    []history.OpID
	left    []jumpsLeft // by kind of operation
	met     map[met]struct{}
	layer   []*metMask // of the layer, in the order in which they were met
	masks   map[uint64]*metMask
}

// jumpsLeft is what completed operations of a kind leave after a jump.
type jumpsLeft struct {
	asked  int           // so many states of reached
	within bool          // a state of reached is among them
	states []model.State // one of reached stands for all
}

type met struct {
	mask  uint64
	state model.State
}

// metMask holds the states that were met with a mask.
type metMask struct {
	mask   uint64
	states []model.State
	own    []int // by place in open: so many states have been tried
	jumped []int // and so many that are left after jumps
}

// Jumps refutes a partition, or decides nothing.
func Jumps(r *wgl.Run) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	n := len(r.Ops)
	_, numbered := r.Instance.Theory.(*model.RevisionTheory)
	if r.Classes == 0 || r.Instance.Axiomatic() != nil || numbered || r.Words > 1 || r.Component != nil ||
		r.Instance.Partition.Drains > 0 {
		return d
	}
	most := jumpStates * (int(r.Classes) + 1)
	need := int64(n)*jumpBytes + int64(most)*jumpBytes
	if !r.Grow(need) {
		return d
	}
	defer r.Grow(-need)
	j := &jumps{r: r, limit: r.Steps + jumpLeast + jumpEach*int64(n), most: most,
		left: make([]jumpsLeft, r.Table.Kinds), met: map[met]struct{}{}, masks: map[uint64]*metMask{}}
	w := wgl.NewWalk(r.Layout, r.Table.Machine.Init())
	w.Open()
	j.add(0, w.State)
	for !w.Final() {
		next := r.Returns[w.Depth]
		switch j.pass(&w, next) {
		case wgl.GaveUp:
			d.Outcome = wgl.GaveUp
			return d
		case wgl.Undecided:
			return d
		case wgl.Failed:
			return wgl.Decision{Outcome: wgl.Failed, Approximate: true, Reached: r.Ops[next].Return,
				Evidence: &proof.Exhaustion{Weakening: proof.Everything()}}
		}
		w.Flip(next)
		w.Advance()
	}
	return d
}

// pass passes the return of an operation. It reports opened, failed where nothing is left after it,
// undecided beyond the limits, and gaveUp where the whole search has to stop.
func (j *jumps) pass(w *wgl.Walk, next history.OpID) wgl.Outcome {
	j.open = j.open[:0]
	for v := w.NextOpen[history.OpID(len(w.Ops))]; v != history.OpID(len(w.Ops)); v = w.NextOpen[v] {
		j.open = append(j.open, v)
	}
	for c := layout.ClassID(len(j.classes)); c < w.Active; c++ {
		j.classes = append(j.classes, w.Members.Of(c)[0])
	}
	for k := 0; k < len(j.reached); k++ {
		if o := j.spread(j.reached[k]); o != wgl.Opened {
			return o
		}
	}
	bit := uint64(1) << w.Bit[next]
	for again := true; again; {
		again = false
		reached := len(j.reached)
		for k := 0; k < len(j.layer); k++ {
			if j.layer[k].mask&bit != 0 {
				continue
			}
			grown, o := j.expand(j.layer[k])
			if o != wgl.Opened {
				return o
			}
			again = again || grown
		}
		again = again || len(j.reached) > reached
	}
	if x := &j.left[j.r.Table.Kind[next]]; len(x.states) > jumpLeft {
		*x = jumpsLeft{}
	}
	// what has taken the operation goes on
	old := j.layer
	j.layer = nil
	clear(j.masks)
	clear(j.met)
	for _, m := range old {
		if m.mask&bit != 0 {
			j.of(m.mask &^ bit)
			for _, s := range m.states {
				j.add(m.mask&^bit, s)
			}
		}
	}
	if len(j.layer) == 0 {
		return wgl.Failed
	}
	return wgl.Opened
}

// expand lets the open operations that are not in a mask take effect, in states that were met and
// after jumps. It reports whether that met anything.
func (j *jumps) expand(m *metMask) (grown bool, o wgl.Outcome) {
	for len(m.own) < len(j.open) {
		m.own, m.jumped = append(m.own, 0), append(m.jumped, 0)
	}
	for k := 0; k < len(m.states); k++ {
		if o := j.spread(m.states[k]); o != wgl.Opened {
			return false, o
		}
	}
	for k, v := range j.open {
		bit := uint64(1) << j.r.Bit[v]
		if m.mask&bit != 0 {
			continue
		}
		for ; m.own[k] < len(m.states); m.own[k]++ {
			code, o := j.ask(m.states[m.own[k]], v)
			if o != wgl.Opened {
				return false, o
			}
			for i := int32(0); ; i++ {
				t, ok := j.r.Table.Next(code, i)
				if !ok {
					break
				}
				grown = j.add(m.mask|bit, t) || grown
			}
		}
		if o := j.jump(v); o != wgl.Opened {
			return false, o
		}
		left := j.left[j.r.Table.Kind[v]].states
		for ; m.jumped[k] < len(left); m.jumped[k]++ {
			grown = j.add(m.mask|bit, left[m.jumped[k]]) || grown
		}
	}
	return grown, wgl.Opened
}

// add notes a state that was met with a mask, and reports whether that is new. A jump leads to what
// is in reached, so there the mask is enough.
func (j *jumps) add(mask uint64, s model.State) bool {
	if int(s) < len(j.is) && j.is[s] {
		masks := len(j.layer)
		j.of(mask)
		return len(j.layer) > masks
	}
	if _, known := j.met[met{mask, s}]; known {
		return false
	}
	j.met[met{mask, s}] = struct{}{}
	m := j.of(mask)
	m.states = append(m.states, s)
	return true
}

// of returns what was met with a mask, which has now been met.
func (j *jumps) of(mask uint64) *metMask {
	m := j.masks[mask]
	if m == nil {
		m = &metMask{mask: mask}
		j.masks[mask] = m
		j.layer = append(j.layer, m)
	}
	return m
}

// jump finds what an operation leaves in the states of reached.
func (j *jumps) jump(v history.OpID) wgl.Outcome {
	x := &j.left[j.r.Table.Kind[v]]
	for ; x.asked < len(j.reached); x.asked++ {
		next, o := j.once(j.reached[x.asked], v)
		if o != wgl.Opened {
			return o
		}
		for _, t := range next {
			switch within := int(t) < len(j.is) && j.is[t]; {
			case within && x.within, len(x.states) > 0 && x.states[len(x.states)-1] == t:
			default:
				x.states = append(x.states, t)
				x.within = x.within || within
			}
		}
	}
	return wgl.Opened
}

// spread adds to reached what the classes that are called lead to from a state, and so on.
func (j *jumps) spread(s model.State) wgl.Outcome {
	from := len(j.reached)
	for k := from - 1; ; {
		for len(j.applied) <= int(s) {
			j.applied, j.is = append(j.applied, 0), append(j.is, false)
		}
		for ; int(j.applied[s]) < len(j.classes); j.applied[s]++ {
			next, o := j.once(s, j.classes[j.applied[s]])
			if o != wgl.Opened {
				return o
			}
			for _, t := range next {
				for len(j.applied) <= int(t) {
					j.applied, j.is = append(j.applied, 0), append(j.is, false)
				}
				if t != s && !j.is[t] {
					j.is[t] = true
					j.reached = append(j.reached, t)
				}
			}
		}
		if k++; k == len(j.reached) {
			return wgl.Opened
		}
		s = j.reached[k]
	}
}

// beyond reports whether the limits are reached.
func (j *jumps) beyond() bool {
	return j.r.Steps >= j.limit || len(j.reached) > j.most || len(j.met) > jumpConfigurations
}

// once returns the states that an operation may leave, which are not asked for again.
func (j *jumps) once(s model.State, op history.OpID) ([]model.State, wgl.Outcome) {
	if j.beyond() {
		return nil, wgl.Undecided
	}
	if !j.r.Step() {
		return nil, wgl.GaveUp
	}
	return j.r.Table.Once(s, op), wgl.Opened
}

// ask returns what an operation does in a state.
func (j *jumps) ask(s model.State, op history.OpID) (code int32, o wgl.Outcome) {
	if j.beyond() {
		return 0, wgl.Undecided
	}
	if code = j.r.Apply(s, op); code == 0 {
		return 0, wgl.GaveUp
	}
	return code, wgl.Opened
}
