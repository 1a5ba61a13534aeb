package monitor

// Append-only logs.
//
// What: an append goes to an offset, and a log only grows. So what is known of a log lies in one
// sequence: the append at offset 0, reads after which the log holds one value, the append at offset
// 1, and so on. Appends that tell their offset, and reads that find something, have their place in
// it. A read that finds nothing from an offset on only must come before the append at that offset,
// and a read that was limited to what it found only behind that.
//
// An entry that a read found, and that only one append can have put there, is its append's. Other
// offsets that no append is known to have taken are gaps, and are matched with appends of unknown
// offset, pending or not: their value must be the one that a read found there, and they may not
// precede what comes before the gap, nor follow what comes behind it in real time. All gaps must be
// matched, and so must all completed appends that precede something in the sequence. The others
// come last.
//
// Source: ours; matchings that cover given vertices on both sides are by Mendelsohn and Dulmage
// (Canad. J. Math. 10, 1958), augmenting paths by Kuhn (Naval Res. Logist. Quart. 2, 1955).
//
// Why: in any linearization the sequence and the matching are as described, so a refutation is
// one. Conversely every operation of the sequence takes effect at the latest call up to its place;
// that is no later than its return, and what finds nothing, or whose result is not known, takes
// effect when it is called; a limited read does, too, unless its place is later. Where completed
// appends that were matched precede each other the wrong way round, the matching may be to blame:
// that stays undecided.
//
// Proofs: two operations that contradict each other (proof.LogConflict), where two do. A matching
// that cannot be completed mostly has none.
//
// Unsupported: explicit order.
//
// Invariant: moments ascend along the sequence, and lie within the intervals of its operations.
//
// Cost: O(n log n + values read), and gaps × appends of unknown offset for each gap at worst.

