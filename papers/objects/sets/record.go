package sets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/history"
)

// Recording is how a set is used while it is recorded.
type Recording struct {
	Threads    int
	Operations int    // of each thread
	Keys       int    // the arguments are uniform from 0 to Keys-1
	Seed       uint64 // of the operations and arguments of each thread, not of the schedule
}

// Recordable returns the names of what Record knows: the sets of Entries, and sync.Map.
func Recordable() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return append(names, syncMap)
}

// Record runs threads as ordinary goroutines on a new set and returns what they did. A third of the
// operations each adds, removes and asks. The error is for a name that is not Recordable.
func Record(name string, o Recording) (*history.History, error) {
	s, err := recordable(name)
	if err != nil {
		return nil, err
	}
	r := new(history.Recorder)
	r.SetSpec("set")
	var wg sync.WaitGroup
	for thread := range o.Threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rng := rand.New(rand.NewPCG(o.Seed, uint64(thread)))
			for range o.Operations {
				call(r, s, thread, rng.IntN(3), rng.IntN(o.Keys))
			}
		}()
	}
	wg.Wait()
	return r.History()
}

func recordable(name string) (set, error) {
	if name == syncMap {
		return &mapSet{}, nil
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no set %q", name)
	}
	return kinds[i].new(mem.Parallel()), nil
}

func call(r *history.Recorder, s set, thread, what, key int) {
	switch what {
	case 0:
		h := r.Call(thread, "add", key)
		h.Return(s.add(key))
	case 1:
		h := r.Call(thread, "remove", key)
		h.Return(s.remove(key))
	default:
		h := r.Call(thread, "contains", key)
		h.Return(s.contains(key))
	}
}

// syncMap is the name of a set that is Go's own sync.Map.
const syncMap = "sync.Map"

type mapSet struct{ of sync.Map }

func (s *mapSet) add(key int) bool {
	_, loaded := s.of.LoadOrStore(key, true)
	return !loaded
}

func (s *mapSet) remove(key int) bool {
	_, loaded := s.of.LoadAndDelete(key)
	return loaded
}

func (s *mapSet) contains(key int) bool {
	_, ok := s.of.Load(key)
	return ok
}
