package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/isolation"
)

// Text says in a paragraph why a history is not at the level of a certificate, which refutes it:
// the anomaly and who is in it, each step with its reason, and which levels forbid that.
func Text(h *isolation.History, c *isolation.Certificate) string {
	a := Find(h, c)
	if a == nil {
		return choices(speaker{h, ByNumber}, c)
	}
	s := speaker{h, ByNumber}
	return a.title() + ": " + strings.Join(append(s.steps(a), s.forbidden(a)), ". ") + "."
}

// Sentences is Text as sentences, with transactions named by name.
func Sentences(h *isolation.History, c *isolation.Certificate, name func(t int32) string) []string {
	s := speaker{h, name}
	a := Find(h, c)
	if a == nil {
		return []string{choices(s, c)}
	}
	all := append([]string{a.title()}, append(s.steps(a), s.forbidden(a))...)
	for k := range all {
		all[k] += "."
	}
	return all
}

// Short says of an anomaly of which there are so many what it is, and unless it was said before
// what the shortest of them is.
func (t Tally) Short(h *isolation.History, said bool) string {
	a := t.Shortest
	text := a.title()
	if len(a.Cycle.Edges) > 0 && t.Count > 1 {
		text = fmt.Sprintf("at least %d × %s", t.Count, text)
	} else {
		text = fmt.Sprintf("%d × %s", t.Count, text)
	}
	if said {
		return text
	}
	s := speaker{h, ByNumber}
	return text + ", such as: " + strings.Join(append(s.steps(a), s.forbidden(a)), ". ") + "."
}

// title is the name, with the one that people know.
func (a *Anomaly) title() string {
	if a.Known == "" {
		return a.Name
	}
	return a.Name + " (" + a.Known + ")"
}

// choices names the transactions of a refutation that is no cycle.
func choices(s speaker, c *isolation.Certificate) string {
	named := Named(c.Refutation)
	text := fmt.Sprintf("however %d transactions are ordered, one of them reads what it should not", len(named))
	if len(named) <= MaxSaid {
		text += ": " + s.list(named)
	}
	return text + "."
}

// speaker says what transactions did.
type speaker struct {
	h    *isolation.History
	name func(t int32) string
}

// ByNumber names transactions by their number: T3.
func ByNumber(t int32) string { return "T" + strconv.Itoa(int(t)) }

func (s speaker) txn(t int32) string {
	if t == isolation.Initial {
		return "the start"
	}
	return s.name(t)
}

func (s speaker) list(ts []int32) string {
	var names []string
	for _, t := range ts {
		names = append(names, s.txn(t))
	}
	return strings.Join(names, ", ")
}

func (s speaker) object(x int32) string { return s.h.Objects[x].Name }
func (s speaker) value(v int32) string  { return s.h.Values[v] }

// read says what a read shows: [1 2] of x.
func (s speaker) read(p isolation.Place) string {
	a := &s.h.Txns[p.Txn].Accesses[p.Access]
	return s.content(a) + " of " + s.object(a.Object)
}

// content is what an access reads, writes or appends.
func (s speaker) content(a *isolation.Access) string {
	if a.Kind != isolation.Read || !s.h.Objects[a.Object].List {
		return s.value(a.Value)
	}
	list, text := a.List, "["
	if len(list) > maxElements {
		list, text = list[len(list)-maxElements:], "[… "
	}
	for k, v := range list {
		if k > 0 {
			text += " "
		}
		text += s.value(v)
	}
	return text + "]"
}

// Accesses says what a transaction does, in the words of Elle: r x [1 2], append y 3.
func Accesses(h *isolation.History, t int32) string {
	s := speaker{h, ByNumber}
	var all []string
	for k := range h.Txns[t].Accesses {
		a := &h.Txns[t].Accesses[k]
		all = append(all, [...]string{"r", "w", "append"}[a.Kind]+" "+s.object(a.Object)+" "+s.content(a))
	}
	return strings.Join(all, ", ")
}

// steps says why each transaction comes before the next, or what a read shows.
func (s speaker) steps(a *Anomaly) (all []string) {
	switch {
	case a.argued != nil:
		return argue(s, a.argued)
	case len(a.Cycle.Edges) == 0:
		return []string{s.shows(a)}
	}
	for _, e := range a.Cycle.Edges {
		all = append(all, fmt.Sprintf("%s, so %s comes before %s", s.why(e), s.txn(e.From), s.txn(e.To)))
	}
	return all
}

