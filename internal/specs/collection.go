package specs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// element says what the values in a collection may be.
type element struct {
	words string
	// check reports whether v may be inserted, and with which priority; nil if everything except
	// null may be, with equal priority.
	check func(t *history.Values, v history.Value) (priority int64, ok bool)
}

// anyElement accepts every value but null, which stands for "nothing there".
var anyElement = element{words: "a value"}

// Operations on a collection beyond those of theories.
const (
	counts  model.Action = model.Aside + 1 + iota // sees how many values there are
	empties                                       // removes all values
)

// The operations that all collections have beside their own: size and drain.
var (
	sizeOperation = model.Operation{Name: "size", Aliases: []string{"len", "length", "count"},
		Result: "how many values there are"}
	drainOperation = model.Operation{Name: "drain", Aliases: []string{"drain-all", "drain-to", "take-all", "remove-all",
		"pop-all"}, Result: "the list of all values, taken out at one moment in the order of removals; [] for none"}
)

// contents is a partition that holds one collection, with its values resolved. It is immutable once
// bound.
type contents struct {
	spec    *table
	part    *model.Partition
	element element
	numbers *numbering
	does    []model.Action
	// by operation: a number, Nothing or Anything; for one that counts: the count; for one that
	// empties: position in lists
	value   []int32
	lists   [][]int32 // by operation that empties: what it removed, next to leave first
	rank    []int64   // by number: its priority, where there are any
	initial []int32   // as the input lists it
	verb    []int8    // by operation: its position in Info.Operations
	odd     bool      // there are operations that theories do not have
	unknown int       // how many operations are not known
}

// newContents resolves the initial state, a list.
func newContents(s *table, p *model.Partition, e element) (*contents, error) {
	c := &contents{spec: s, part: p, element: e, numbers: newNumbering(p), does: make([]model.Action, len(p.Ops)),
		value: make([]int32, len(p.Ops))}
	list, ok := p.Contents, p.HasContents
	switch {
	case ok:
	case !p.HasInitial || p.Initial == history.Nil:
		return c, nil
	default:
		list, ok = p.History.Values.AsList(p.Initial)
	}
	if !ok {
		return nil, s.wrongInitial(p)
	}
	for _, v := range list {
		k, ok := c.number(v)
		if !ok {
			return nil, s.wrongInitial(p)
		}
		c.initial = append(c.initial, k)
	}
	return c, nil
}

func (c *contents) number(v history.Value) (int32, bool) {
	if c.element.check == nil {
		return c.numbers.of(v), v != history.Nil
	}
	priority, ok := c.element.check(c.part.History.Values, v)
	if !ok {
		return 0, false
	}
	k := c.numbers.of(v)
	if int(k) == len(c.rank) {
		c.rank = append(c.rank, priority)
	}
	return k, true
}

// resolve resolves argument and result of operation i.
func (c *contents) resolve(i history.OpID, does model.Action) error {
	o := &c.part.Ops[i]
	value, ok := model.Nothing, true
	switch {
	case does == model.Insert:
		if value, ok = c.number(o.Arg); !ok {
			return wrongArg(c.part, i, c.element.words)
		}
		hint := insertionHint
		if o.Result == history.False {
			hint = "one that did not take effect has the status fail"
			if c.spec.discipline == &fifo {
				hint = "a queue that may be full is a bounded-queue (--spec bounded-queue), whose offer returns " +
					"false; else " + hint
			}
		}
		if err := noResult(c.part, i, hint); err != nil {
			return err
		}
	case does == counts:
		return c.resolveSize(i)
	case does == empties:
		return c.resolveDrain(i)
	case o.Unknown:
		value = model.Anything
	case o.Result != history.Nil:
		if value, ok = c.number(o.Result); !ok {
			return wrongResult(c.part, i, c.element.words+" or null")
		}
		if onlyWord(c.part, o.Result) {
			return notInserted(c.part, i)
		}
	}
	c.does[i], c.value[i] = does, value
	return nil
}

// insertionHint says how to write an insertion that returned something.
const insertionHint = "leave out the new length, which a size would see; null, true, \"ok\" and the argument again " +
	"only acknowledge"

