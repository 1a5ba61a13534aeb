package specs

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
)

// Strings that grow by appends, as the few values that a history can distinguish.
//
// A key of a kv holds null or a string, and its operations put a value, append a token, or test for
// a value (a get with a known result, the old value of a cas). Between two tests the string may
// take exponentially many values, but they differ only in the outcome of later tests. Call a string
// relevant if it is a prefix of a tested one. Appending keeps what is there as a prefix, so a
// string that is not relevant never becomes relevant by appends and fails every test. It is
// replaced in the same ways as any other such string (by put and delete, never by a successful cas,
// since that tests the old value). So all strings that are not relevant always behave alike and can
// be one value, "other": the machine with this quotient accepts exactly the sequences that the
// machine with the real strings accepts. null is a value of its own: tests can ask for it, and
// appending to it gives the token alone.
//
// Of the relevant strings only those matter that occur: the starts (the initial value, what puts
// and cas write) and what appends make of them. They are boundaries on the paths of the tested
// strings in their trie. The tested strings and the starts are walked in lexicographic order. So a
// start that is a prefix of a tested string comes before it, and the common prefix of two
// neighbours is walked once.
//
// Invariants of the walk, for the current string: at[p] is the number of its prefix of length p if
// that is a boundary, else -1, for every p > 0 up to done; every token that leads from a boundary
// to a place up to done has its edge; waiting holds the starts that are prefixes of it and not yet
// known to be relevant.
//
// Cost: sorting, plus (bytes in which the strings differ) for clearing at, plus one look-up in the
// table of tokens per boundary and length of a token. An append of a token that occurs once in the
// observed strings has two modes. Tokens that fit almost anywhere (a, aa, aaa, …) would have as
// many as there are boundaries; past a limit grow gives up, and the machine keeps real strings.

const (
	noString    int32 = 0 // null
	otherString int32 = 1 // any string that is not a prefix of a tested one
	someString  int32 = 2 // the first number of a real string
)

// growth is the result: numbers of values, and what appends make of them.
type growth struct {
	number []int32      // by value: of tested ones and of relevant starts; others are otherString
	text   []string     // by number, from someString on (below: "")
	token  []int32      // by value, of those that are appended other than "" and null
	edges  []stringEdge // of all tokens
	ends   []int32      // those of token k, sorted by from, are edges[ends[k]:ends[k+1]]
	empty  int32        // number of ""
	// strange holds the tested values that are not strings: no operation leads to them.
	strange map[int32]history.Value
}

// stringEdge says that appending the token to from makes to.
type stringEdge struct{ from, to int32 }

// What a value is used for.
const (
	isTested uint8 = 1 << iota
	isStart
	isToken
)

type grownString struct {
	text  string
	head  uint64 // its first bytes
	value int32
	use   uint8
}

// headOf puts the first eight bytes of s into a number that sorts as they do, apart from zeros at
// the end.
func headOf(s string) uint64 {
	if len(s) >= 8 {
		return eight(s)
	}
	head := uint64(0)
	for i := range len(s) {
		head |= uint64(s[i]) << (56 - 8*i)
	}
	return head
}

// eight returns the first eight bytes of s.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[2])<<40 | uint64(s[3])<<32 | uint64(s[4])<<24 | uint64(s[5])<<16 | uint64(s[6])<<8 | uint64(s[7])
}

func compareGrown(a, b grownString) int {
	if a.head != b.head {
		return cmp.Compare(a.head, b.head)
	}
	return cmp.Compare(a.text, b.text)
}

// grow classifies the strings of one key: use says for each of the values what it is used for;
// starts and tokens are strings or null, tested ones may be anything. emptyToken reports whether ""
// is appended. It returns nil if there would be more than limit edges.
func grow(t *history.Values, values []history.Value, use []uint8, emptyToken bool, limit int, scratch *growScratch) *growth {
	numbers := make([]int32, 2*len(values))
	g := &growth{number: numbers[:len(values):len(values)], token: numbers[len(values):], text: make([]string, someString, int(someString)+len(values))}
	w := walk{growth: g, left: limit, growScratch: scratch}
	tokens, strings := 0, 0
	for _, u := range use {
		if u&isToken != 0 {
			tokens++
		}
		if u&^isToken != 0 {
			strings++
		}
	}
	w.tokens.open(tokens)
	g.empty = g.add("")
	all := slices.Grow(w.all[:0], strings)
	w.all = all[:strings]
	longest := 0
	for k, v := range values {
		g.number[k] = otherString
		u := use[k]
		if v == history.Nil {
			g.number[k] = noString
			w.fromNull = w.fromNull || u&isStart != 0
			continue
		}
		s, isString := t.AsString(v)
		switch {
		case !isString && u&isTested != 0:
			g.number[k] = g.add("")
			g.setStrange(g.number[k], v)
			continue
		case isString && u&isToken != 0:
			g.token[k] = w.tokens.add(s)
			w.lengths = noteLength(w.lengths, len(s))
		}
		if isString && u&^isToken != 0 {
			all = append(all, grownString{text: s, head: headOf(s), value: int32(k), use: u})
			if u&isTested != 0 {
				longest = max(longest, len(s))
			}
		}
	}
	slices.Sort(w.lengths)
	w.at = slices.Grow(w.at[:0], longest+1)[:longest+1]
	for i := range w.at {
		w.at[i] = -1
	}
	slices.SortFunc(all, compareGrown)
	if len(all) > 0 && all[0].text == "" {
		g.number[all[0].value] = g.empty
		if all[0].use&isStart != 0 {
			w.at[0] = g.empty
		}
		all = all[1:]
	}
	if w.fromNull && emptyToken {
		w.at[0] = g.empty
	}
	for i := range all {
		if w.visit(&all[i]); w.left < 0 {
			return nil
		}
	}
	g.sortEdges(w.made, tokens)
	return g
}

