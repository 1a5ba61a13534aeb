package specs

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

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

// growth is the result: what appends make of the numbered strings.
type growth struct {
	table *history.Values
	texts []stringPrefix // by number, from someString on (below: of length 0)
	edges []stringEdge   // of all tokens
	ends  []int32        // those of token k, sorted by from, are edges[ends[k]:ends[k+1]]
	empty int32          // number of ""
	// strange holds the tested values that are not strings: no operation leads to them.
	strange map[int32]history.Value
}

// stringPrefix is a string: the first bytes of a value.
type stringPrefix struct {
	value  history.Value
	length int32
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
	value history.Value
	index int32 // among the values of the key
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
	return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[2])<<40 | uint64(s[3])<<32 | uint64(s[4])<<24 | uint64(
		s[5])<<16 | uint64(s[6])<<8 | uint64(s[7])
}

func compareGrown(a, b grownString) int {
	if a.head != b.head {
		return cmp.Compare(a.head, b.head)
	}
	return cmp.Compare(a.text, b.text)
}

// grow classifies the strings of one key: scratch.use says for each of the values what it is used
// for; starts and tokens are strings or null, tested ones may be anything. emptyToken reports
// whether "" is appended. The numbers of values and tokens are in scratch. It returns nil if there
// would be more than limit edges.
func grow(t *history.Values, values []history.Value, emptyToken bool, limit int, scratch *growScratch) *growth {
	w := walk{growScratch: scratch, left: limit}
	w.number, w.token = sized(w.number, len(values)), sized(w.token, len(values))
	w.texts = append(w.texts[:0], make([]stringPrefix, someString)...)
	tokens, strings := 0, 0
	for _, u := range w.use {
		if u&isToken != 0 {
			tokens++
		}
		if u&^isToken != 0 {
			strings++
		}
	}
	w.tokens.open(tokens)
	empty := w.add(0, 0)
	all := slices.Grow(w.all[:0], strings)
	w.all = all[:strings]
	longest := 0
	var strange map[int32]history.Value
	for k, v := range values {
		w.number[k] = otherString
		u := w.use[k]
		if v == history.Nil {
			w.number[k] = noString
			w.fromNull = w.fromNull || u&isStart != 0
			continue
		}
		s, isString := t.AsString(v)
		switch {
		case !isString && u&isTested != 0:
			w.number[k] = w.add(0, 0)
			if strange == nil {
				strange = map[int32]history.Value{}
			}
			strange[w.number[k]] = v
			continue
		case isString && u&isToken != 0:
			w.token[k] = w.tokens.add(s)
			w.lengths = noteLength(w.lengths, len(s))
		}
		if isString && u&^isToken != 0 {
			all = append(all, grownString{text: s, head: headOf(s), value: v, index: int32(k), use: u})
			if u&isTested != 0 {
				longest = max(longest, len(s))
			}
		}
	}
	slices.Sort(w.lengths)
	w.at = sized(w.at, longest+1)
	for i := range w.at {
		w.at[i] = -1
	}
	sort.Slice(all, func(i, j int) bool { return compareGrown(all[i], all[j]) < 0 })
	if len(all) > 0 && all[0].text == "" {
		w.number[all[0].index] = empty
		if all[0].use&isStart != 0 {
			w.at[0] = empty
		}
		all = all[1:]
	}
	if w.fromNull && emptyToken {
		w.at[0] = empty
	}
	for i := range all {
		if w.visit(&all[i]); w.left < 0 {
			return nil
		}
	}
	r := kvRooms.Get()
	g := &growth{table: t, texts: cut(&r.texts, len(w.texts)), edges: cut(&r.edges, len(w.made)),
		ends: cut(&r.ends, tokens+2), empty: empty, strange: strange}
	kvRooms.Put(r, true)
	copy(g.texts, w.texts)
	g.sortEdges(w.made)
	return g
}

// sized returns memory for n numbers, old if it is enough.
func sized(old []int32, n int) []int32 { return slices.Grow(old[:0], n)[:n] }

