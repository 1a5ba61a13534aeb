package specs

import (
	"fmt"
	"math"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// ownedLock is a lock for which it matters who acquires and who releases it. There are three, which
// differ in how often the owner may acquire it again, and in whether acquisitions return fencing
// tokens.
type ownedLock struct {
	limit  int32 // how often one owner may hold it, unless the initial state says so
	fenced bool
}

// OwnedMutex returns the specification of a mutex that only its owner may release: acquire, release
// and tryacquire. The owner is the calling process, or the one that the argument names. Its owner
// cannot acquire it again.
//
// Hazelcast's Jepsen tests call its model an owner-aware mutex.
func OwnedMutex() model.Spec { return ownedMutex }

// ReentrantMutex returns the specification of a mutex that its owner may acquire again, and that is
// free once it was released as often: acquire, release and tryacquire, as in java.util.concurrent's
// ReentrantLock and Hazelcast's FencedLock.
func ReentrantMutex() model.Spec { return reentrantMutex }

// FencedMutex returns the specification of an owned mutex whose acquisitions return fencing tokens:
// every acquisition of the free lock gets a greater token than all before. Another acquisition by
// its owner, if the initial state allows that, gets the same token.
func FencedMutex() model.Spec { return fencedMutex }

// noLimit is the limit of a lock that its owner may acquire any number of times.
const noLimit = math.MaxInt32

var (
	ownerArgument = `the owner, or {"owner": name}, null for a name that is not known (default: the process)`
	heldResult    = "true if it released the lock (as well where that is not recorded), false if it was refused, as " +
		"the caller does not own it"

	ownedMutex = newTable(table{
		info: model.Info{
			Name:    "owned-mutex",
			Summary: "a lock that only its owner may release",
			Initial: `free, or {"owner": name} (default: free)`,
			Example: `{"spec": "owned-mutex", "operations": [{"process": 0, "f": "acquire", "call": 0, "return": 2}, {"process": 1, "f": "tryacquire", "call": 1, "return": 3, "result": false}, ` +
				`{"process": 1, "f": "release", "call": 4, "return": 5, "result": false}, {"process": 0, "f": "release", "call": 6, "return": 8}, {"process": 1, "f": "acquire", "call": 7}]}`,
		},
		rows: []row{
			{Operation: model.Operation{Name: "acquire", Aliases: []string{"lock", "enter", "lockinterruptibly"},
				Arg: ownerArgument}},
			{Operation: model.Operation{Name: "release", Aliases: []string{"unlock", "leave", "exit"},
				Arg: ownerArgument, Result: heldResult}},
			{Operation: model.Operation{Name: "tryacquire", Aliases: []string{"trylock", "tryenter"},
				Arg: ownerArgument, Result: "true if it acquired the lock, else false; null: not recorded"}},
		},
		bind: ownedLock{limit: 1}.bind,
	})

	reentrantMutex = newTable(table{
		info: model.Info{
			Name:    "reentrant-mutex",
			Summary: "a lock that its owner may acquire again, and releases as often",
			Initial: `free, or {"owner": name, "count": how often it is held, "limit": how often it can be}, all of them optional (default: free, no limit)`,
			Example: `{"spec": "reentrant-mutex", "operations": [{"process": 0, "f": "acquire", "call": 0, "return": 1}, {"process": 0, "f": "acquire", "call": 2, "return": 3}, ` +
				`{"process": 0, "f": "release", "call": 4, "return": 5}, {"process": 1, "f": "tryacquire", "call": 6, "return": 7, "result": false}, ` +
				`{"process": 0, "f": "release", "call": 8, "return": 10}, {"process": 1, "f": "acquire", "call": 9, "return": 11}]}`,
		},
		rows: []row{
			{Operation: model.Operation{Name: "acquire", Aliases: []string{"lock", "enter", "lockinterruptibly"},
				Arg: ownerArgument}},
			{Operation: model.Operation{Name: "release", Aliases: []string{"unlock", "leave", "exit"},
				Arg: ownerArgument, Result: heldResult}},
			{Operation: model.Operation{Name: "tryacquire", Aliases: []string{"trylock", "tryenter"},
				Arg: ownerArgument, Result: "true if it acquired the lock, else false; null: not recorded"}},
		},
		bind: ownedLock{limit: noLimit}.bind,
	})

	fencedMutex = newTable(table{
		info: model.Info{
			Name:    "fenced-mutex",
			Summary: "a lock that only its owner may release, whose acquisitions return growing tokens",
			Initial: `free, or {"owner": name, "count": how often it is held, "limit": how often it can be, "fence": the last token}, all of them optional (default: free, limit 1, no token)`,
			Example: `{"spec": "fenced-mutex", "operations": [{"process": 0, "f": "acquire", "call": 0, "return": 2, "result": 1}, {"process": 1, "f": "tryacquire", "call": 1, "return": 3, "result": false}, ` +
				`{"process": 0, "f": "release", "call": 4, "return": 6}, {"process": 1, "f": "acquire", "call": 5, "return": 7, "result": 4}]}`,
		},
		rows: []row{
			{Operation: model.Operation{Name: "acquire", Aliases: []string{"lock", "enter", "lockinterruptibly",
				"lockandgetfence"}, Arg: ownerArgument, Result: "the token, a positive integer; null: not recorded"}},
			{Operation: model.Operation{Name: "release", Aliases: []string{"unlock", "leave", "exit"},
				Arg: ownerArgument, Result: heldResult}},
			{Operation: model.Operation{Name: "tryacquire", Aliases: []string{"trylock", "tryenter",
				"trylockandgetfence"}, Arg: ownerArgument,
				Result: "the token if it acquired the lock (true: not recorded), else false or 0; null: not recorded " +
					"whether it did"}},
		},
		bind:         ownedLock{limit: 1, fenced: true}.bind,
		undetermined: "a token",
	})
)

// The operations of an owned lock, as they stand in its Info.
const (
	ownedAcquire = iota
	ownedRelease
	ownedTryAcquire
)

// anyone is the owner of an operation that does not say who calls it.
const anyone int32 = -1

// ownedOp is a resolved operation. Token is 0 if it is not known.
type ownedOp struct {
	verb   int
	owner  int32 // a number, or anyone
	token  uint64
	result outcome
}

// holder is a state: who holds the lock, how often, and the last token. While the lock is free,
// count and owner are 0. If the last acquisition did not report its token, token is the least that
// it can be, and vague is set while the lock is held.
type holder struct {
	owner, count int32
	token        uint64
	vague        bool
}

// ownedPart is a partition that holds one owned lock.
type ownedPart struct {
	spec   *table
	lock   ownedLock
	limit  int32
	init   holder
	ops    []ownedOp
	owners []string
	number map[string]int32
	extra  int32 // an owner that no operation names, -1 if there is none
}

// of returns the number of an owner.
func (k *ownedPart) of(name string) int32 {
	n, known := k.number[name]
	if !known {
		n = int32(len(k.owners))
		k.number[name] = n
		k.owners = append(k.owners, name)
	}
	return n
}

func (l ownedLock) bind(s *table, p *model.Partition) (*model.Instance, error) {
	k := &ownedPart{spec: s, lock: l, limit: l.limit, ops: make([]ownedOp, len(p.Ops)), number: map[string]int32{},
		extra: -1}
	if stated(p) && !k.initial(p.History.Values, p.Initial) {
		return nil, s.wrongInitial(p)
	}
	b := s.instance(p)
	unnamed := false
	kinds := alike[ownedOp]{}
	err := s.each(p, func(i history.OpID, verb int, _ int64) error {
		o := &k.ops[i]
		o.verb = verb
		if err := k.resolve(p, i); err != nil {
			return err
		}
		unnamed = unnamed || o.owner == anyone
		b.ReadOnly[i] = o.result == no
		b.EquivID[i] = kinds.of(*o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if unnamed { // an owner whose name is not known may be one that no other operation names
		k.extra = int32(len(k.owners))
		k.owners = append(k.owners, "an owner that is not known")
	}
	t := &model.LockTheory{Holding: k.holding(p)}
	if l.fenced {
		t.Tokens = k.tokens()
	} else {
		t.Cells = k.cells(p)
	}
	b.Theory, b.Tallies = t, k.tallies
	b.NewMachine = func() model.Machine { return model.NewComparable(k.init, k.step, k.describe, nil) }
	b.Refusal = k.refuse
	return b, nil
}

// holding says who holds the lock; nil where an owner is not known, or whether a completed
// operation was refused.
func (k *ownedPart) holding(p *model.Partition) *model.Holding {
	h := &model.Holding{Owner: make([]int32, len(k.ops)), Does: make([]model.HoldAction, len(k.ops)), Limit: k.limit,
		Held: k.init.count, Holder: k.init.owner, Exact: !k.lock.fenced}
	for i, o := range k.ops {
		if o.owner == anyone || o.result == unknown && !p.Ops[i].Pending() {
			return nil
		}
		h.Owner[i] = o.owner
		switch {
		case o.verb == ownedRelease && o.result == no:
			h.Does[i] = model.NotAllowed
		case o.verb == ownedRelease:
			h.Does[i] = model.Releases
		case o.result == no:
			h.Does[i] = model.NotReady
		}
	}
	return h
}

// tokens returns the tokens of operations: a later acquisition has a greater one, unless the owner
// held the lock before.
func (k *ownedPart) tokens() *model.Tokens {
	a := &model.Tokens{Numbers: make([]uint64, len(k.ops)), Distinct: k.limit == 1}
	for i := range k.ops {
		a.Numbers[i] = k.ops[i].token
	}
	return a
}

// initial reads the initial state and reports whether it is one.
func (k *ownedPart) initial(t *history.Values, v history.Value) bool {
	pairs, isMap := t.AsMap(v)
	if !isMap {
		return v == history.False
	}
	owned := false
	for j := 0; j < len(pairs); j += 2 {
		name, _ := t.AsString(pairs[j])
		if name == "owner" {
			owner, ok := ownerName(t, pairs[j+1])
			if !ok {
				return false
			}
			k.init.owner, k.init.count, owned = k.of(owner), max(1, k.init.count), true
			continue
		}
		n, isInt := t.AsInt(pairs[j+1])
		switch {
		case !isInt || n < 1:
			return false
		case name == "fence" && k.lock.fenced:
			k.init.token = uint64(n)
		case name == "count" && n < noLimit && k.spec.info.Name != "owned-mutex":
			k.init.count = int32(n)
		case name == "limit" && n < noLimit && k.spec.info.Name != "owned-mutex":
			k.limit = int32(n)
		default:
			return false
		}
	}
	return owned == (k.init.count > 0) && k.init.count <= k.limit
}

// ownerName returns the name of an owner: a string, or an integer in decimal, as processes are
// named.
func ownerName(t *history.Values, v history.Value) (string, bool) {
	if n, isInt := t.AsInt(v); isInt {
		return strconv.FormatInt(n, 10), true
	}
	return t.AsString(v)
}

// ownerOf returns the owner of operation i.
func (k *ownedPart) ownerOf(p *model.Partition, i history.OpID) (int32, bool) {
	t, o := p.History.Values, &p.Ops[i]
	named := o.Arg
	if named == history.Nil {
		return k.of(p.History.Processes[o.Process]), true
	}
	if pairs, isMap := t.AsMap(named); isMap {
		if len(pairs) != 2 {
			return 0, false
		}
		if name, _ := t.AsString(pairs[0]); name != "owner" && name != "client" {
			return 0, false
		}
		if named = pairs[1]; named == history.Nil {
			return anyone, true
		}
	}
	name, ok := ownerName(t, named)
	if !ok {
		return 0, false
	}
	return k.of(name), true
}

func (k *ownedPart) resolve(p *model.Partition, i history.OpID) error {
	in, o := &p.Ops[i], &k.ops[i]
	var ok bool
	if o.owner, ok = k.ownerOf(p, i); !ok {
		return wrongArg(p, i, `an owner: a string, an integer, or {"owner": name}`)
	}
	if o.verb == ownedRelease {
		switch {
		case in.Unknown:
			o.result = unknown
		case in.Result == history.False:
			o.result = no
		case acknowledges(p, i):
			o.result = yes
		default:
			return wrongResult(p, i, "null, true or false")
		}
		return nil
	}
	if n, isInt := p.History.Values.AsInt(in.Result); isInt && !in.Unknown {
		switch {
		case n > 0 && k.lock.fenced:
			o.result, o.token = yes, uint64(n)
		case n > 0:
			o.result = yes
		case n == 0 && o.verb == ownedTryAcquire:
			o.result = no
		default:
			return wrongResult(p, i, "a fencing token, a positive integer")
		}
		return nil
	}
	if o.verb == ownedTryAcquire {
		if o.result, ok = truth(in); !ok {
			return wrongResult(p, i, "true, false or a fencing token")
		}
		return nil
	}
	o.result = yes
	switch {
	case acknowledges(p, i):
		return nil
	case in.Result == history.False:
		return wrongResult(p, i, "null: one that may fail has a try in its name")
	}
	return wrongResult(p, i, "null, true or a fencing token")
}

// step appends the states that an operation may leave: it succeeds, or it is refused.
func (k *ownedPart) step(s holder, op history.OpID, dst []holder) []holder {
	o := k.ops[op]
	owns := s.count > 0 && (o.owner == anyone || o.owner == s.owner)
	if o.verb == ownedRelease {
		if owns && o.result != no {
			next := s
			if next.count--; next.count == 0 {
				next.owner, next.vague = 0, false
			}
			dst = append(dst, next)
		}
		if o.result != yes && (!owns || o.owner == anyone) {
			dst = append(dst, s)
		}
		return dst
	}
	if o.result != no {
		switch {
		case s.count == 0 && o.owner == anyone:
			for owner := range k.owners {
				dst = k.take(s, int32(owner), o.token, dst)
			}
		case s.count == 0:
			dst = k.take(s, o.owner, o.token, dst)
		case owns && s.count < k.limit && o.token == 0:
			s.count++
			dst = append(dst, s)
			s.count--
		case owns && s.count < k.limit && (o.token == s.token || s.vague && o.token > s.token):
			dst = append(dst, holder{owner: s.owner, count: s.count + 1, token: o.token})
		}
	}
	if o.result != yes && s.count > 0 && (!owns || s.count == k.limit || o.owner == anyone) {
		dst = append(dst, s)
	}
	return dst
}

// take appends the state in which the free lock s is acquired, with a token unless that is 0. It
// appends none if the token is not a new one.
func (k *ownedPart) take(s holder, owner int32, token uint64, dst []holder) []holder {
	next := holder{owner: owner, count: 1, token: token}
	switch {
	case token == 0 && k.lock.fenced:
		next.token, next.vague = s.token+1, true
	case token != 0 && token <= s.token:
		return dst
	}
	return append(dst, next)
}

// cells describes the lock as a register whose value is its owner and how often it is held; nil if
// that takes too many modes. Value 0 is the free lock.
func (k *ownedPart) cells(p *model.Partition) *model.RegisterTheory {
	// How often each owner can hold it, also from an unknown state: one more than there are
	// releases is never noticed.
	deepest := make([]int32, len(k.owners))
	for owner := range deepest {
		deepest[owner] = 1
		if k.init.count > 0 && k.init.owner == int32(owner) {
			deepest[owner] += k.init.count
		}
	}
	for _, o := range k.ops {
		for owner := range deepest {
			if o.result != no && (o.owner == anyone || o.owner == int32(owner)) {
				deepest[owner]++
			}
		}
	}
	for owner := range deepest {
		deepest[owner] = min(deepest[owner], k.limit)
	}
	first := make([]int32, len(k.owners)+1) // value of an owner who holds it once
	first[0] = 1
	for owner, n := range deepest {
		first[owner+1] = first[owner] + n
	}
	total := 0
	for _, o := range k.ops {
		if o.owner == anyone {
			total += int(first[len(k.owners)])
		} else {
			total += int(deepest[o.owner])
		}
	}
	if total > ownedModes*(len(k.ops)+8) {
		return nil
	}
	c := model.NewRegisterTheory(len(k.ops))
	c.Init, c.Values = []int32{0}, int(first[len(k.owners)])
	if k.init.count > 0 {
		c.Init[0] = first[k.init.owner] + k.init.count - 1
	}
	var modes []model.Mode
	for i, o := range k.ops {
		modes = modes[:0]
		pending := p.Ops[i].Pending()
		for owner := range k.owners {
			if o.result == no || o.owner != anyone && o.owner != int32(owner) {
				continue
			}
			for v := first[owner]; v < first[owner+1]; v++ {
				below := v - 1 // the lock is held once fewer
				if v == first[owner] {
					below = 0
				}
				if o.verb == ownedRelease {
					modes = append(modes, model.Mode{Test: model.Is, V: v, Leaves: below})
				} else {
					modes = append(modes, model.Mode{Test: model.Is, V: below, Leaves: v})
				}
			}
		}
		// a pending one that is refused might as well not take effect
		if o.result != yes && (o.result == no || !pending) {
			modes = k.refused(o, first, modes)
		}
		c.Add(0, modes...)
	}
	return c
}

// refused appends the mode in which operation o is refused, if it can be.
func (k *ownedPart) refused(o ownedOp, first []int32, modes []model.Mode) []model.Mode {
	var not []int32 // the values that it does not find then
	if o.verb != ownedRelease {
		not = append(not, 0)
	}
	if o.owner != anyone {
		for v := first[o.owner]; v < first[o.owner+1]; v++ {
			if o.verb == ownedRelease || v-first[o.owner]+1 < k.limit {
				not = append(not, v)
			}
		}
	}
	if len(not) == 0 {
		return append(modes, model.Mode{Test: model.Any, Leaves: model.Keep})
	}
	return append(modes, model.Mode{Test: model.Not, V: not[0], Others: not[1:], Leaves: model.Keep})
}

// name returns a readable name of an owner.
func (k *ownedPart) name(owner int32) string {
	if owner == k.extra {
		return k.owners[owner]
	}
	return shorten(k.owners[owner])
}

func (k *ownedPart) describe(s holder) string {
	text := "free"
	if s.count > 0 {
		text = "held by " + k.name(s.owner)
	}
	if s.count > 1 {
		text += fmt.Sprintf(" %d times", s.count)
	}
	switch {
	case s.token == 0:
	case s.vague:
		text += fmt.Sprintf(", token %d or more", s.token)
	case s.count > 0:
		text += fmt.Sprintf(", token %d", s.token)
	default:
		text += fmt.Sprintf(", last token %d", s.token)
	}
	return text
}

func (k *ownedPart) refuse(m model.Machine, st model.State, op history.OpID) string {
	s, o := model.PeekComparable[holder](m, st), k.ops[op]
	owns := s.count > 0 && (o.owner == anyone || o.owner == s.owner)
	held := "the lock is free"
	if s.count > 0 {
		held = "the lock is held by " + k.name(s.owner)
	}
	switch {
	case o.verb == ownedRelease, o.result == no && s.count == 0:
		return held
	case o.result == no:
		return held + ", who may acquire it again"
	case s.count == 0:
		return fmt.Sprintf("the lock is free, and its next token is greater than %d, not %d", s.token, o.token)
	case !owns:
		return held
	case s.count == k.limit && k.limit == 1:
		return held + " already"
	case s.count == k.limit:
		return fmt.Sprintf("%s %d times, and no more is allowed", held, s.count)
	case s.vague:
		return fmt.Sprintf("%s with a token of %d at least, not %d", held, s.token, o.token)
	}
	return fmt.Sprintf("%s with token %d, not %d", held, s.token, o.token)
}