// growScratch is the memory of a walk, used again for the next key.
type growScratch struct {
	tokens  tokens
	lengths []int // of tokens, ascending
	all     []grownString
	at      []int32
	made    []madeEdge
	waiting []*grownString
}

// empty prepares the memory for the next key, and reports whether it is no more than most keys
// need. It holds on to no string.
func (s *growScratch) empty() bool {
	clear(s.all)
	s.tokens.long = nil
	s.lengths, s.all, s.made, s.waiting = s.lengths[:0], s.all[:0], s.made[:0], s.waiting[:0]
	return max(cap(s.all), cap(s.at), cap(s.made), cap(s.tokens.short)) <= maxGrowScratch
}

// setStrange notes a tested value that is not a string.
func (g *growth) setStrange(number int32, v history.Value) {
	if g.strange == nil {
		g.strange = map[int32]history.Value{}
	}
	g.strange[number] = v
}

// noteLength inserts a length that is not in the list; lists are short.
func noteLength(lengths []int, n int) []int {
	if slices.Contains(lengths, n) {
		return lengths
	}
	return append(lengths, n)
}

// sortEdges sorts edges by token, and those of each token by from.
func (g *growth) sortEdges(made []madeEdge, tokens int) {
	// While edges are put in, ends[k+1] is where the next one of token k goes.
	ends := make([]int32, tokens+2)
	for _, e := range made {
		ends[e.token+2]++
	}
	for k := range tokens {
		ends[k+2] += ends[k+1]
	}
	g.edges, g.ends = make([]stringEdge, len(made)), ends[:tokens+1]
	for _, e := range made {
		g.edges[ends[e.token+1]] = e.stringEdge
		ends[e.token+1]++
	}
	for k := range int32(tokens) {
		if edges := g.of(k); len(edges) > 1 {
			slices.SortFunc(edges, func(a, b stringEdge) int { return cmp.Compare(a.from, b.from) })
		}
	}
}

// of returns the edges of a token.
func (g *growth) of(token int32) []stringEdge { return g.edges[g.ends[token]:g.ends[token+1]] }

// tokenCount returns how many tokens there are.
func (g *growth) tokenCount() int { return len(g.ends) - 1 }

func (g *growth) add(text string) int32 {
	g.text = append(g.text, text)
	return int32(len(g.text)) - 1
}

// after returns what appending the token makes of the value of number from.
func (g *growth) after(from, token int32) int32 {
	e := g.of(token)
	if len(e) == 1 {
		if e[0].from == from {
			return e[0].to
		}
		return otherString
	}
	if k, ok := slices.BinarySearchFunc(e, from, func(e stringEdge, from int32) int { return cmp.Compare(e.from, from) }); ok {
		return e[k].to
	}
	return otherString
}

type walk struct {
	*growth
	*growScratch
	fromNull bool // null is a start
	previous string
	done     int
	left     int // how many more edges there may be; negative: too many
}

type madeEdge struct {
	token int32
	stringEdge
}

func (w *walk) visit(s *grownString) {
	common := commonPrefix(w.previous, s.text)
	for p := common + 1; p <= min(len(w.previous), len(w.at)-1); p++ {
		w.at[p] = -1
	}
	w.done = min(w.done, common)
	for n := len(w.waiting); n > 0 && len(w.waiting[n-1].text) > common; n-- {
		w.waiting = w.waiting[:n-1]
	}
	w.previous = s.text
	if s.use&isStart != 0 {
		w.waiting = append(w.waiting, s)
	}
	if s.use&isTested == 0 {
		return
	}
	for _, start := range w.waiting {
		k := w.add(start.text)
		w.number[start.value] = k
		w.at[len(start.text)] = k
	}
	w.waiting = w.waiting[:0]
	w.explore(s.text)
	if k := w.at[len(s.text)]; k >= 0 {
		w.number[s.value] = k
	} else { // no operation makes it
		w.number[s.value] = w.add(s.text)
	}
}

// explore finds the boundaries on the path of a tested string, from done on.
func (w *walk) explore(s string) {
	if len(w.lengths) > 0 {
		for from := max(0, w.done-w.lengths[len(w.lengths)-1]); from < len(s) && w.left >= 0; from++ {
			if w.at[from] >= 0 || from == 0 && w.fromNull {
				w.extend(s, from)
			}
		}
	}
	w.done = len(s)
}

func (w *walk) extend(s string, from int) {
	for _, n := range w.lengths {
		to := from + n
		if to > len(s) {
			return
		}
		if to <= w.done {
			continue
		}
		token := w.tokens.find(s, from, n)
		if token < 0 {
			continue
		}
		w.left--
		if w.at[to] < 0 {
			w.at[to] = w.add(s[:to])
		}
		if w.at[from] >= 0 {
			w.made = append(w.made, madeEdge{token, stringEdge{w.at[from], w.at[to]}})
		}
		if from == 0 && w.fromNull {
			w.made = append(w.made, madeEdge{token, stringEdge{noString, w.at[to]}})
		}
	}
}

func commonPrefix(a, b string) int {
	n, i := min(len(a), len(b)), 0
	for ; i+8 <= n; i += 8 {
		if x := eight(a[i:]) ^ eight(b[i:]); x != 0 {
			return i + bits.LeadingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
