package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// dictionary is a map of two stripes. Writers lock the stripe of their key, readers follow its list
// of entries, which never change, without a lock, and what concerns the whole dictionary locks all
// stripes in order.
//
// Clear puts empty lists in the place of all at once. (Emptying the lists one after the other is
// not enough, though the stripes are locked: a reader finds one key gone and then another one
// there.)
type dictionary struct {
	locks [2]*mem.Mutex
	lists *mem.Atomic[*lists]
	m     *mem.Memory
	sums  bool // seeded: Count and IsEmpty add up the stripes without locking them
}

// lists are the heads of the stripes' lists.
type lists [2]*mem.Atomic[*entry]

func emptyLists(m *mem.Memory) *lists {
	return &lists{mem.NewAtomic[*entry](m, "head", nil), mem.NewAtomic[*entry](m, "head", nil)}
}

func stripe(key int) int { return key / 10 % 2 }

type entry struct {
	key, value int
	next       *entry
}

func (e *entry) find(key int) *entry {
	for ; e != nil && e.key != key; e = e.next {
	}
	return e
}

// without returns the list less the entry of a key.
func (e *entry) without(key int) *entry {
	switch {
	case e == nil:
		return nil
	case e.key == key:
		return e.next
	}
	return &entry{e.key, e.value, e.next.without(key)}
}

func (e *entry) len() (n int) {
	for ; e != nil; e = e.next {
		n++
	}
	return n
}

// update calls change with the entry of a key, nil if there is none; change returns the new value
// and whether to keep an entry.
func (d *dictionary) update(key int, change func(old *entry) (value int, keep bool)) {
	lock := d.locks[stripe(key)]
	lock.Lock()
	at := d.lists.Load()[stripe(key)]
	head := at.Load()
	old := head.find(key)
	value, keep := change(old)
	switch {
	case keep && (old == nil || old.value != value):
		at.Store(&entry{key, value, head.without(key)})
	case !keep && old != nil:
		at.Store(head.without(key))
	}
	lock.Unlock()
}

// TryAdd gives the key the value 1 if it has none.
func (d *dictionary) TryAdd(key int) (added bool) {
	d.update(key, func(old *entry) (int, bool) {
		if added = old == nil; added {
			return 1, true
		}
		return old.value, true
	})
	return added
}

// TryRemove returns the value that the key had, or nil.
func (d *dictionary) TryRemove(key int) (removed any) {
	d.update(key, func(old *entry) (int, bool) {
		if old != nil {
			removed = old.value
		}
		return 0, false
	})
	return removed
}

// Set gives the key the value 2.
func (d *dictionary) Set(key int) {
	d.update(key, func(*entry) (int, bool) { return 2, true })
}

// TryUpdate changes the value of the key from 1 to 3, if it is 1.
func (d *dictionary) TryUpdate(key int) (updated bool) {
	d.update(key, func(old *entry) (int, bool) {
		switch {
		case old == nil:
			return 0, false
		case old.value == 1:
			updated = true
			return 3, true
		}
		return old.value, true
	})
	return updated
}

// TryGet returns the value of the key, or nil.
func (d *dictionary) TryGet(key int) any {
	if e := d.lists.Load()[stripe(key)].Load().find(key); e != nil {
		return e.value
	}
	return nil
}

func (d *dictionary) Get(key int) any {
	if v := d.TryGet(key); v != nil {
		return v
	}
	return "key not found"
}

func (d *dictionary) locked(f func()) {
	for _, l := range d.locks {
		l.Lock()
	}
	f()
	for _, l := range d.locks {
		l.Unlock()
	}
}

func (d *dictionary) Count() (n int) {
	count := func() {
		lists := d.lists.Load()
		for i := range lists { // ranging over a copy makes Go 1.26 crash when it compiles for wasm
			n += lists[i].Load().len()
		}
	}
	if d.sums {
		count()
	} else {
		d.locked(count)
	}
	return n
}

func (d *dictionary) Clear() {
	d.locked(func() { d.lists.Store(emptyLists(d.m)) })
}

func newDictionary(sums bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		d := &dictionary{[2]*mem.Mutex{mem.NewMutex(m, "lock"), mem.NewMutex(m, "lock")},
			mem.NewAtomic(m, "lists", emptyLists(m)), m, sums}
		return func(f string, arg any) any {
			key, _ := arg.(int)
			switch f {
			case "tryAdd":
				return d.TryAdd(key)
			case "tryRemove":
				return d.TryRemove(key)
			case "tryGet":
				return d.TryGet(key)
			case "get":
				return d.Get(key)
			case "set":
				d.Set(key)
				return nil
			case "tryUpdate":
				return d.TryUpdate(key)
			case "containsKey":
				return d.TryGet(key) != nil
			case "count":
				return d.Count()
			case "isEmpty":
				return d.Count() == 0
			case "clear":
				d.Clear()
				return nil
			}
			panic(unknown(f))
		}
	}
}

var dictionaryCalls = []explore.Call{
	{F: "count"}, {F: "isEmpty"}, {F: "clear"},
	{F: "tryAdd", Arg: 10}, {F: "tryRemove", Arg: 10}, {F: "tryGet", Arg: 10}, {F: "get", Arg: 10}, {F: "set", Arg: 10},
	{F: "tryUpdate", Arg: 10}, {F: "containsKey", Arg: 10},
	{F: "tryAdd", Arg: 20}, {F: "tryRemove", Arg: 20}, {F: "tryGet", Arg: 20}, {F: "get", Arg: 20}, {F: "set", Arg: 20},
	{F: "tryUpdate", Arg: 20}, {F: "containsKey", Arg: 20},
}
