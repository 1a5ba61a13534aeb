//go:build !linsat_native

package cds

import (
	"strings"

	"github.com/linsat/linsat/explore/c11"
)

// Structure is one of the eight, with what the paper says about it.
type Structure struct {
	Key    string // for linsat-papers
	Name   string // in the paper
	File   string // that its code is in
	Source string
	// Drivers: the paper's come first.
	Drivers []Driver
	// Faulty are drivers of a variant that has a known bug, or a specification that is wrong.
	Faulty []Driver
	// Figure7 is its row: injections, and how many show as which class.
	Figure7 Figure7
	// Beside are parts of the texts of sites that the paper does not count among its injections.
	Beside []string
	// Harmless says, by the text of the site, why an order can be relaxed without effect on any
	// driver.
	Harmless map[string]string
}

// Driver is a program that uses a structure.
type Driver struct {
	Name    string
	Text    string // what its threads do
	Paper   bool   // it is the paper's
	Program c11.Program
}

// Figure7 is a row of the paper's Figure 7.
type Figure7 struct{ Injections, DataRaces, Uninitialized, Correctness, Synchronization int }

// Detected returns how many injections the paper's tool finds.
func (f Figure7) Detected() int {
	return f.DataRaces + f.Uninitialized + f.Correctness + f.Synchronization
}

// Find returns the structure with that key, which is not case-sensitive.
func Find(key string) (*Structure, bool) {
	for _, s := range Structures() {
		if strings.EqualFold(s.Key, key) {
			return &s, true
		}
	}
	return nil, false
}

const (
	noResize = "without a resize the location keeps its first value"
	reserves = "rdwr only reserves a bin; read and written synchronise"
)

