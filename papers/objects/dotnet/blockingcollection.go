package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// blockingCollection is a queue whose takers wait for something to take, until adding is declared
// complete (a buffered channel that is closed). All is done under one lock, the contents are an
// immutable list.
type blockingCollection struct {
	lock     *mem.Mutex
	some     *mem.Cond
	items    *mem.Atomic[*items]
	complete *mem.Atomic[bool]
	drowsy   bool // seeded, class D: completion wakes one taker only

	// behaviour K: Cancel only asks, and a thread of the collection's own cancels later
	asked, canceled *mem.Atomic[bool]
}

// items is an immutable sequence of values.
type items struct{ values []any }

func (b *blockingCollection) Add(v any) any {
	b.lock.Lock()
	if b.complete.Load() {
		b.lock.Unlock()
		return invalid
	}
	old := b.items.Load().values
	b.items.Store(&items{append(old[:len(old):len(old)], v)})
	b.some.Signal()
	b.lock.Unlock()
	return true
}

// Take returns the oldest value. It waits for one until adding is complete, and then returns over.
func (b *blockingCollection) Take(over any) any {
	b.lock.Lock()
	values := b.items.Load().values
	for len(values) == 0 && !b.complete.Load() && !b.isCanceled() {
		b.some.Wait()
		values = b.items.Load().values
	}
	if b.isCanceled() {
		over = canceled
	} else if len(values) > 0 {
		over = values[0]
		b.items.Store(&items{values[1:]})
	}
	b.lock.Unlock()
	return over
}

// TryTake returns the oldest value, or nil if there is none.
func (b *blockingCollection) TryTake() any {
	b.lock.Lock()
	var taken any
	if values := b.items.Load().values; len(values) > 0 {
		taken = values[0]
		b.items.Store(&items{values[1:]})
	}
	b.lock.Unlock()
	return taken
}

// TryTakeFor waits for a value, for a time. What the time allows is one more look once the others
// had the lock in between.
func (b *blockingCollection) TryTakeFor() any {
	b.lock.Lock()
	if len(b.items.Load().values) == 0 && !b.complete.Load() {
		b.lock.Unlock()
		b.lock.Lock()
	}
	var taken any
	if values := b.items.Load().values; len(values) > 0 {
		taken = values[0]
		b.items.Store(&items{values[1:]})
	}
	b.lock.Unlock()
	return taken
}

// Cancel asks for the takers to be cancelled, and does not wait for it.
func (b *blockingCollection) Cancel() { b.asked.Store(true) }

func (b *blockingCollection) isCanceled() bool { return b.canceled != nil && b.canceled.Load() }

// canceler is the collection's own thread: it cancels the takers some time after Cancel has asked.
func (b *blockingCollection) canceler() {
	b.asked.Await(func(asked bool) bool { return asked })
	b.lock.Lock()
	b.canceled.Store(true)
	b.some.Broadcast()
	b.lock.Unlock()
}

func (b *blockingCollection) CompleteAdding() {
	b.lock.Lock()
	b.complete.Store(true)
	if b.drowsy {
		b.some.Signal()
	} else {
		b.some.Broadcast()
	}
	b.lock.Unlock()
}

// IsCompleted reports whether adding is complete and everything taken. Complete comes first: from
// then on the contents only shrink.
func (b *blockingCollection) IsCompleted() bool {
	return b.complete.Load() && len(b.items.Load().values) == 0
}

func (b *blockingCollection) ToArray() []any { return append([]any{}, b.items.Load().values...) }

func newBlockingCollection(drowsy, cancelable bool) func(*mem.Memory) explore.Instance {
	return func(m *mem.Memory) explore.Instance {
		lock := mem.NewMutex(m, "lock")
		b := &blockingCollection{lock: lock, some: mem.NewCond(m, "some", lock), items: mem.NewAtomic(m, "items",
			&items{}), complete: mem.NewAtomic(m, "complete", false), drowsy: drowsy}
		if cancelable {
			b.asked, b.canceled = mem.NewAtomic(m, "asked", false), mem.NewAtomic(m, "canceled", false)
		}
		return func(f string, arg any) any {
			switch {
			case cancelable && f == "cancel":
				b.Cancel()
				return nil
			case cancelable && f == "canceler":
				b.canceler()
				return nil
			}
			switch f {
			case "add", "tryAdd":
				return b.Add(arg)
			case "tryAddFor": // there is always room, so it never waits
				return b.Add(arg)
			case "take":
				return b.Take(invalid)
			case "takeWithEnum":
				return b.Take(nil)
			case "tryTake":
				return b.TryTake()
			case "tryTakeFor":
				return b.TryTakeFor()
			case "completeAdding":
				b.CompleteAdding()
				return nil
			case "isAddingCompleted":
				return b.complete.Load()
			case "isCompleted":
				return b.IsCompleted()
			case "count":
				return len(b.items.Load().values)
			case "toArray":
				return b.ToArray()
			}
			panic(unknown(f))
		}
	}
}

// tryAddFor and tryTakeFor are TryAdd and TryTake with a time-out.
var (
	blockingCalls = []explore.Call{
		{F: "count"}, {F: "toArray"}, {F: "tryAdd", Arg: 10}, {F: "tryAddFor", Arg: 30}, {F: "isCompleted"},
		{F: "isAddingCompleted"}, {F: "completeAdding"},
		{F: "add", Arg: 20}, {F: "take"}, {F: "takeWithEnum"}, {F: "tryTake"}, {F: "tryTakeFor"},
	}
	cancelableCalls = append(blockingCalls[:len(blockingCalls):len(blockingCalls)], explore.Call{F: "cancel"})
)

// permitCollection is the collection as .NET builds it: a queue, and a semaphore that counts its
// values. An addition first enqueues and then releases a permit, a removal first takes a permit and
// then dequeues. So while one removal is between its two steps, others find no permit although the
// queue is not empty: behaviours H and I of the paper, which .NET documents and does not mend.
type permitCollection struct {
	queue   *queue
	permits *mem.Int64
}

func (p *permitCollection) Add(v any) {
	p.queue.Enqueue(v)
	p.permits.Add(1)
}

func (p *permitCollection) TryTake() any {
	for {
		n := p.permits.Load()
		if n == 0 {
			return nil
		}
		if p.permits.CompareAndSwap(n, n-1) {
			return p.queue.TryDequeue()
		}
	}
}

func newPermitCollection(m *mem.Memory) explore.Instance {
	p := &permitCollection{makeQueue(m), mem.NewInt64(m, "permits", 0)}
	return func(f string, arg any) any {
		switch f {
		case "add":
			p.Add(arg)
			return nil
		case "tryTake":
			return p.TryTake()
		case "count":
			return p.permits.Load()
		case "toArray":
			return p.queue.ToArray()
		}
		panic(unknown(f))
	}
}

var permitCalls = []explore.Call{{F: "count"}, {F: "toArray"}, {F: "add", Arg: 10}, {F: "add", Arg: 20}, {F: "tryTake"}}
