// Command recorder records a sync.Map that goroutines use, decides every recording, and prints how
// many operations were recorded and what one cost, until so many have been judged:
//
//	go -C bench run ./recorder -operations 1000000000
//
// It ends with exit code 1 and the history in violation.jsonl if one is not linearizable, and with
// 3 if one is undecided.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/spec"
)

func main() {
	operations := flag.Int("operations", 10_000_000, "operations in all")
	goroutines := flag.Int("goroutines", 8, "goroutines that use the map at once")
	keys := flag.Int("keys", 1000, "keys of the map")
	values := flag.Int("values", 1000, "values that are written")
	each := flag.Int("each", 1<<20, "operations of one recording")
	seed := flag.Uint64("seed", 1, "of the operations, not of the schedule")
	flag.Parse()

	kv := spec.MustLookup("kv")
	var recording, deciding time.Duration
	done, overlapped := 0, 0
	for run := uint64(0); done < *operations; run++ {
		began := time.Now()
		r := record(*goroutines, *each / *goroutines, *keys, *values, *seed+run)
		recording += time.Since(began)
		h, err := r.History()
		if err != nil {
			fail(2, err)
		}
		began = time.Now()
		result, err := linsat.Check(context.Background(), kv, h,
			linsat.Explain(linsat.ExplainOptions{Cores: linsat.NoCore}))
		if err != nil {
			fail(2, err)
		}
		deciding += time.Since(began)
		done += len(h.Ops)
		overlapped += overlapping(h)
		switch result.Verdict {
		case linsat.NotLinearizable:
			keep(h)
			fail(1, fmt.Errorf("recording %d (seed %d) is not linearizable: violation.jsonl", run, *seed+run))
		case linsat.Unknown:
			fail(3, fmt.Errorf("recording %d (seed %d) is undecided: %v %s", run, *seed+run, result.Cause,
				result.Detail))
		}
		if run%100 == 99 || done >= *operations {
			fmt.Printf(
				"%d operations of %d goroutines on %d keys, all linearizable; %.0f %% overlapped; recorded in %v (%d "+
					"ns each, the map's own time included), decided in %v\n",
				done, *goroutines, *keys, 100*float64(overlapped)/float64(done), recording.Round(time.Second/10),
				recording.Nanoseconds()/int64(done), deciding.Round(time.Second/10))
		}
	}
}

// record lets goroutines do so many operations each on one map.
func record(goroutines, each, keys, values int, seed uint64) *history.Recorder {
	r := new(history.Recorder)
	r.SetSpec("kv")
	var m sync.Map
	var group sync.WaitGroup
	for p := range goroutines {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(p)))
			for range each {
				operate(r, &m, p, rng.IntN(keys), rng.IntN(values), rng.IntN(values), rng.IntN(10))
			}
		})
	}
	group.Wait()
	return r
}

// operate does one operation: half of them read.
func operate(r *history.Recorder, m *sync.Map, p, key, value, other, which int) {
	found := func(v any, ok bool) any {
		if !ok {
			return nil
		}
		return v
	}
	switch which {
	case 0:
		h := r.CallKey(p, key, "put", value)
		m.Store(key, value)
		h.Return(nil)
	case 1:
		h := r.CallKey(p, key, "delete", nil)
		m.Delete(key)
		h.Return(nil)
	case 2:
		h := r.CallKey(p, key, "getanddelete", nil)
		h.Return(found(m.LoadAndDelete(key)))
	case 3:
		h := r.CallKey(p, key, "swap", value)
		h.Return(found(m.Swap(key, value)))
	case 4:
		h := r.CallKey(p, key, "cas", []int{other, value})
		h.Return(m.CompareAndSwap(key, other, value))
	default:
		h := r.CallKey(p, key, "get", nil)
		h.Return(found(m.Load(key)))
	}
}

// overlapping counts the operations that were called while another one was open.
func overlapping(h *history.History) int {
	n := 0
	var latest history.Rank = -1
	for i := range h.Ops {
		if h.Ops[i].Call < latest {
			n++
		}
		latest = max(latest, h.Ops[i].Return)
	}
	return n
}

func keep(h *history.History) {
	f, err := os.Create("violation.jsonl")
	if err != nil {
		fail(2, err)
	}
	if err := history.WriteJSONL(f, h); err != nil {
		fail(2, err)
	}
	if err := f.Close(); err != nil {
		fail(2, err)
	}
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(code)
}