// Structures returns the eight structures in the order of the paper's tables.
func Structures() []Structure {
	return []Structure{
		{
			Key: "chase-lev", Name: "Chase-Lev deque", File: "chaselev.go",
			Source: "Chase and Lev, SPAA 2005; Lê, Pop, Cohen and Zappa Nardelli, PPoPP 2013",
			Drivers: []Driver{
				{"paper", "push 1, push 2, push 3, take, take | steal; the array has room for 2", true, dequePaper},
				{"thieves", "push 1, push 2, take, join, take | steal | steal", false, dequeThieves},
				{"grow", "push 1, push 2, push 3, take, take, take | steal, steal", false, dequeGrow},
				{"reuse", "push 1, take, push 2, push 3, push 4, take | steal, steal", false, dequeReuse},
			},
			Faulty: []Driver{{"resize bug",
				"as the paper's; push goes on with the old array after a resize, as published", true, dequeResizeBug}},
			Figure7: Figure7{10, 0, 2, 3, 2},
			Harmless: map[string]string{
				"push: load top": "only a load that reads from a later store (load buffering) would show it, " +
					"which RC11 forbids; it does with --load-buffering",
				"tryTake: update top": "the fence before it orders it; the authors confirmed that relaxed is enough",
				"trySteal: load top":  "the fence after it acquires; the authors confirmed that relaxed is enough",
			},
		},
		{
			Key: "spsc-queue", Name: "SPSC queue", File: "spsc.go", Source: "benchmarks of CDSChecker",
			Drivers: []Driver{
				{"paper", "enqueue 1 | dequeue", true, spscProgram(1)},
				{"twice", "enqueue 1, enqueue 2 | dequeue, dequeue", false, spscProgram(2)},
			},
			Figure7: Figure7{2, 2, 0, 0, 0},
			Beside:  []string{"signal", "get", "wait"},
			Harmless: map[string]string{
				"wait: load count": "dequeue looks at the list again after it, with acquire",
			},
		},
		{
			Key: "rcu", Name: "RCU", File: "rcu.go", Source: "the paper, Figure 2",
			Drivers: []Driver{
				{"paper", "update 1 | update 2 | read | read", true, rcuPaper},
				{"two objects", "x.update 1, y.read | y.update 1, x.read (Figure 2)", false, rcuTwoObjects},
			},
			Figure7: Figure7{3, 0, 0, 1, 2},
		},
		{
			Key: "click-hashtable", Name: "Lockfree hashtable", File: "hashtable.go", Source: "Click, JavaOne 2007",
			Drivers: []Driver{
				{"paper", "put 1 10, get 1 | put 1 20, get 1", true, hashtablePaper},
				{"two keys", "put 1 10, get 2 | put 2 20, get 1", false, hashtableTwoKeys},
				{"readers", "put 1 10, put 1 11 | get 1, get 2 | put 2 20, get 1", false, hashtableReaders},
			},
			Figure7: Figure7{5, 0, 0, 0, 2},
			Harmless: map[string]string{
				"get: load kvs":    noResize,
				"put: load kvs":    noResize,
				"put: load newkvs": noResize,
			},
		},
		{
			Key: "mcs-lock", Name: "MCS lock", File: "mcs.go", Source: "Mellor-Crummey and Scott, ASPLOS 1991",
			Drivers: []Driver{
				{"paper", "lock, unlock, lock, unlock | the same", true, mcsProgram(2, 2, false)},
				{"data", "lock, write, unlock | the same | the same", false, mcsProgram(3, 1, true)},
			},
			Figure7: Figure7{4, 0, 0, 0, 4},
			Beside:  []string{"store next", "load next"},
		},
		{
			Key: "mpmc-queue", Name: "MPMC queue", File: "mpmc.go", Source: "benchmarks of CDSChecker",
			Drivers: []Driver{
				{"paper", "put, get | put, get; room for 16", true, mpmcProgram(16, false)},
				{"data", "put, get | put, get; room for 16; what is put is read", false, mpmcProgram(16, true)},
				{"wrap", "put, put | get, get; room for 1; what is put is read", false, mpmcWrap},
			},
			Figure7: Figure7{6, 0, 0, 0, 2},
			Beside:  []string{"load rdwr"},
			Harmless: map[string]string{
				"tryFetch: load rdwr":     reserves,
				"tryFetch: update rdwr":   reserves,
				"tryPrepare: load rdwr":   reserves,
				"tryPrepare: update rdwr": reserves,
			},
		},
		{
			Key: "ms-queue-c11", Name: "M&S queue", File: "msqueue.go", Source: "Michael and Scott, PODC 1996",
			Drivers: []Driver{
				{"paper", "enqueue 1 | dequeue", true, msPaper},
				{"pairs", "enqueue 1, dequeue | enqueue 2, dequeue", true, msPairs},
				{"dequeuers", "enqueue 1, enqueue 2 | dequeue | dequeue", false, msDequeuers},
				{"three", "enqueue 1 | enqueue 2 | dequeue, dequeue", false, msThree},
			},
			Figure7: Figure7{11, 0, 6, 3, 0},
			Harmless: map[string]string{
				"enqueue: load next": "what it reads is only compared with null, and loaded again if it isn't",
			},
		},
		{
			Key: "linux-rwlock", Name: "Linux RW lock", File: "rwlock.go", Source: "Linux; benchmarks of CDSChecker",
			Drivers: []Driver{
				{"paper", "read lock and unlock, write lock and unlock | the same", true, rwProgram(false)},
				{"tries", "write trylock, read trylock, each with unlock | write trylock, read trylock", true, rwTries},
				{"data", "as the paper's, and the data are read and written", false, rwProgram(true)},
				{"twice", "write trylock, twice | write trylock, each with unlock", false, rwTwice(false)},
			},
			Faulty: []Driver{{"first specification",
				"write trylock, twice | write trylock, each with unlock; no try of a free lock may fail", true,
				rwTwice(true)}},
			Figure7: Figure7{8, 0, 0, 0, 8},
		},
	}
}
