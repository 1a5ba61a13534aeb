package specs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Bank returns the specification of a bank, as in Jepsen's bank tests: transfer {"from": a, "to":
// b, "amount": n} moves money between accounts, and read returns all balances at one moment. A
// transfer that would leave its account below zero is refused, unless the initial state allows
// overdraft.
//
// The initial state is a map from accounts to balances, or a map with "balances" and "overdraft".
// If it states no balances, as in Jepsen's histories, the history is linearizable if it is for some
// balances: the first read shows them.
func Bank() model.Spec { return bank }

// The operations of a bank, as they stand in its Info.
const (
	bankRead = iota
	bankTransfer
)

var bank = newTable(table{
	info: model.Info{
		Name:    "bank",
		Summary: "accounts between which money is transferred, and whose balances are read at one moment",
		Initial: `a map from accounts to balances, or {"balances": {account: balance, …}, "overdraft": true} where accounts may go below zero (default: what the history shows, no overdraft)`,
		Example: `{"spec": "bank", "initial": {"a": 10, "b": 0}, "operations": [{"process": 0, "f": "transfer", "arg": {"from": "a", "to": "b", "amount": 4}, "call": 0, "return": 3}, ` +
			`{"process": 1, "f": "read", "call": 1, "return": 2, "result": {"a": 10, "b": 0}}, {"process": 1, "f": "read", "call": 4, "return": 5, "result": {"a": 6, "b": 4}}, ` +
			`{"process": 0, "f": "transfer", "arg": {"from": "b", "to": "a", "amount": 5}, "call": 6, "return": 7, "result": false}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "read", Aliases: []string{"get", "balances", "snapshot", "readall"},
			Result: "{account: balance, …}; an account that is not named has 0"}, arg: noArgument, observes: true},
		{Operation: model.Operation{Name: "transfer", Aliases: []string{"move", "send"},
			Arg: `{"from": account, "to": account, "amount": n}`,
			Result: "true if it was made (as well where that is not recorded), false if it was refused, as the " +
				"balance did not suffice"}},
	},
	bind:         bindBank,
	undetermined: "the balances at first",
})

// bankOp is a resolved operation. Found holds the balances that a read found, nil if they are not
// known.
type bankOp struct {
	verb     int
	from, to int
	amount   int64
	result   outcome // of a transfer: whether it was made
	found    []int64
}

// bankPart is a partition that holds one bank. A state is a sequence of 64-bit numbers, each as two
// of 32 bits: the balances, if they are known. Before the first read of a bank whose initial
// balances are not known, a state has three numbers for every account: how much came in so far
// (negative: went out), the least that the account can have held at first, and the most.
type bankPart struct {
	table     *history.Values
	accounts  []string
	number    map[string]int
	ops       []bankOp
	init      []int64
	overdraft bool
}

// of returns the number of an account.
func (k *bankPart) of(name string) int {
	n, known := k.number[name]
	if !known {
		n = len(k.accounts)
		k.number[name] = n
		k.accounts = append(k.accounts, name)
	}
	return n
}

func bindBank(s *table, p *model.Partition) (*model.Instance, error) {
	k := &bankPart{table: p.History.Values, number: map[string]int{}, ops: make([]bankOp, len(p.Ops))}
	initial, ok := k.initial(p)
	if !ok {
		return nil, s.wrongInitial(p)
	}
	b := s.instance(p)
	moved := uint64(0) // by all transfers together
	known := initial != nil
	type kind struct {
		verb, from, to int
		amount         int64
		result         outcome
		found          history.Value
	}
	kinds := alike[kind]{}
	err := s.each(p, func(i history.OpID, verb int, _ int64) error {
		found, err := k.resolve(p, i, verb)
		if err != nil {
			return err
		}
		o := &k.ops[i]
		if moved += uint64(o.amount); moved > maxMoney {
			return p.Error(i, "the transfers up to this one could leave the range of 64-bit integers",
				"count in larger units")
		}
		// a first read, and a balance that must have sufficed, restrict the balances that are not
		// known
		switch {
		case o.verb == bankRead:
			b.ReadOnly[i] = known || p.Ops[i].Unknown
		case o.result == no:
			b.ReadOnly[i] = known
		default:
			b.ReadOnly[i] = o.amount == 0 || o.from == o.to && (known || k.overdraft)
		}
		g := kind{o.verb, o.from, o.to, o.amount, o.result, history.Nil}
		if o.verb == bankRead && !p.Ops[i].Unknown {
			g.found = p.Ops[i].Result
		}
		b.EquivID[i] = kinds.of(g)
		if found != nil {
			o.found = make([]int64, len(k.accounts))
			copy(o.found, found)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	n := len(k.accounts)
	for i := range k.ops { // accounts that only later operations name
		if o := &k.ops[i]; o.found != nil {
			o.found = append(o.found, make([]int64, n-len(o.found))...)
		}
	}
	k.init = make([]int64, n)
	copy(k.init, initial)
	switch {
	case known:
	case k.overdraft:
		k.init = make([]int64, 2*n)
	default:
		k.init = make([]int64, 3*n)
		for account := range n {
			k.init[2*n+account] = noMost
		}
	}
	b.NewMachine = func() model.Machine { return model.NewVector(packed(nil, k.init), k.step(), k.describe) }
	b.Refusal = k.refuse
	b.View = func(number int32) *model.View { return k.view(p, known, number) }
	b.Views = func(op history.OpID) []int32 { return k.about(p, known, op) }
	b.Theory = &model.BankTheory{Moves: func() *model.Bank { return k.moves(p, known) },
		Sums: func() []int32 { return k.sums(p, known) }}
	b.Tallies = func() *model.Tallies { return k.tallies(known) }
	return b, nil
}

// maxMoney bounds every balance and the sum of all transfers, so that no sum of them overflows.
const maxMoney = math.MaxInt64 / 8

// noMost stands for no upper bound: it is more than an account can have held at first.
const noMost = 4 * maxMoney

// initial reads the initial state; balances are nil if it states none.
func (k *bankPart) initial(p *model.Partition) (balances []int64, ok bool) {
	if !stated(p) {
		return nil, true
	}
	pairs, isMap := k.table.AsMap(p.Initial)
	if !isMap {
		return nil, false
	}
	options := false
	for j := 0; j < len(pairs); j += 2 {
		name, _ := k.table.AsString(pairs[j])
		options = options || name == "overdraft" || name == "balances" &&
			model.KindOf(k.table, pairs[j+1]) == model.KindMap
	}
	if !options {
		balances, ok = k.balancesOf(pairs)
		return balances, ok && !slices.ContainsFunc(balances, negative)
	}
	for j := 0; j < len(pairs); j += 2 {
		switch name, _ := k.table.AsString(pairs[j]); {
		case name == "overdraft" && model.KindOf(k.table, pairs[j+1]) == model.KindBool:
			k.overdraft = pairs[j+1] == history.True
		case name == "balances":
			stated, isMap := k.table.AsMap(pairs[j+1])
			if !isMap {
				return nil, false
			}
			if balances, ok = k.balancesOf(stated); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	return balances, k.overdraft || !slices.ContainsFunc(balances, negative)
}

func negative(n int64) bool { return n < 0 }

// balancesOf reads a map from accounts to balances, by number of the account.
func (k *bankPart) balancesOf(pairs []history.Value) (balances []int64, ok bool) {
	balances = []int64{}
	named := map[int]bool{}
	for j := 0; j < len(pairs); j += 2 {
		name, isName := ownerName(k.table, pairs[j])
		n, isInt := k.table.AsInt(pairs[j+1])
		if !isName || !isInt || n < -maxMoney || n > maxMoney {
			return nil, false
		}
		account := k.of(name)
		if named[account] {
			return nil, false
		}
		named[account] = true
		balances = append(balances, make([]int64, max(0, account+1-len(balances)))...)
		balances[account] = n
	}
	return balances, true
}

// resolve resolves operation i, and returns the balances that it found.
func (k *bankPart) resolve(p *model.Partition, i history.OpID, verb int) (found []int64, err error) {
	in, o := &p.Ops[i], &k.ops[i]
	if o.verb = verb; verb == bankRead {
		if in.Unknown {
			return nil, nil
		}
		pairs, isMap := k.table.AsMap(in.Result)
		if isMap {
			found, isMap = k.balancesOf(pairs)
		}
		if !isMap {
			return nil, wrongResult(p, i, "a map from accounts to balances, integers of moderate size")
		}
		return found, nil
	}
	if !k.transfer(in.Arg, o) {
		return nil, wrongArg(p, i, `{"from": account, "to": account, "amount": n}, n from 0 on`)
	}
	if o.result = yes; in.Unknown {
		o.result = unknown
		return nil, nil
	}
	switch {
	case acknowledges(p, i):
		return nil, nil
	case in.Result == history.False:
		o.result = no
		return nil, nil
	}
	return nil, wrongResult(p, i, "null, true or false")
}

// transfer reads the argument of a transfer and reports whether it is one.
func (k *bankPart) transfer(arg history.Value, o *bankOp) bool {
	pairs, _ := k.table.AsMap(arg)
	if len(pairs) != 6 {
		return false
	}
	for j := 0; j < len(pairs); j += 2 {
		field, _ := k.table.AsString(pairs[j])
		name, isName := ownerName(k.table, pairs[j+1])
		n, isInt := k.table.AsInt(pairs[j+1])
		switch {
		case field == "from" && isName:
			o.from = k.of(name)
		case field == "to" && isName:
			o.to = k.of(name)
		case field == "amount" && isInt && 0 <= n && n <= maxMoney:
			o.amount = n
		default:
			return false
		}
	}
	return true
}

// packed appends numbers, each as two of 32 bits.
func packed(dst []int32, numbers []int64) []int32 {
	for _, n := range numbers {
		dst = append(dst, int32(n>>32), int32(uint32(n)))
	}
	return dst
}

// unpacked appends the numbers from which packed made s.
func unpacked(dst []int64, s []int32) []int64 {
	for i := 0; i < len(s); i += 2 {
		dst = append(dst, int64(s[i])<<32|int64(uint32(s[i+1])))
	}
	return dst
}

// known reports whether a state holds balances, rather than bounds on the initial ones.
func (k *bankPart) known(s []int64) bool { return len(s) == len(k.accounts) }

func (k *bankPart) step() func(s []int32, op history.OpID, yield func(next []int32)) {
	var now, next []int64
	var made, refused []int32
	return func(s []int32, op history.OpID, yield func(next []int32)) {
		o := &k.ops[op]
		now = unpacked(now[:0], s)
		switch {
		case o.verb == bankRead && o.found == nil:
			yield(s)
			return
		case o.verb == bankRead:
			if k.shows(now, o.found) == "" {
				yield(packed(made[:0], o.found))
			}
			return
		}
		made, refused = made[:0], refused[:0]
		if o.result != no {
			if next = append(next[:0], now...); k.transferred(next, o) {
				made = packed(made, next)
			}
		}
		if o.result != yes {
			if next = append(next[:0], now...); k.declined(next, o) {
				refused = packed(refused, next)
			}
		}
		if len(made) > 0 {
			yield(made)
		}
		if len(refused) > 0 {
			yield(refused)
		}
	}
}

// transferred makes a transfer in s and reports whether the balance suffices, or may suffice.
func (k *bankPart) transferred(s []int64, o *bankOp) bool {
	n := len(k.accounts)
	switch {
	case k.overdraft:
	case k.known(s):
		if s[o.from] < o.amount {
			return false
		}
	default:
		least := &s[n+o.from]
		if *least = max(*least, o.amount-s[o.from]); *least > s[2*n+o.from] {
			return false
		}
	}
	s[o.from] -= o.amount
	s[o.to] += o.amount
	return true
}

// declined reports whether the balance does not suffice, or may not suffice, for a transfer that is
// refused.
func (k *bankPart) declined(s []int64, o *bankOp) bool {
	n := len(k.accounts)
	switch {
	case k.overdraft:
		return false
	case k.known(s):
		return s[o.from] < o.amount
	}
	most := &s[2*n+o.from]
	*most = min(*most, o.amount-s[o.from]-1)
	return s[n+o.from] <= *most
}

// shows says why a read in state s cannot find these balances, or returns "".
func (k *bankPart) shows(s, found []int64) string {
	n := len(k.accounts)
	for account, balance := range found {
		name := shorten(k.accounts[account])
		switch {
		case k.known(s):
			if s[account] != balance {
				return fmt.Sprintf("account %s has %d, not %d", name, s[account], balance)
			}
		case k.overdraft:
		case balance-s[account] < s[n+account]:
			return fmt.Sprintf("account %s had %d at least at first and %d more came in, so it cannot have %d", name,
				s[n+account], s[account], balance)
		case balance-s[account] > s[2*n+account]:
			return fmt.Sprintf("account %s had %d at most at first and %d more came in, so it cannot have %d", name,
				s[2*n+account], s[account], balance)
		}
	}
	return ""
}

func (k *bankPart) describe(packed []int32) string {
	s, n := unpacked(nil, packed), len(k.accounts)
	texts := make([]string, n)
	for account, name := range k.accounts {
		text := name + ": "
		if k.known(s) {
			texts[account] = text + strconv.FormatInt(s[account], 10)
			continue
		}
		text += fmt.Sprintf("%+d", s[account])
		if !k.overdraft {
			text += fmt.Sprintf(" (at first %d", s[n+account])
			if most := s[2*n+account]; most < noMost {
				text += fmt.Sprintf(" to %d)", most)
			} else {
				text += " or more)"
			}
		}
		texts[account] = text
	}
	slices.Sort(texts)
	list := "{" + strings.Join(texts, ", ") + "}"
	if k.known(s) {
		return list
	}
	return "not read yet, since the start " + list
}

func (k *bankPart) refuse(m model.Machine, st model.State, op history.OpID) string {
	s, o := unpacked(nil, model.PeekVector(m, st)), &k.ops[op]
	name := shorten(k.accounts[o.from])
	n := len(k.accounts)
	switch {
	case o.verb == bankRead:
		return k.shows(s, o.found)
	case k.overdraft && o.result == no:
		return "accounts may go below zero, so no transfer is refused"
	case k.known(s):
		return fmt.Sprintf("account %s has %d, and the transfer asks for %d", name, s[o.from], o.amount)
	case o.result == no:
		return fmt.Sprintf("account %s has %d at least, and the transfer asks for %d", name,
			s[n+o.from]+s[o.from], o.amount)
	}
	return fmt.Sprintf("account %s has %d at most, and the transfer asks for %d", name,
		s[2*n+o.from]+s[o.from], o.amount)
}
