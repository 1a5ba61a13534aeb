package specs

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// RWMutex returns the specification of a readers-writer lock: rlock, runlock, lock, unlock,
// tryrlock and trylock. A try succeeds exactly when the lock can be taken. Its initial state is the
// number of readers, or true if a writer holds it; free by default.
func RWMutex() model.Spec { return rwmutex }

var rwmutex = newTable(table{
	info: model.Info{
		Name:    "rwmutex",
		Summary: "a lock that one writer or any number of readers can hold",
		Initial: "the number of readers that hold it, or true if a writer does (default: free)",
		Example: `{"spec": "rwmutex", "operations": [{"process": 0, "f": "rlock", "call": 0, "return": 3}, ` +
			`{"process": 1, "f": "rlock", "call": 1, "return": 2}, {"process": 2, "f": "trylock", "call": 4, "return": 5, "result": false}, ` +
			`{"process": 2, "f": "lock", "call": 6, "return": 11}, {"process": 0, "f": "runlock", "call": 7, "return": 9}, ` +
			`{"process": 1, "f": "runlock", "call": 8, "return": 10}, {"process": 2, "f": "unlock", "call": 12}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "rlock", Aliases: []string{"read-lock", "lock-read", "lock-shared",
			"acquire-read", "acquire-shared"}}, arg: oneWithout, result: acquires},
		{Operation: model.Operation{Name: "runlock", Aliases: []string{"read-unlock", "unlock-read", "unlock-shared",
			"release-read", "release-shared"}}, arg: oneWithout, result: releases("")},
		{Operation: model.Operation{Name: "lock", Aliases: []string{"write-lock", "lock-write", "wlock", "acquire",
			"acquire-write"}}, arg: oneWithout, result: acquires},
		{Operation: model.Operation{Name: "unlock", Aliases: []string{"write-unlock", "unlock-write", "wunlock",
			"release", "release-write"}}, arg: oneWithout, result: releases("")},
		{Operation: model.Operation{Name: "tryrlock", Aliases: []string{"try-read-lock", "try-lock-shared",
			"try-acquire-read", "try-acquire-shared"},
			Result: "true if it acquired the lock for reading, else false; null: not recorded"}, arg: oneWithout,
			result: tries},
		{Operation: model.Operation{Name: "trylock", Aliases: []string{"try-write-lock", "trywlock", "try-acquire",
			"try-acquire-write"},
			Result: "true if it acquired the lock for writing, else false; null: not recorded"}, arg: oneWithout,
			result: tries},
	},
	bind: (&lock{readersOrWriter, stepRWMutex, describeRWMutex, func(_ lockOp, s int64) string {
		return "the lock is " + describeRWMutex(s)
	}, lockActions, rwTallies}).bind,
})

// The operations of a rwmutex, by row.
const (
	rwReadLock = iota
	rwReadUnlock
	rwLock
	rwUnlock
	rwTryReadLock
	rwTryLock
)

// writing is the state of a lock that a writer holds; other states are the number of readers.
const writing int64 = -1

func readersOrWriter(p *model.Partition) (int64, bool) {
	switch {
	case p.HasInitial && p.Initial == history.True:
		return writing, true
	case p.HasInitial && p.Initial == history.False:
		return 0, true
	}
	return holders(p, 0)
}

func stepRWMutex(o lockOp, s int64, dst []int64) []int64 {
	switch o.verb {
	case rwReadUnlock:
		if s > 0 {
			dst = append(dst, s-1)
		}
		return dst
	case rwUnlock:
		if s == writing {
			dst = append(dst, 0)
		}
		return dst
	}
	free, taken := s == 0, writing
	if o.verb == rwReadLock || o.verb == rwTryReadLock {
		free, taken = s != writing, s+1
	}
	switch {
	case free && o.result != no:
		dst = append(dst, taken)
	case !free && o.result != yes:
		dst = append(dst, s)
	}
	return dst
}

// lockActions says what the operations do.
func lockActions(init int64, ops []lockOp) *model.ReadersWriterTheory {
	rw := &model.ReadersWriterTheory{Readers: max(init, 0), Writing: init == writing,
		Does: make([]model.LockAction, len(ops))}
	for i, o := range ops {
		rw.Does[i] = lockAction(o)
	}
	return rw
}

func lockAction(o lockOp) model.LockAction {
	switch o.verb {
	case rwReadLock:
		return model.ReadLock
	case rwReadUnlock:
		return model.ReadUnlock
	case rwLock:
		return model.WriteLock
	case rwUnlock:
		return model.WriteUnlock
	case rwTryReadLock:
		return [...]model.LockAction{unknown: model.TryRead, yes: model.ReadLock, no: model.ReadRefused}[o.result]
	}
	return [...]model.LockAction{unknown: model.TryWrite, yes: model.WriteLock, no: model.WriteRefused}[o.result]
}

// rwTallies describes a readers-writer lock by how many readers hold it, and how many writers.
func rwTallies(init int64, ops []lockOp) *model.Tallies {
	const readers, writers = 0, 1
	t := &model.Tallies{Init: []int64{max(init, 0), 0}, Ways: make([][]model.Way, len(ops))}
	if init == writing {
		t.Init[writers] = 1
	}
	way := func(tally int32, by int64, finds ...model.Found) model.Way {
		return model.Way{Finds: finds, Adds: []model.Added{{Tally: tally, By: by}}}
	}
	noReader, noWriter := model.Exactly(readers, 0), model.Exactly(writers, 0)
	reader, writer := model.AtLeast(readers, 1), model.AtLeast(writers, 1)
	for i, o := range ops {
		var ways []model.Way
		reads := o.verb == rwReadLock || o.verb == rwTryReadLock
		switch {
		case o.verb == rwReadUnlock:
			ways = append(ways, way(readers, -1, reader))
		case o.verb == rwUnlock:
			ways = append(ways, way(writers, -1, writer))
		case reads && o.result != no:
			ways = append(ways, way(readers, 1, noWriter))
		case o.result != no:
			ways = append(ways, way(writers, 1, noReader, noWriter))
		}
		switch {
		case o.verb == rwReadUnlock || o.verb == rwUnlock || o.result == yes:
		case reads:
			ways = append(ways, model.Way{Finds: []model.Found{writer}})
		default: // one of the two holds it
			ways = append(ways, model.Way{Finds: []model.Found{writer}}, model.Way{Finds: []model.Found{reader}})
		}
		t.Ways[i] = ways
	}
	return t
}

func describeRWMutex(s int64) string {
	switch s {
	case writing:
		return "held by a writer"
	case 0:
		return "free"
	case 1:
		return "held by 1 reader"
	}
	return fmt.Sprintf("held by %d readers", s)
}
