//go:build unix

package main

import (
	"slices"

	peer "github.com/anishathalye/porcupine"
	"github.com/linsat/linsat/porcupine"
	"github.com/linsat/linsat/spec"
)

// in and out are the inputs and outputs of all objects.
type in struct {
	verb string
	key  string
	n    int
	to   int
}

type out struct {
	unknown bool // the operation did not return
	ok      bool
	n       int
	text    string
}

// object is a model: the states that may follow when an operation with that input and output takes
// effect. Step is written once, for both tools. States compare with ==.
type object struct {
	init any
	step func(state any, i in, o out) []any
	// effect is what the generator makes of an operation: its output and the next state.
	effect func(state any, i in) (out, any)
	keyed  bool // one state a key
	many   bool // several states may follow
	// revision is the place of an operation that its output tells, for linsat alone
	revision func(i in, o out) (int64, bool)
	// touches lists what an operation is on, for linsat alone
	touches func(i in) []any
	// as says which specification it is, for linsat alone
	as *porcupine.As
}

// total returns an object of which effect says everything: an unknown output allows any.
func total(init any, effect func(state any, i in) (out, any)) object {
	return object{init: init, effect: effect, step: func(s any, i in, o out) []any {
		got, next := effect(s, i)
		if o.unknown || got == o {
			return []any{next}
		}
		return nil
	}}
}

// counter: add and get.
func counter() object {
	return total(0, func(s any, i in) (out, any) {
		if i.verb == "add" {
			return out{ok: true}, s.(int) + i.n
		}
		return out{ok: true, n: s.(int)}, s
	})
}

// queue: enqueue and dequeue of small numbers, as a string.
func queue() object {
	return total("", func(s any, i in) (out, any) {
		items := s.(string)
		if i.verb == "enq" {
			return out{ok: true}, items + string(rune(i.n))
		}
		if items == "" {
			return out{}, s
		}
		for k, r := range items {
			if k > 0 {
				return out{ok: true, n: int([]rune(items[:k])[0])}, items[k:]
			}
			_ = r
		}
		return out{ok: true, n: int([]rune(items)[0])}, ""
	})
}

// log is an append log as S2's checker sees it: its tail and a hash of what it holds. An append
// returns the new tail, a read the tail and the hash.
type tail struct {
	n    int
	hash uint64
}

func appendLog() object {
	return total(tail{}, func(s any, i in) (out, any) {
		t := s.(tail)
		if i.verb == "append" {
			t = tail{t.n + 1, (t.hash ^ uint64(i.n)) * 0x9e3779b97f4a7c15}
			return out{ok: true, n: t.n}, t
		}
		return out{ok: true, n: t.n, text: hexadecimal(t.hash)}, t
	})
}

func hexadecimal(x uint64) string {
	const digits = "0123456789abcdef"
	var b [16]byte
	for k := range b {
		b[k] = digits[x>>(4*k)&15]
	}
	return string(b[:])
}

// revised is an object whose results n, but those of one verb, never fall.
func (k object) revised(untold string) object {
	k.revision = func(i in, o out) (int64, bool) { return int64(o.n), i.verb != untold }
	return k
}

// said returns an object that says which specification it is.
func (k object) said(name string, operation func(i in) (f string, key, arg any), result func(i in, o out) any) object {
	k.as = &porcupine.As{
		Spec:      spec.MustLookup(name),
		Operation: func(input any) (f string, key, arg any) { return operation(input.(in)) },
		Result:    func(input, output any) any { return result(input.(in), output.(out)) },
	}
	return k
}

// saidCounter, saidQueue and saidKV are the counter, the queue and the store that say so.
func saidCounter() object {
	return counter().said("counter", func(i in) (f string, key, arg any) {
		if i.verb == "add" {
			return "inc", nil, i.n
		}
		return "read", nil, nil
	}, func(i in, o out) any {
		if i.verb == "add" {
			return nil
		}
		return o.n
	})
}

func saidQueue() object {
	return queue().said("queue", func(i in) (f string, key, arg any) {
		if i.verb == "enq" {
			return "enq", nil, i.n
		}
		return "deq", nil, nil
	}, func(i in, o out) any {
		if i.verb == "enq" || !o.ok {
			return nil
		}
		return o.n
	})
}

func saidKV() object {
	return kv().said("kv", func(i in) (f string, key, arg any) {
		if i.verb == "get" {
			return "get", i.key, nil
		}
		return i.verb, i.key, i.text()
	}, func(i in, o out) any {
		if i.verb != "get" || o.text == "" { // the store has no empty values
			return nil
		}
		return o.text
	})
}

// kv is get, put and append of one key, as in the labs of MIT's course.
func kv() object {
	o := total("", func(s any, i in) (out, any) {
		switch i.verb {
		case "put":
			return out{ok: true}, i.text()
		case "append":
			return out{ok: true}, s.(string) + i.text()
		}
		return out{ok: true, text: s.(string)}, s
	})
	o.keyed = true
	return o
}

func (i in) text() string { return hexadecimal(uint64(i.n) * 0x9e3779b97f4a7c15)[:4] }