// why says the reason of an edge.
func (s speaker) why(e isolation.Edge) string {
	from, to := s.txn(e.From), s.txn(e.To)
	list := e.Kind <= isolation.RW && s.h.Objects[e.Object].List
	switch {
	case e.Kind == isolation.Session:
		return fmt.Sprintf("%s and %s are of one session, in this order", from, to)
	case e.Kind == isolation.Time:
		return fmt.Sprintf("%s returned before %s was called", from, to)
	case e.Kind == isolation.WR && list:
		return fmt.Sprintf("%s read %s, the last of it appended by %s", to, s.read(e.Place), from)
	case e.Kind == isolation.WR:
		return fmt.Sprintf("%s read %s, which %s wrote", to, s.read(e.Place), from)
	case e.Kind == isolation.RW && list:
		return fmt.Sprintf("%s read %s, without %s, which %s appended", from, s.read(e.Place), s.value(e.Next), to)
	case e.Kind == isolation.RW:
		return fmt.Sprintf("%s read %s, which %s overwrote with %s", from, s.read(e.Place), to, s.value(e.Next))
	case bySight(e) && list:
		return fmt.Sprintf("%s read %s, without %s, which %s appended, and appended %s itself", from, s.read(e.Place),
			s.value(e.Next), to, s.value(e.Value))
	case bySight(e):
		return fmt.Sprintf("%s read %s, which %s overwrote with %s, and overwrote it with %s itself", from,
			s.read(e.Place), to, s.value(e.Next), s.value(e.Value))
	case list && slices.Contains(s.h.Txns[e.Place.Txn].Accesses[e.Place.Access].List, e.Next):
		return fmt.Sprintf("%s read %s, where %s by %s stands before %s by %s", s.txn(e.Place.Txn), s.read(e.Place),
			s.value(e.Value), from, s.value(e.Next), to)
	case list:
		return fmt.Sprintf("%s read %s, with %s by %s and without %s, which %s appended", s.txn(e.Place.Txn),
			s.read(e.Place), s.value(e.Value), from, s.value(e.Next), to)
	}
	return fmt.Sprintf("%s read %s, which %s wrote, and overwrote it with %s", to, s.read(e.Place), from,
		s.value(e.Next))
}

// shows says what a read shows that cannot be.
func (s speaker) shows(a *Anomaly) string {
	p := a.Places[0]
	read := s.txn(p.Txn) + " read " + s.read(p)
	switch a.Type {
	case "internal":
		return read + ", and had written something else itself before"
	case "duplicate-elements":
		return read + ", with an element more often than it was appended"
	case "incompatible-order":
		q := a.Places[1]
		return fmt.Sprintf("%s, and %s read %s: neither is the beginning of the other", read, s.txn(q.Txn), s.read(q))
	case "G1a":
		return fmt.Sprintf("%s, of which %s wrote something, and aborted", read, s.txn(a.Writer))
	case "G1b":
		return fmt.Sprintf("%s, which is not all that %s wrote there, or not as it left it", read, s.txn(a.Writer))
	case "future-read":
		return read + ", of which it wrote something itself, but later"
	}
	return read + ", which nobody wrote"
}

// forbidden says which levels forbid an anomaly.
func (s speaker) forbidden(a *Anomaly) string {
	if slices.Contains(a.Forbids, isolation.Level{}) {
		return "No level allows that"
	}
	var names []string
	for _, l := range a.Forbids {
		names = append(names, l.String())
	}
	return "Forbidden by " + strings.Join(names, " and by ") + ", and by what implies that"
}

// Object is an anomaly as JSON.
type Object struct {
	Type         string   `json:"anomaly_type"` // the keyword of Elle
	Name         string   `json:"name"`
	Known        string   `json:"known_as,omitempty"`
	Transactions []int32  `json:"transactions"` // by position; those of a cycle in its order
	Steps        []string `json:"steps"`
	Forbidden    []string `json:"forbidden_by"` // the weakest levels
}

// Counted is an anomaly with how many there are of its kind, at least.
type Counted struct {
	Count int `json:"count"`
	*Object
}

// Object returns the anomaly as JSON.
func (a *Anomaly) Object(h *isolation.History) *Object {
	o := &Object{Type: a.Type, Name: a.Name, Known: a.Known, Steps: speaker{h, ByNumber}.steps(a)}
	for _, e := range a.Cycle.Edges {
		o.Transactions = append(o.Transactions, e.From)
	}
	if a.argued != nil {
		o.Transactions = Named(a.argued.Refutation)
	}
	for _, p := range a.Places {
		o.Transactions = append(o.Transactions, p.Txn)
	}
	for _, l := range a.Forbids {
		o.Forbidden = append(o.Forbidden, l.String())
	}
	return o
}