// onlyWord reports whether the result of a removal or a peek is a word for success or failure
// rather than a value: true, false or "empty", which no operation of the history inserts.
func onlyWord(p *model.Partition, v history.Value) bool {
	h := p.History
	if _, ok := h.Values.AsInt(v); ok { // as usual
		return false
	}
	if s, isString := h.Values.AsString(v); v != history.True && v != history.False &&
		!(isString && strings.EqualFold(s, "empty")) {
		return false
	}
	if list, _ := h.Values.AsList(h.Initial); slices.Contains(list, v) {
		return false
	}
	return !slices.ContainsFunc(h.Ops, func(o history.Op) bool { return o.Arg == v })
}

// notInserted is the error for such a result of operation i.
func notInserted(p *model.Partition, i history.OpID) error {
	o := &p.Ops[i]
	return p.Error(i, fmt.Sprintf("%s returned %s, which no operation inserts", p.History.Values.Format(o.F),
		p.History.Values.Format(o.Result)),
		"a result of null says that nothing was there; true says nothing: record the value")
}

// resolveSize resolves an operation that counts. One that finds an empty collection, and one whose
// result is unknown, are peeks.
func (c *contents) resolveSize(i history.OpID) error {
	o := &c.part.Ops[i]
	n, isInt := howMany(c.part.History.Values, o.Result)
	switch {
	case o.Unknown:
		c.does[i], c.value[i] = model.Peek, model.Anything
	case !isInt:
		return wrongResult(c.part, i, "an integer")
	case n == 0:
		c.does[i], c.value[i] = model.Peek, model.Nothing
	default:
		c.does[i], c.value[i] = counts, int32(max(-1, min(n, math.MaxInt32)))
	}
	return nil
}

// resolveDrain resolves an operation that removes everything. One that finds nothing is a removal.
func (c *contents) resolveDrain(i history.OpID) error {
	o := &c.part.Ops[i]
	list, isList := c.part.History.Values.AsList(o.Result)
	switch {
	case o.Unknown:
		c.does[i], c.value[i] = empties, model.Anything
		return nil
	case !isList:
		return wrongResult(c.part, i, "a list of the values taken out")
	case len(list) == 0:
		c.does[i], c.value[i] = model.Remove, model.Nothing
		return nil
	}
	c.does[i], c.value[i] = empties, int32(len(c.lists))
	values := make([]int32, len(list))
	for k, v := range list {
		var ok bool
		if values[k], ok = c.number(v); !ok {
			return wrongResult(c.part, i, "a list of elements, each of them "+c.element.words)
		}
	}
	c.lists = append(c.lists, values)
	return nil
}

// drains reports whether operation op, which empties, may find these contents, next to leave first.
func (c *contents) drains(op history.OpID, contents []int32) bool {
	return c.value[op] == model.Anything || slices.Equal(contents, c.lists[c.value[op]])
}

// bind builds the parts of the instance that all collections share.
func (c *contents) bind() (*model.Instance, error) {
	if err := c.resolveAll(); err != nil {
		return nil, err
	}
	return c.instance(), nil
}

// resolveAll resolves all operations.
func (c *contents) resolveAll() error {
	p := c.part
	defer c.numbers.release()
	c.verb = make([]int8, len(p.Ops))
	verbs := verbs{info: &c.spec.info, h: p.History, names: c.spec.names, renaming: p.Renaming}
	var names plainNames
	for k := c.resolvePlain(&names, 0); k < len(p.Ops); k = c.resolvePlain(&names, k+1) {
		i, o := history.OpID(k), &p.Ops[k]
		if name := names.of(o); name != nil && name.inserts && o.Result == history.Nil {
			if value, ok := c.number(o.Arg); ok {
				c.does[i], c.value[i], c.verb[i] = name.does, value, name.verb
				continue
			}
		}
		verb, _, err := c.spec.row(&verbs, p, i)
		if err != nil {
			return err
		}
		r := &c.spec.rows[verb]
		if err := c.resolve(i, r.does); err != nil {
			return err
		}
		c.verb[i] = int8(verb)
		if !c.known(k) {
			c.unknown++
		}
		// A partition with a drain has no theory even if the drain found nothing: forgetting that
		// result must not remove the theory.
		c.odd = c.odd || r.does == empties || c.does[i] == counts
		if f := uint32(o.F); f < quickNames && r.does <= model.Peek && (r.arg == nil || r.arg == noArgument) {
			names[f] = plainName{verb: int8(verb), does: r.does, known: true, inserts: r.does == model.Insert,
				bare: r.does == model.Insert || r.arg != nil}
		}
	}
	return nil
}

