package guest

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// What the code of a caller answered, for all machines of a check.
//
// What: a check asks several engines, and binds parts of a history over and over to find reasons.
// Each of these makes a machine of its own. A Memo is behind all of them, so that the code is
// called once for each state and kind of operation, whoever asks. The verifier has another one,
// which no engine fills.
//
// Source: ours. (Porcupine calls Step anew for every attempt.)
//
// How: states have numbers here, besides those that they have in each machine; an answer is found
// by state and kind, in a hash table that probes by itself. A machine that asks while another one
// calls the code for the same answer waits for it.
//
// Invariants: an answer is there only after the code gave it: a call that panics leaves none. All
// states of a machine that uses a Memo are in it. Under the lock nothing is called but what
// compares states.
//
// Cost: at most 64 bytes an answer, and the states. When a Room is used up its Memos take nothing
// more; a machine that meets a state which is not there leaves its Memo, and calls the code for
// everything from then on.

// Room is the memory that several Memos may take together.
type Room struct{ left atomic.Int64 }

// NewRoom returns a room for a check with that limit of memory, 0 for none.
func NewRoom(limit int64) *Room {
	r := &Room{}
	r.left.Store(memoBytes)
	if limit > 0 {
		r.left.Store(min(memoBytes, limit/memoShare))
	}
	return r
}

// Memo holds answers of a Code. It is safe for concurrent use.
type Memo[S any] struct {
	mu     sync.Mutex
	came   sync.Cond // the end of a call that others wait for
	room   *Room
	full   bool
	table  Table[S]
	states []S
	prints []uint64 // by state, if there is Print
	cells  []answer
	used   int
	lists  []int32 // for code c: length at -c-1, then the states
	samples[S]
}

// answer is a place of the hash table.
type answer struct {
	key  uint64 // state and kind, plus one
	code int32
}

// Codes of answers: one state s is s+single, several are negative.
const (
	underway = iota // the code is being called
	unasked         // it is to be called: perhaps a call came to no end
	nothing         // the operation is not allowed
	single
)

// NewMemo returns an empty Memo that takes its memory from room.
func NewMemo[S any](room *Room) *Memo[S] {
	m := &Memo[S]{room: room, samples: samples[S]{wait: 1, gap: 1}}
	m.came.L = &m.mu
	return m
}

// at returns the place of a key, where it puts it if it was not there; -1 if there is no room. The
// first places of a state are side by side, and beside those of states that were met at about the
// same time: the processor has them in its cache.
func (m *Memo[S]) at(key uint64) int {
	if len(m.cells) > 0 {
		mask := uint64(len(m.cells) - 1)
		h := key * 0x9e3779b97f4a7c15 >> 32
		near := key >> 32 * nearPlaces & mask
		i := near + h%nearPlaces
		for j := 1; ; j++ {
			switch m.cells[i].key {
			case key:
				return int(i)
			case 0:
				if m.full {
					return -1
				}
				if 2*m.used < len(m.cells) {
					m.used++
					m.cells[i] = answer{key, unasked}
					return int(i)
				}
				return m.grown(key)
			}
			if j < nearPlaces {
				i = near + (h+uint64(j))%nearPlaces
			} else {
				i = (i + (h | 1)) & mask
			}
		}
	}
	return m.grown(key)
}

// grown is at, with more places.
func (m *Memo[S]) grown(key uint64) int {
	if m.full || !m.take(answerBytes*int64(max(firstAnswers, len(m.cells)))) {
		return -1
	}
	old := m.cells
	m.cells, m.used = make([]answer, max(firstAnswers, 2*len(old))), 0
	for _, a := range old {
		if a.key != 0 {
			m.cells[m.at(a.key)].code = a.code
		}
	}
	return m.at(key)
}

// take takes so many bytes of the room and reports whether they are there.
func (m *Memo[S]) take(bytes int64) bool {
	if m.room.left.Add(-bytes) < 0 {
		m.room.left.Add(bytes)
		m.full = true
	}
	return !m.full
}

// number returns the number of a state, -1 if it has none and there is no room. bytes is what the
// state takes, if it is new.
func (m *Memo[S]) number(g *Code[S], s S) (number int32, bytes int64) {
	if m.table == nil {
		m.table = g.NewTable()
	}
	if k, ok := m.table.Find(s); ok {
		return int32(k), 0
	}
	if m.full {
		return -1, 0
	}
	k := int32(len(m.states))
	bytes = 2*int64(unsafe.Sizeof(s)) + 16
	if g.Print != nil {
		m.prints = append(m.prints, g.Print(s))
		bytes += 8
	}
	m.states = append(m.states, s)
	bytes += m.table.Add(s, model.State(k))
	m.take(bytes) // of the last one that may be large
	if found, ok := m.table.Find(s); !ok || int32(found) != k {
		panic(g.unfound(s))
	}
	return k, bytes
}