import (
	"cmp"
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// logHistory is a history of one log.
type logHistory struct {
	ops      []history.Op
	log      *model.LogTheory
	most     int64            // no log is longer
	contents []history.Value  // by offset, Nil where it is not known, as far as anything is known
	says     []history.OpID   // by offset: the first operation that says so; Initial, or noOp
	at       []history.OpID   // by offset: its append; noOp where it is not known, or initial
	reads    [][]history.OpID // by length: reads that find it, by call
	none     [][]history.OpID // by offset: reads that find nothing from there on
	behind   [][]history.OpID // by length: limited reads, which find at least so much
	free     []history.OpID   // appends of unknown offset
	anywhere []history.OpID   // reads that come when they are called
	later    []history.OpID   // limited reads of the sequence that do, too
	conflict *proof.LogConflict
	// by append of unknown offset: the read that shows it
	shown map[history.OpID]history.OpID
}

// logStep is an operation at its place in the sequence.
type logStep struct {
	op history.OpID
	at history.Rank
}

// checkLog decides one log.
func checkLog(ctx context.Context, b *model.Instance, t *model.LogTheory) engine.Answer {
	p := b.Partition
	if len(p.Edges)+len(p.Demands) > 0 {
		return engine.Answer{Cause: engine.Unsupported, Detail: "explicit order"}
	}
	l := &logHistory{ops: p.Ops, log: t}
	if !l.read() || !l.show() {
		return l.refuted()
	}
	if _, fits := l.sequence(); !fits { // whatever is matched
		return l.refuted()
	}
	l.conflict = nil
	fits, known := l.match(ctx)
	switch {
	case ctx.Err() != nil:
		return engine.Stopped(ctx)
	case !known:
		return engine.Answer{Cause: engine.Undecided, Detail: "many appends of unknown offset"}
	case !fits:
		return l.refuted()
	}
	sequence, fits := l.sequence()
	if fits {
		return engine.Answer{Verdict: engine.Linearizable, Witness: l.witness(sequence)}
	}
	return engine.Answer{Cause: engine.Undecided, Detail: "appends of unknown offset"}
}

// refuted is a violation, with the conflict that was found.
func (l *logHistory) refuted() engine.Answer {
	a := engine.Answer{Verdict: engine.NotLinearizable}
	if l.conflict != nil {
		a.Proof = l.conflict
	}
	return a
}

// contradict notes a conflict of two operations. It returns false. Not inlined: it has many
// callers.
//
//go:noinline
func (l *logHistory) contradict(first, second history.OpID) bool {
	if l.conflict == nil {
		l.conflict = &proof.LogConflict{First: first, Second: second}
		for _, i := range []history.OpID{first, second} {
			if read, is := l.shown[i]; is {
				l.conflict.Reads = append(l.conflict.Reads, read)
			}
		}
	}
	return false
}

// show gives appends of unknown offset the entries that reads found, where they alone can have put
// them there. It reports whether there is an append for each.
func (l *logHistory) show() bool {
	alone := map[history.Value]history.OpID{} // noOp where there are several
	for i := range l.log.Ops {
		if o := &l.log.Ops[i]; !o.Reads {
			if _, several := alone[o.Value]; several {
				alone[o.Value] = noOp
			} else {
				alone[o.Value] = history.OpID(i)
			}
		}
	}
	l.shown = map[history.OpID]history.OpID{}
	for k := len(l.log.Initial); k < len(l.contents); k++ {
		v := l.contents[k]
		if l.at[k] != noOp || v == history.Nil {
			continue
		}
		i, some := alone[v]
		if i == noOp {
			continue
		}
		if _, twice := l.shown[i]; !some || twice || !l.ops[i].Pending() && l.log.Ops[i].Known {
			l.unfilled(int64(k))
			return false
		}
		l.at[k], l.shown[i] = i, l.says[k]
	}
	l.free = slices.DeleteFunc(l.free, l.isShown)
	return true
}

// read sorts the operations into their places. It reports whether what they say of the contents
// fits.
func (l *logHistory) read() bool {
	first := int64(len(l.log.Initial))
	l.most = first
	for i := range l.log.Ops {
		if !l.log.Ops[i].Reads {
			l.most++
		}
	}
	top := first
	for i := range l.log.Ops {
		switch o := &l.log.Ops[i]; {
		case !o.Known:
		case !o.Reads:
			if o.Offset < first || o.Offset >= l.most {
				return l.contradict(proof.Initial, history.OpID(i))
			}
			top = max(top, o.Offset+1)
		case len(o.Values) > 0:
			if o.Offset > l.most-int64(len(o.Values)) || !o.Limited && o.Offset+int64(len(o.Values)) < first {
				return l.contradict(proof.Initial, history.OpID(i))
			}
			top = max(top, o.Offset+int64(len(o.Values)))
		case o.Offset < first:
			return l.contradict(proof.Initial, history.OpID(i))
		}
	}
	l.says = filled[history.OpID](nil, int(top), noOp)
	for k := range first {
		l.says[k] = proof.Initial
	}
	l.contents, l.at = make([]history.Value, top), filled[history.OpID](nil, int(top), noOp)
	for k := range l.contents {
		l.contents[k] = history.Nil
	}
	copy(l.contents, l.log.Initial)
	l.reads, l.none, l.behind = make([][]history.OpID, l.most+1), make([][]history.OpID, l.most+1),
		make([][]history.OpID, l.most+1)
	for k := range l.log.Ops {
		if !l.place(history.OpID(k)) {
			return false
		}
	}
	return true
}

// place notes where an operation belongs, and reports whether it fits what is there.
func (l *logHistory) place(i history.OpID) bool {
	o := &l.log.Ops[i]
	pending := l.ops[i].Pending()
	switch {
	case o.Reads && pending:
	case o.Reads && !o.Known:
		l.anywhere = append(l.anywhere, i)
	case !o.Reads && (pending || !o.Known):
		l.free = append(l.free, i)
	case !o.Reads:
		if l.at[o.Offset] != noOp {
			return l.contradict(l.at[o.Offset], i)
		}
		l.at[o.Offset] = i
		return l.holds(o.Offset, o.Value, i)
	case len(o.Values) == 0:
		l.anywhere = append(l.anywhere, i)
		if o.Offset <= l.most {
			l.none[o.Offset] = append(l.none[o.Offset], i)
		}
	default:
		length := o.Offset + int64(len(o.Values))
		if o.Limited {
			l.behind[length] = append(l.behind[length], i)
		} else {
			l.reads[length] = append(l.reads[length], i)
		}
		for k, v := range o.Values {
			if v == history.Nil {
				return l.contradict(proof.Initial, i)
			}
			if !l.holds(o.Offset+int64(k), v, i) {
				return false
			}
		}
	}
	return true
}

// holds notes that operation i says that a value is at an offset, and reports whether no other one
// is.
func (l *logHistory) holds(offset int64, v history.Value, i history.OpID) bool {
	if l.contents[offset] == history.Nil {
		l.contents[offset], l.says[offset] = v, i
	}
	return l.contents[offset] == v || l.contradict(l.says[offset], i)
}

// window says when a gap can be filled: from the latest call before it to the earliest return
// behind it.
type window struct{ from, to history.Rank }

// windows returns the windows of all offsets, and the latest call of all.
func (l *logHistory) windows() (all []window, last history.Rank) {
	all = make([]window, len(l.contents))
	last = -1
	for k := range l.contents {
		for _, i := range l.reads[k] {
			last = max(last, l.ops[i].Call)
		}
		for _, i := range l.none[k] {
			last = max(last, l.ops[i].Call)
		}
		all[k].from = last
		if i := l.at[k]; i != noOp {
			last = max(last, l.ops[i].Call)
		}
	}
	for _, i := range l.reads[len(l.contents)] {
		last = max(last, l.ops[i].Call)
	}
	first := history.Never
	for k := len(l.contents) - 1; k >= 0; k-- {
		for _, all := range [...][]history.OpID{l.reads[k+1], l.behind[k+1]} {
			for _, i := range all {
				first = min(first, l.ops[i].Return)
			}
		}
		all[k].to = first
		if i := l.at[k]; i != noOp {
			first = min(first, l.ops[i].Return)
		}
	}
	return all, last
}

// logMatching matches gaps with appends of unknown offset.
type logMatching struct {
	*logHistory
	gaps    []int64
	windows []window
	taken   []int // by append in free: the gap in gaps, or -1
	filled  []int // by gap: the append in free, or -1
	visited []int // by append: the last path that met it
	path    int
	must    []bool // by append: it must be matched
}

// match fills the gaps, and reports whether that is possible. known is false if it takes too long
// to say.
func (l *logHistory) match(ctx context.Context) (fits, known bool) {
	m := &logMatching{logHistory: l}
	for k := len(l.log.Initial); k < len(l.contents); k++ {
		if l.at[k] == noOp {
			m.gaps = append(m.gaps, int64(k))
		}
	}
	if len(m.gaps) > len(l.free) {
		l.unfilled(m.gaps[len(m.gaps)-1])
		return false, true
	}
	if len(l.free) == 0 {
		return true, true
	}
	if int64(len(m.gaps))*int64(len(l.free)) > maxLogPairs {
		return false, false
	}
	// The first to return come first, of these the last called: it fits the fewest gaps.
	slices.SortFunc(l.free, func(a, b history.OpID) int {
		return cmp.Or(cmp.Compare(l.ops[a].Return, l.ops[b].Return), cmp.Compare(l.ops[b].Call, l.ops[a].Call))
	})
	var last history.Rank
	m.windows, last = l.windows()
	n := len(l.free)
	m.taken, m.filled, m.visited, m.must = filled(m.taken, n, -1), filled(m.filled, len(m.gaps), -1), make([]int, n),
		make([]bool, n)
	for g := range m.gaps {
		if m.path++; ctx.Err() != nil || !m.fill(g) {
			l.unfilled(m.gaps[g])
			return false, true
		}
	}
	for f, i := range l.free {
		m.must[f] = l.ops[i].Return < last
	}
	for f := range l.free {
		if m.path++; ctx.Err() != nil || m.must[f] && m.taken[f] < 0 && !m.settle(f) {
			l.missing(l.free[f])
			return false, true
		}
	}
	var rest []history.OpID
	for f, i := range l.free {
		switch g := m.taken[f]; {
		case g >= 0:
			l.at[m.gaps[g]] = i
			l.contents[m.gaps[g]] = l.log.Ops[i].Value
		case !l.ops[i].Pending():
			rest = append(rest, i) // by return
		}
	}
	for _, i := range rest {
		l.at, l.contents = append(l.at, i), append(l.contents, l.log.Ops[i].Value)
	}
	return true, true
}

// isShown reports whether a read shows the offset of an append that does not tell it.
func (l *logHistory) isShown(i history.OpID) bool {
	_, is := l.shown[i]
	return is
}

// missing looks for a read of the whole log that did not find what append i put there before.
func (l *logHistory) missing(i history.OpID) {
	for k := range l.log.Ops {
		o := &l.log.Ops[k]
		if o.Reads && o.Known && !o.Limited && !l.ops[k].Pending() && o.Offset == 0 &&
			l.ops[i].Return < l.ops[k].Call && !slices.Contains(o.Values, l.log.Ops[i].Value) {
			l.contradict(i, history.OpID(k))
			return
		}
	}
}

// unfilled looks for a conflict of the initial contents with one operation that says that there is
// an entry at a gap: a read of a value that nobody appends there, or that it finds oftener than it
// was appended.
func (l *logHistory) unfilled(gap int64) {
	i := l.says[gap]
	if i < 0 {
		return
	}
	appends := 0
	for k := range l.log.Ops {
		o := &l.log.Ops[k]
		if !o.Reads && l.ops[k].Call <= l.ops[i].Return && (!o.Known || l.ops[k].Pending() || o.Offset == gap) &&
			o.Value == l.contents[gap] {
			appends++
		}
	}
	o := &l.log.Ops[i]
	for k := max(o.Offset, int64(len(l.log.Initial))); k <= gap; k++ {
		if l.contents[k] == l.contents[gap] && (l.at[k] == noOp || l.isShown(l.at[k])) {
			appends--
		}
	}
	if appends < 0 {
		l.contradict(proof.Initial, i)
	}
}

// suits reports whether an append may fill a gap.
func (m *logMatching) suits(f, g int) bool {
	i, k := m.free[f], m.gaps[g]
	o, w := &m.ops[i], m.windows[k]
	return (m.contents[k] == history.Nil || m.contents[k] == m.log.Ops[i].Value) && o.Call <= w.to && o.Return >= w.from
}

// fill matches a gap along an augmenting path.
func (m *logMatching) fill(g int) bool {
	for _, moved := range []bool{false, true} { // those that are free first
		for f := range m.free {
			if m.taken[f] >= 0 != moved || m.visited[f] == m.path || !m.suits(f, g) {
				continue
			}
			m.visited[f] = m.path
			if moved && !m.fill(m.taken[f]) {
				continue
			}
			m.taken[f], m.filled[g] = g, f
			return true
		}
	}
	return false
}

// settle matches an append with a gap, along an alternating path that ends with an append that need
// not be matched.
func (m *logMatching) settle(f int) bool {
	m.visited[f] = m.path
	for g := range m.gaps {
		other := m.filled[g]
		if m.visited[other] == m.path || !m.suits(f, g) {
			continue
		}
		if m.must[other] && !m.settle(other) {
			continue
		}
		if m.taken[other] == g {
			m.taken[other] = -1
		}
		m.taken[f], m.filled[g] = g, f
		return true
	}
	return false
}

// sequence returns what has its place, each with its moment, and reports whether these fit.
func (l *logHistory) sequence() (all []logStep, fits bool) {
	last, latest := history.Rank(-1), noOp
	called := func(i history.OpID) {
		if l.ops[i].Call > last {
			last, latest = l.ops[i].Call, i
		}
	}
	step := func(i history.OpID) bool {
		called(i)
		all = append(all, logStep{i, last})
		return last <= l.ops[i].Return || l.contradict(i, latest)
	}
	l.later = l.later[:0]
	for k := 0; k <= len(l.contents); k++ {
		for _, i := range l.behind[k] {
			switch {
			case l.ops[i].Return < last:
				return nil, l.contradict(i, latest)
			case l.ops[i].Call > last:
				l.later = append(l.later, i)
			default:
				all = append(all, logStep{i, last})
			}
		}
		for _, i := range l.reads[k] { // ascending by call
			if !step(i) {
				return nil, false
			}
		}
		for _, i := range l.none[k] {
			called(i)
		}
		if k < len(l.at) && l.at[k] != noOp && !step(l.at[k]) {
			return nil, false
		}
	}
	return all, true
}

// witness puts what comes when it is called into the sequence.
func (l *logHistory) witness(sequence []logStep) []history.OpID {
	l.anywhere = append(l.anywhere, l.later...)
	slices.SortFunc(l.anywhere, func(a, b history.OpID) int { return cmp.Compare(l.ops[a].Call, l.ops[b].Call) })
	out := make([]history.OpID, 0, len(sequence)+len(l.anywhere))
	k := 0
	for _, s := range sequence {
		for ; k < len(l.anywhere) && l.ops[l.anywhere[k]].Call <= s.at; k++ {
			out = append(out, l.anywhere[k])
		}
		out = append(out, s.op)
	}
	return append(out, l.anywhere[k:]...)
}
