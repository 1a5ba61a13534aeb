package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// dictionary is a map of two stripes. Writers lock the stripe of their key, readers follow its list of entries, which
// never change, without a lock, and what concerns the whole dictionary locks all stripes in order.
type dictionary struct {
	stripes [2]stripe
	sums    bool // seeded: Count and IsEmpty add up the stripes without locking them
}

type stripe struct {
	lock *mem.Mutex
	head *mem.Atomic[*entry]
}

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

func (d *dictionary) stripe(key int) *stripe { return &d.stripes[key/10%len(d.stripes)] }

// update gives the entry of a key, nil if there is none, to change, which returns the new value and whether there is to be one.
func (d *dictionary) update(key int, change func(old *entry) (value int, keep bool)) {
	s := d.stripe(key)
	s.lock.Lock()
	head := s.head.Load()
	old := head.find(key)
	value, keep := change(old)
	switch {
	case keep && (old == nil || old.value != value):
		s.head.Store(&entry{key, value, head.without(key)})
	case !keep && old != nil:
		s.head.Store(head.without(key))
	}
	s.lock.Unlock()
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
	if e := d.stripe(key).head.Load().find(key); e != nil {
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
	for i := range d.stripes {
		d.stripes[i].lock.Lock()
	}
	f()
	for i := range d.stripes {
		d.stripes[i].lock.Unlock()
	}
}

func (d *dictionary) Count() (n int) {
	count := func() {
		for i := range d.stripes {
			n += d.stripes[i].head.Load().len()
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
	d.locked(func() {
		for i := range d.stripes {
			d.stripes[i].head.Store(nil)
		}
	})
}

func newDictionary(sums bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		d := &dictionary{sums: sums}
		for i := range d.stripes {
			d.stripes[i] = stripe{mem.NewMutex(m, "stripe.lock"), mem.NewAtomic[*entry](m, "stripe.head", nil)}
		}
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
	{F: "tryAdd", Arg: 10}, {F: "tryRemove", Arg: 10}, {F: "tryGet", Arg: 10}, {F: "get", Arg: 10}, {F: "set", Arg: 10}, {F: "tryUpdate", Arg: 10}, {F: "containsKey", Arg: 10},
	{F: "tryAdd", Arg: 20}, {F: "tryRemove", Arg: 20}, {F: "tryGet", Arg: 20}, {F: "get", Arg: 20}, {F: "set", Arg: 20}, {F: "tryUpdate", Arg: 20}, {F: "containsKey", Arg: 20},
}