// growScratch is the memory of a walk, used again for the next key.
type growScratch struct {
	use     []uint8 // by value
	number  []int32 // by value: of tested ones and of relevant starts; others are otherString
	token   []int32 // by value, of those that are appended other than "" and null
	texts   []stringPrefix
	tokens  tokens
	lengths []int // of tokens, ascending
	all     []grownString
	at      []int32
	made    []madeEdge
	waiting []*grownString
}

// empty prepares the memory for the next key, and returns how large its largest piece is. It holds
// on to no string.
func (s *growScratch) empty() (largest int) {
	clear(s.all)
	s.tokens.long = nil
	s.lengths, s.all, s.made, s.waiting = s.lengths[:0], s.all[:0], s.made[:0], s.waiting[:0]
	return max(cap(s.use), cap(s.number), cap(s.texts), cap(s.all), cap(s.at), cap(s.made), cap(s.tokens.short))
}

// noteLength inserts a length that is not in the list; lists are short.
func noteLength(lengths []int, n int) []int {
	if slices.Contains(lengths, n) {
		return lengths
	}
	return append(lengths, n)
}

// sortEdges sorts edges by token, and those of each token by from. ends has room for one more.
func (g *growth) sortEdges(made []madeEdge) {
	// While edges are put in, ends[k+1] is where the next one of token k goes.
	tokens, ends := len(g.ends)-2, g.ends
	for _, e := range made {
		ends[e.token+2]++
	}
	for k := range tokens {
		ends[k+2] += ends[k+1]
	}
	g.ends = ends[:tokens+1]
	for _, e := range made {
		g.edges[ends[e.token+1]] = e.stringEdge
		ends[e.token+1]++
	}
	for k := range int32(tokens) {
		if edges := g.of(k); len(edges) > 1 {
			sort.Slice(edges, func(i, j int) bool { return edges[i].from < edges[j].from })
		}
	}
}

// of returns the edges of a token.
func (g *growth) of(token int32) []stringEdge { return g.edges[g.ends[token]:g.ends[token+1]] }

// tokenCount returns how many tokens there are.
func (g *growth) tokenCount() int { return len(g.ends) - 1 }

// count returns how many numbers there are.
func (g *growth) count() int { return len(g.texts) }

// text returns the string of a number.
func (g *growth) text(number int32) string {
	p := g.texts[number]
	s, _ := g.table.AsString(p.value) // null for a string of length 0
	return s[:p.length]
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
	if k, ok := slices.BinarySearchFunc(e, from, func(e stringEdge, from int32) int {
		return cmp.Compare(e.from, from)
	}); ok {
		return e[k].to
	}
	return otherString
}

type walk struct {
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

// add numbers the first bytes of a value.
func (w *walk) add(v history.Value, length int) int32 {
	w.texts = append(w.texts, stringPrefix{v, int32(length)})
	return int32(len(w.texts)) - 1
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
		k := w.add(start.value, len(start.text))
		w.number[start.index] = k
		w.at[len(start.text)] = k
	}
	w.waiting = w.waiting[:0]
	w.explore(s)
	if k := w.at[len(s.text)]; k >= 0 {
		w.number[s.index] = k
	} else { // no operation makes it
		w.number[s.index] = w.add(s.value, len(s.text))
	}
}

// explore finds the boundaries on the path of a tested string, from done on.
func (w *walk) explore(s *grownString) {
	if len(w.lengths) > 0 {
		for from := max(0, w.done-w.lengths[len(w.lengths)-1]); from < len(s.text) && w.left >= 0; from++ {
			if w.at[from] >= 0 || from == 0 && w.fromNull {
				w.extend(s, from)
			}
		}
	}
	w.done = len(s.text)
}

func (w *walk) extend(s *grownString, from int) {
	for _, n := range w.lengths {
		to := from + n
		if to > len(s.text) {
			return
		}
		if to <= w.done {
			continue
		}
		token := w.tokens.find(s.text, from, n)
		if token < 0 {
			continue
		}
		w.left--
		if w.at[to] < 0 {
			w.at[to] = w.add(s.value, to)
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