// member is what a machine knows of a Memo.
type member[S any] struct {
	memo    *Memo[S]
	shared  []int32                // by state of the machine: its number in the Memo
	pages   []*[onPage]model.State // by number in the Memo: the state of the machine plus one, or 0
	claimed uint64                 // key of the answer that this machine is to find, 0 for none
	place   int                    // of that key, if the table did not grow
}

// local returns the machine's state of that number in the Memo. It holds the lock.
func (m *Machine[S]) local(n int32) model.State {
	for len(m.pages) <= int(n/onPage) {
		m.pages = append(m.pages, nil)
	}
	page := &m.pages[n/onPage]
	if *page == nil {
		*page = &[onPage]model.State{}
		m.bytes += int64(unsafe.Sizeof(**page))
	}
	local := &(*page)[n%onPage]
	if *local != 0 {
		return *local - 1
	}
	k := model.State(len(m.states))
	m.states, m.shared = append(m.states, m.memo.states[n]), append(m.shared, n)
	m.bytes += int64(unsafe.Sizeof(m.states[k])) + 8
	if m.Print != nil {
		m.prints = append(m.prints, m.memo.prints[n])
		m.bytes += 8
	}
	*local = k + 1
	return k
}

// recall appends the states of an answer that is known. If it is not, the machine has to find it:
// it has claimed it, if there is room. due says that a sample of this call is wanted.
func (m *Machine[S]) recall(s model.State, op history.OpID, dst []model.State) (next []model.State, known, due bool) {
	o := m.memo
	key := uint64(m.shared[s])<<32 | uint64(uint32(m.Kind[op])) + 1
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		i := o.at(key)
		if i < 0 {
			return dst, false, o.due()
		}
		switch c := o.cells[i].code; {
		case c == unasked:
			o.cells[i].code, m.claimed, m.place = underway, key, i
			return dst, false, o.due()
		case c == underway:
			m.at.Store(&m.states[s])
			m.running.op.Store(int32(op) + 1)
			o.came.Wait()
			m.running.op.Store(0)
		case c >= single:
			return append(dst, m.local(c-single)), true, false
		case c < 0:
			for _, n := range o.lists[-c:][:o.lists[-c-1]] {
				dst = append(dst, m.local(n))
			}
			return dst, true, false
		default:
			return dst, true, false
		}
	}
}

// enter appends the machine's numbers of states, each once, and keeps them as the answer that it
// claimed. The machine leaves the Memo if one of them is not there.
func (m *Machine[S]) enter(states []S, dst []model.State) []model.State {
	o := m.memo
	o.mu.Lock()
	defer o.mu.Unlock()
	from := len(dst)
	for i, s := range states {
		n, bytes := o.number(m.Code, s)
		if n < 0 {
			o.answered(m, unasked)
			m.leave()
			for _, s := range states[i:] {
				dst = appendNew(dst, from, m.intern(s))
			}
			return dst
		}
		m.bytes += bytes
		dst = appendNew(dst, from, m.local(n))
	}
	code := int32(nothing)
	switch got := dst[from:]; {
	case len(got) == 1:
		code = m.shared[got[0]] + single
	case len(got) > 1 && o.take(int64(4*len(got)+4)):
		code = -int32(len(o.lists)) - 1
		o.lists = append(o.lists, int32(len(got)))
		for _, k := range got {
			o.lists = append(o.lists, m.shared[k])
		}
	case len(got) > 1:
		code = unasked
	}
	o.answered(m, code)
	return dst
}

// answered ends the call that a machine made for others. It holds the lock.
func (m *Memo[S]) answered(by *Machine[S], code int32) {
	if by.claimed == 0 {
		return
	}
	if i := by.place; m.cells[i].key == by.claimed {
		m.cells[i].code = code
	} else {
		m.cells[m.at(by.claimed)].code = code
	}
	by.claimed = 0
	m.came.Broadcast()
}

// keepSample is keep, under the lock.
func (m *Memo[S]) keepSample(k kept[S]) (older kept[S], ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.keep(k)
}

// disclaim says that the machine's call came to no end.
func (m *Machine[S]) disclaim() {
	if m.claimed != 0 {
		m.memo.mu.Lock()
		defer m.memo.mu.Unlock()
		m.memo.answered(m, unasked)
	}
}

// leave makes the machine one without a Memo.
func (m *Machine[S]) leave() {
	m.alone, m.member = true, member[S]{}
	m.schedule()
	m.table = m.NewTable()
	m.bytes = 0
	for k, s := range m.states {
		m.table.Find(s) // Add may count on it
		m.bytes += m.weight(s) + m.table.Add(s, model.State(k))
	}
}
