package spec

import (
	"cmp"
	"slices"

	"github.com/linsat/linsat/history"
)

// Strings that grow by appends, as the few values that a history can tell apart.
//
// A key of a kv holds null or a string, and its operations put a value, append a token, or test
// for a value (a get with a known result, the old value of a cas). Between two tests the string may
// take exponentially many values, but they differ only in what later tests say. Call a string
// relevant if it is a prefix of a tested one. Appending keeps what is there as a prefix, so a string that
// is not relevant never becomes relevant by appends, fails every test, and is left in the same ways
// (put, delete, successful cas: never, since its old value is tested) as any other one. So all strings
// that are not relevant behave alike for ever and can be one value, "other": the machine with this
// quotient accepts exactly the sequences that the machine with the real strings accepts. null
// is a value of its own: it is tested for as itself, and appending to it gives the token alone.
//
// Of the relevant strings only those matter that occur: the starts (the initial value, what puts and
// cas write) and what appends make of them. They are boundaries on the paths of the tested strings
// in their trie. The tested strings and the starts are walked in lexicographic order. So a start that is a prefix
// of a tested string comes before it, and what two neighbours have in common is walked once.
//
// Invariants of the walk, for the string at hand: at[p] is the number of its prefix of length p if that
// is a boundary, else -1, for every p > 0 up to done; every token that leads from a boundary to a place up to done
// has its edge; waiting holds the starts that are prefixes of it and not yet known to be relevant.
//
// Cost: sorting, plus (bytes in which the strings differ) for clearing at, plus one look-up in the table of
// tokens per boundary and length of a token. An append of a token that occurs once in the observed
// strings has two modes. Tokens that fit almost anywhere (a, aa, aaa, …) would have as many as there are
// boundaries; past a limit grow gives up, and the machine keeps real strings.

const (
	noString    int32 = 0 // null
	otherString int32 = 1 // any string that is not a prefix of a tested one
	someString  int32 = 2 // the first number of a real string
)

// growth is the result: numbers of values, and what appends make of them.
type growth struct {
	number map[history.Value]int32 // of tested values and of relevant starts; others are otherString
	text   []string                // by number, from someString on (below: "")
	token  map[history.Value]int32 // of appended tokens other than "" and null
	edges  [][]stringEdge          // by token, sorted by from
	empty  int32                   // number of ""
	// strange holds the tested values that are no strings: nothing makes them.
	strange map[int32]history.Value
}

// stringEdge says that appending the token to from makes to.
type stringEdge struct{ from, to int32 }

type grownString struct {
	text          string
	value         history.Value
	tested, start bool
}

// grow sorts out the strings of one key. tested, starts and tokens may repeat; starts and tokens hold strings
// and null only, tested may hold anything. It returns nil if there would be more than limit edges.
func grow(t *history.Values, tested, starts, tokens []history.Value, limit int) *growth {
	g := &growth{number: map[history.Value]int32{history.Nil: noString}, text: make([]string, someString), token: map[history.Value]int32{}, strange: map[int32]history.Value{}}
	w := walk{growth: g, tokens: map[string]int32{}, left: limit}
	emptyToken := false
	for _, v := range tokens {
		s, isString := t.AsString(v)
		if !isString || s == "" {
			emptyToken = emptyToken || isString
		} else if _, known := g.token[v]; !known {
			g.token[v] = int32(len(g.edges))
			w.tokens[s] = int32(len(g.edges))
			g.edges = append(g.edges, nil)
			w.lengths = append(w.lengths, len(s))
		}
	}
	slices.Sort(w.lengths)
	w.lengths = slices.Compact(w.lengths)
	g.empty = g.add("")

	index := map[history.Value]int{}
	var all []grownString
	place := func(v history.Value) *grownString {
		k, ok := index[v]
		if !ok {
			k = len(all)
			index[v] = k
			s, _ := t.AsString(v)
			all = append(all, grownString{text: s, value: v})
		}
		return &all[k]
	}
	longest := 0
	for _, v := range starts {
		if v == history.Nil {
			w.fromNull = true
			continue
		}
		place(v).start = true
	}
	for _, v := range tested {
		if v == history.Nil {
			continue
		}
		if s, isString := t.AsString(v); isString {
			place(v).tested = true
			longest = max(longest, len(s))
		} else if _, known := g.number[v]; !known {
			g.number[v] = g.add("")
			g.strange[g.number[v]] = v
		}
	}
	w.at = make([]int32, longest+1)
	for i := range w.at {
		w.at[i] = -1
	}
	slices.SortFunc(all, func(a, b grownString) int { return cmp.Compare(a.text, b.text) })
	if len(all) > 0 && all[0].text == "" {
		g.number[all[0].value] = g.empty
		if all[0].start {
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
	for _, e := range g.edges {
		slices.SortFunc(e, func(a, b stringEdge) int { return cmp.Compare(a.from, b.from) })
	}
	return g
}

func (g *growth) add(text string) int32 {
	g.text = append(g.text, text)
	return int32(len(g.text)) - 1
}

// of returns the number of a value that is tested for or written.
func (g *growth) of(v history.Value) int32 {
	if k, ok := g.number[v]; ok {
		return k
	}
	return otherString
}

// after returns what appending the token makes of the value of number from.
func (g *growth) after(from, token int32) int32 {
	e := g.edges[token]
	if k, ok := slices.BinarySearchFunc(e, from, func(e stringEdge, from int32) int { return cmp.Compare(e.from, from) }); ok {
		return e[k].to
	}
	return otherString
}

type walk struct {
	*growth
	tokens   map[string]int32
	lengths  []int // of tokens, ascending
	fromNull bool  // null is a start
	previous string
	at       []int32
	done     int
	left     int // how many more edges there may be; negative: too many
	waiting  []*grownString
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
	if s.start {
		w.waiting = append(w.waiting, s)
	}
	if !s.tested {
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
	} else { // nothing makes it
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
		token, ok := w.tokens[s[from:to]]
		if !ok {
			continue
		}
		w.left--
		if w.at[to] < 0 {
			w.at[to] = w.add(s[:to])
		}
		if w.at[from] >= 0 {
			w.edges[token] = append(w.edges[token], stringEdge{w.at[from], w.at[to]})
		}
		if from == 0 && w.fromNull {
			w.edges[token] = append(w.edges[token], stringEdge{noString, w.at[to]})
		}
	}
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