// instance says what the operations do, which are resolved.
func (c *contents) instance() *model.Instance {
	n := len(c.part.Ops)
	b := c.spec.instance(c.part)
	b.Class, b.Items = make([]model.ClassID, n), model.Items{Delta: make([]int8, n), Stored: len(c.initial)}
	delta := [...]int8{model.Insert: 1, model.Remove: -1, model.Peek: 0, counts: 0, empties: 0}
	reads := [...]bool{model.Insert: false, model.Remove: false, model.Peek: true, counts: true, empties: false}
	met := make([]bool, len(c.spec.rows))
	for i, does := range c.does {
		verb, found := c.verb[i], c.value[i] != model.Nothing
		met[verb] = true
		b.Class[i] = c.spec.rows[verb].class
		if b.ReadOnly[i] = reads[does]; found {
			b.Items.Delta[i] = delta[does]
		} else {
			b.ReadOnly[i] = true
		}
		if does == empties {
			b.Items.Bulk = append(b.Items.Bulk, history.OpID(i))
		}
	}
	values := int32(len(c.numbers.values)) + 2
	first := make([]int32, len(c.spec.rows)) // by operation that occurs: the first kind
	kinds := int32(0)
	for verb, occurs := range met {
		if first[verb] = kinds; occurs {
			kinds += values
		}
	}
	if c.unknown == 0 {
		numberSigs(b.EquivID, int(kinds), func(i int) int32 { return first[c.verb[i]] + c.value[i] + 2 })
		return b
	}
	// results of operations that theories do not have: for size an integer, for drain a list
	odd := map[history.Value]int32{}
	// and one for each operation that theories do not have
	numberSigs(b.EquivID, int(kinds)+c.unknown, func(i int) int32 {
		if c.known(i) {
			return first[c.verb[i]] + c.value[i] + 2
		}
		result := c.part.Ops[i].Result
		k, known := odd[result]
		if !known {
			k = kinds + int32(len(odd))
			odd[result] = k
		}
		return k
	})
	return b
}

// known reports whether theories have what operation i does.
func (c *contents) known(i int) bool {
	return c.does[i] <= model.Peek || c.value[i] == model.Anything
}

// numberSigs numbers operations by their kinds from 0; those of equal kind get equal numbers. Kinds
// are 0..kinds-1.
func numberSigs(sig []int32, kinds int, kind func(i int) int32) {
	seen := make([]int32, kinds)
	next := int32(0)
	for i := range sig {
		k := kind(i)
		if seen[k] == 0 {
			next++
			seen[k] = next
		}
		sig[i] = seen[k] - 1
	}
}

// format writes the value of a number for messages.
func (c *contents) format(v int32) string { return c.part.History.Values.Format(c.numbers.values[v]) }

// list writes contents as a list; none as "empty".
func (c *contents) list(contents []int32) string {
	if len(contents) == 0 {
		return "empty"
	}
	var b strings.Builder
	for i, v := range contents {
		if i == 0 {
			b.WriteByte('[')
		} else {
			b.WriteString(", ")
		}
		b.WriteString(c.format(v))
	}
	b.WriteByte(']')
	return b.String()
}

// refuseAll says why an operation that counts or empties is refused on these contents, which are
// listed next to leave first.
func (c *contents) refuseAll(op history.OpID, contents []int32, object string) string {
	switch {
	case c.does[op] == counts && len(contents) == int(c.value[op]):
		return ""
	case c.does[op] == counts:
		return fmt.Sprintf("the %s holds %s, not %s", object, counted(len(contents)),
			c.part.History.Values.Format(c.part.Ops[op].Result))
	case c.drains(op, contents):
		return ""
	}
	return fmt.Sprintf("the %s holds %s, not %s", object, shorten(c.list(contents)),
		shorten(c.part.History.Values.Format(c.part.Ops[op].Result)))
}

// allows reports whether removal or peek op may find that v leaves next (Nothing: the collection is
// empty).
func (c *contents) allows(op history.OpID, v int32) bool {
	return c.value[op] == model.Anything || c.value[op] == v
}

// refuse says why a removal or a peek of a deterministic discipline is refused if v (or Nothing) is
// at the named place.
func (c *contents) refuse(op history.OpID, v int32, object, place string) string {
	switch {
	case c.does[op] == model.Insert || c.allows(op, v):
		return ""
	case v == model.Nothing:
		return "the " + object + " is empty"
	case c.value[op] == model.Nothing:
		return "the " + object + " is not empty: its " + place + " is " + c.format(v)
	}
	return "the " + place + " is " + c.format(v) + ", not " + c.format(c.value[op])
}