// accounts of the bank.
const accounts = 5

// bank: transfers between accounts, which fail when they would overdraw one, and reads of all.
func bank() object {
	return total([accounts]int{100, 100, 100, 100, 100}, func(s any, i in) (out, any) {
		b := s.([accounts]int)
		if i.verb == "read" {
			text := make([]byte, 0, 3*accounts)
			for _, n := range b {
				text = append(text, byte(n>>8), byte(n))
			}
			return out{ok: true, text: string(text)}, s
		}
		from, to := int(i.key[0]-'0'), i.to
		if b[from] < i.n {
			return out{}, s
		}
		b[from] -= i.n
		b[to] += i.n
		return out{ok: true}, b
	})
}

// saidBank is the bank that says what it is.
func saidBank() object {
	balances := map[string]int{}
	for k := range accounts {
		balances[name(k)] = 100
	}
	b := bank().said("bank", func(i in) (f string, key, arg any) {
		if i.verb == "read" {
			return "read", nil, nil
		}
		return "transfer", nil, map[string]any{"from": i.key, "to": name(i.to), "amount": i.n}
	}, func(i in, o out) any {
		if i.verb != "read" {
			return o.ok
		}
		found := map[string]int{}
		for k := range accounts {
			found[name(k)] = int(o.text[2*k])<<8 + int(o.text[2*k+1])
		}
		return found
	})
	b.as.Initial = balances
	return b
}

func name(account int) string { return string(rune('0' + account)) }

// richer is a read of the bank in which an account has 1 more.
func richer(o out) out {
	text := []byte(o.text)
	text[1]++
	o.text = string(text)
	return o
}

// manyAccounts is how many the ledger has.
const manyAccounts = 256

// ledger: moves between two of many accounts, which may overdraw one, and reads of two.
func ledger() object {
	o := total([manyAccounts]int16{}, func(s any, i in) (out, any) {
		b, to := s.([manyAccounts]int16), i.to
		from := i.account()
		if i.verb == "read" {
			return out{ok: true, n: int(b[from])<<16 + int(b[to])}, s
		}
		b[from] -= int16(i.n)
		b[to] += int16(i.n)
		return out{ok: true}, b
	})
	o.touches = func(i in) []any { return []any{i.account(), i.to} }
	return o
}

// account is the first account that an operation of the ledger is on.
func (i in) account() int { return int([]rune(i.key)[0]) }

// lossy is a register whose writes may be lost: nondeterministic.
func lossy() object {
	return object{init: 0, many: true, effect: func(s any, i in) (out, any) {
		if i.verb == "write" {
			if i.to == 0 {
				return out{ok: true}, s
			}
			return out{ok: true}, i.n
		}
		return out{ok: true, n: s.(int)}, s
	}, step: func(s any, i in, o out) []any {
		if i.verb == "write" {
			return []any{i.n, s}
		}
		if o.unknown || o.n == s.(int) {
			return []any{s}
		}
		return nil
	}}
}

func (k object) accepts(state, input, output any) (bool, any) {
	next := k.step(state, input.(in), output.(out))
	if len(next) == 0 {
		return false, state
	}
	return true, next[0]
}

func (k object) every(state, input, output any) []any {
	return k.step(state, input.(in), output.(out))
}

// peer returns the model for Porcupine.
func (k object) peer() peer.Model {
	if k.many {
		return (&peer.NondeterministicModel{Init: func() []any { return []any{k.init} }, Step: k.every}).ToModel()
	}
	m := peer.Model{Init: func() any { return k.init }, Step: k.accepts}
	if k.keyed {
		m.Partition = func(ops []peer.Operation) [][]peer.Operation {
			return byKey(ops, func(o peer.Operation) string { return o.Input.(in).key })
		}
	}
	return m
}

// ours returns the same for the drop-in.
func (k object) ours() porcupine.Model {
	if k.many {
		return (&porcupine.NondeterministicModel{Init: func() []any { return []any{k.init} }, Step: k.every}).ToModel()
	}
	m := porcupine.Model{Init: func() any { return k.init }, Step: k.accepts}
	if k.revision != nil {
		m.Revision = func(input, output any) (int64, bool) { return k.revision(input.(in), output.(out)) }
	}
	if k.touches != nil {
		m.Pieces = func(input any) []any { return k.touches(input.(in)) }
		m.ReadOnly = func(input any) bool { return input.(in).verb == "read" }
	}
	m.As = k.as
	if k.keyed {
		m.Partition = func(ops []porcupine.Operation) [][]porcupine.Operation {
			return byKey(ops, func(o porcupine.Operation) string { return o.Input.(in).key })
		}
	}
	return m
}

func byKey[O any](ops []O, key func(O) string) [][]O {
	parts := map[string][]O{}
	var keys []string
	for _, o := range ops {
		if k := key(o); parts[k] == nil {
			keys = append(keys, k)
		}
		parts[key(o)] = append(parts[key(o)], o)
	}
	slices.Sort(keys)
	var all [][]O
	for _, k := range keys {
		all = append(all, parts[k])
	}
	return all
}
