// Package dotnet has Go analogues of the thirteen classes of .NET Framework 4.0 that the Line-Up
// paper tests (Burckhardt, Dern, Musuvathi, Tan, PLDI 2010, Tables 1 and 2), written over
// explore/mem: of each a correct variant and a faulty one.
//
// Of the paper's twelve root causes it describes two bugs, A and B; these are here as it describes
// them. The bugs C to G it only counts: what stands for them here has been seeded, as have the bugs
// of the classes in which the paper found none. The five behaviours that are not bugs, H to L, are
// here as variants that fail and are meant to: a collection whose count is kept apart from its
// contents, a bag that gives any of its elements, a cancellation that takes effect some time after
// Cancel has returned (in a thread of the object's own), a barrier. The code is not that of .NET,
// which was not available: it has the operations of the paper's Table 1 and the algorithm that the
// class is known for, with as few accesses to shared memory as possible. Failures are results:
// null, false, or a short text where .NET throws an exception.
package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/papers/catalogue"
)

// invalid is the result where .NET throws an InvalidOperationException.
const invalid = "invalid operation"

// canceled is the result of an operation that was cancelled while it waited.
const canceled = "canceled"

func unknown(f string) string { return "dotnet: the object has no operation " + f }

// orOne is the number that a call gives, or 1.
func orOne(arg any) int64 {
	if n, ok := arg.(int); ok {
		return int64(n)
	}
	return 1
}

// Class is one variant of a class, a row of the paper's Table 2 or one like it.
type Class struct {
	Object *explore.Object
	// Cause is the paper's letter for the bug, "seeded", "seeded C" if the letter stands for
	// another bug of that class, or "" for a correct variant.
	Cause        string
	Test         *explore.Case // a small test that shows it, or exercises what is delicate
	Linearizable bool          // with respect to any deterministic specification
	Intended     bool          // the class is not linearizable on purpose
	// its test fails with two preemptions only if those between operations don't count
	// (lineup.Options.Inside)
	Inside bool
	Note   string
}

//
//go:noinline
func class(name, about string, build func(*mem.Memory) explore.Instance, ops []explore.Call, c Class,
	threads ...[]explore.Call) Class {
	c.Object = &explore.Object{Name: name, About: about, New: build, Ops: ops}
	c.Test = &explore.Case{Object: c.Object, Threads: threads}
	return c
}

func cancelableCollection() Class {
	c := class("blockingcollection-k", "a blocking collection that a thread of its own cancels",
		newBlockingCollection(false, true), cancelableCalls,
		intended("K",
			"Cancel returns before takers are cancelled: a later take may still get a value, or be cancelled"),
		do("cancel", "take"), do("add", 10))
	c.Object.Background = []explore.Call{{F: "canceler"}}
	return c
}

// do returns a thread of a test: names, each followed by its argument if that is not a string.
//
//go:noinline
func do(words ...any) []explore.Call {
	var calls []explore.Call
	for _, w := range words {
		if f, isName := w.(string); isName {
			calls = append(calls, explore.Call{F: f})
		} else {
			calls[len(calls)-1].Arg = w
		}
	}
	return calls
}

//
//go:noinline
func correct(note string) Class { return Class{Linearizable: true, Note: note} }

//
//go:noinline
func faulty(cause, note string) Class { return Class{Cause: cause, Note: note} }

func intended(cause, note string) Class { return Class{Cause: cause, Intended: true, Note: note} }

// Classes lists all variants in the order of the paper's Table 2.
func Classes() []Class {
	return []Class{
		class("lazyinit", "a value computed when first asked for", newLazy(false), lazyCalls,
			correct(""), do("value", "toString"), do("isValueCreated", "value")),
		class("lazyinit-seeded", "lazyinit that says too early that the value is there", newLazy(true), lazyCalls,
			faulty("seeded", "the flag is set before the value: a reader finds the flag and no value"),
			do("value"), do("value")),

		class("manualresetevent-a", "ManualResetEvent with bug A", newManualResetEvent(true), eventCalls,
			Class{Cause: "A", Inside: true,
				Note: "Wait computes the new word from a second read (Figure 9): it sleeps for ever"}, do("wait"),
			do("set", "reset", "set")),
		class("manualresetevent", "an event that stays set until it is reset", newManualResetEvent(false), eventCalls,
			correct(""), do("wait"), do("set", "reset", "set")),

		class("semaphoreslim", "permits; who finds none waits", newSemaphoreSlim(false), semaphoreCalls,
			correct(""), do("wait"), do("wait", "currentCount"), do("release", 2, "wait", 0)),
		class("semaphoreslim-seeded", "semaphoreslim that wakes too few", newSemaphoreSlim(true), semaphoreCalls,
			faulty("seeded", "a release of two permits wakes one of two waiters"), do("wait"), do("wait"),
			do("release", 2)),

		class("countdownevent", "lets waiters through once a count is down to zero", newCountdownEvent(false),
			countdownCalls,
			correct(""), do("wait"), do("signal", "tryAddCount"), do("signal")),
		class("countdownevent-seeded", "countdownevent that can leave zero", newCountdownEvent(true), countdownCalls,
			faulty("seeded", "AddCount looks whether the count is zero, and adds later: the count leaves zero again"),
			do("signal", 2, "isSet"), do("tryAddCount")),

		class("concurrentdictionary", "a map in stripes", newDictionary(false), dictionaryCalls,
			correct(""), do("tryAdd", 10, "tryRemove", 20), do("count"), do("tryAdd", 20)),
		class("concurrentdictionary-seeded", "concurrentdictionary whose count is a sum over time", newDictionary(true),
			dictionaryCalls,
			faulty("seeded", "Count reads the stripes one after the other without their locks"), do("count"),
			do("tryAdd", 10, "tryAdd", 20, "tryRemove", 10)),

		class("concurrentqueue-b", "ConcurrentQueue with bug B", newLockedQueue(true), lockedQueueCalls,
			faulty("B", "the lock of TryTake may time out (Figure 1): it fails on a queue that is not empty"),
			do("add", 200, "tryDequeue"), do("add", 400, "tryDequeue")),
		class("concurrentqueue-locked", "a queue under one lock: concurrentqueue-b without the bug",
			newLockedQueue(false), lockedQueueCalls,
			correct(""), do("add", 200, "tryDequeue"), do("add", 400, "tryDequeue")),
		class("concurrentqueue", "the queue of Michael and Scott with count, peek and snapshot", newQueue, queueCalls,
			correct(""), do("enqueue", 200, "tryDequeue"), do("enqueue", 400, "toArray")),

		class("concurrentlinkedlist-c", "a doubly linked list with a lock for each end", newLinkedList(true),
			linkedListCalls,
			faulty("seeded C",
				"the two locks protect nothing from each other while the list is empty or has one element"),
			do("addFirst", 10, "removeLast"), do("addLast", 20)),
		class("concurrentlinkedlist", "a doubly linked list with a lock", newLinkedList(false), linkedListCalls,
			correct(""), do("addFirst", 10, "removeLast"), do("addLast", 20, "count")),

		class("concurrentstack", "Treiber's stack with ranges", newStack(false), stackCalls,
			correct(""), do("pushRange", []any{1, 2, 3}), do("tryPopRange", 2), do("tryPop", "count")),
		class("concurrentstack-seeded", "concurrentstack that pops ranges bit by bit", newStack(true), stackCalls,
			faulty("seeded", "TryPopRange pops one value after the other"), do("tryPopRange", 2),
			do("push", 10, "push", 20, "tryPop")),

		class("blockingcollection-d", "BlockingCollection with a bug of class D", newBlockingCollection(true, false),
			blockingCalls,
			faulty("seeded D", "CompleteAdding wakes one of two takers"), do("take"), do("take"), do("completeAdding")),
		class("blockingcollection-hi", "a queue and a semaphore that counts its values",
			newPermitCollection, permitCalls,
			intended("H, I",
				"between the two steps of a removal others find the count too small: Count is 0 and TryTake fails "+
					"although the queue has a value"),
			do("add", 10, "tryTake"), do("count", "toArray")),
		class("blockingcollection", "a queue whose takers wait until adding is complete",
			newBlockingCollection(false, false), blockingCalls,
			correct(
				"contents and count change together under one lock, so H and I do not arise; there is no Cancel, "+
					"hence no K"),
			do("take"), do("takeWithEnum"), do("add", 10, "completeAdding")),
		cancelableCollection(),

		class("concurrentbag-e", "ConcurrentBag with a bug of class E", newBag(true, false), bagCalls,
			faulty("seeded E",
				"a removal that finds the first list empty frees its lock before it takes the second one"),
			do("tryTake"), do("add", 10, "add", 20)),
		class("concurrentbag-j", "a bag that gives any of its elements", newBag(false, true), bagCalls,
			intended("J", "which element TryTake removes is not determined, not even serially"),
			do("add", 10, "add", 20), do("tryTake")),
		class("concurrentbag", "a bag of two lists that its values choose", newBag(false, false), bagCalls,
			correct("the values choose their list, so that what a removal takes is determined: J does not arise"),
			do("add", 20, "tryTake"), do("add", 10, "toArray")),

		class("taskcompletionsource-f", "TaskCompletionSource with a bug of class F", newTaskSource(true, false),
			taskCalls,
			faulty("seeded F", "completion is published before the outcome is written"), do("setResult"), do("wait")),
		class("taskcompletionsource-g", "TaskCompletionSource with a bug of class G", newTaskSource(false, true),
			taskCalls,
			faulty("seeded G", "who comes too late is told so before the task is seen to be complete"),
			do("trySetResult"), do("trySetCanceled", "tryResult")),
		class("taskcompletionsource", "a future that is completed once", newTaskSource(false, false), taskCalls,
			correct("who comes too late waits until the first has published, so that G does not arise"),
			do("trySetResult"), do("trySetCanceled", "tryResult"), do("wait")),

		class("cancellationtokensource", "cancellation with callbacks", newCancellation(false), cancellationCalls,
			correct(""), do("increment", "cancel"), do("isCancellationRequested", "count")),
		class("cancellationtokensource-seeded", "cancellationtokensource that runs callbacks too late",
			newCancellation(true), cancellationCalls,
			faulty("seeded", "the callbacks run after the source is seen to be cancelled, without its lock"),
			do("increment", "cancel"), do("isCancellationRequested", "count")),

		class("barrier-l", "Barrier with SignalAndWait", newBarrier, signalAndWaitCalls,
			intended("L",
				"each participant returns only because the other came in the middle of its operation: no serial run "+
					"does that"),
			do("signalAndWait"), do("signalAndWait")),
		class("barrier", "a barrier whose participants arrive and await in two operations", newBarrier, barrierCalls,
			correct("SignalAndWait is in two operations, so that L does not arise"), do("arrive", "await", 0),
			do("arrive", "currentPhaseNumber")),
		class("barrier-seeded", "barrier in two words", newSplitBarrier, splitBarrierCalls,
			faulty("seeded",
				"the phase and the number of those who have yet to arrive are two words: between phases no "+
					"participant is awaited"), do("arrive"), do("arrive"),
			do("participantsRemaining", "currentPhaseNumber")),
	}
}

// specified are the classes that linsat has a specification for, with the operations that it knows.
var specified = map[string]string{"concurrentqueue-b": "queue", "concurrentqueue-locked": "queue"}

const source = "Burckhardt, Dern, Musuvathi, Tan: Line-Up, PLDI 2010, Tables 1 and 2"

// Entries lists the tests for the catalogue of examples. Those without a specification are for
// package lineup.
func Entries() []catalogue.Entry {
	var entries []catalogue.Entry
	for _, c := range Classes() {
		c.Object.Spec = specified[c.Object.Name]
		entries = append(entries, catalogue.Entry{Case: c.Test, Source: source, Faulty: !c.Linearizable && !c.Intended,
			Linearizable: c.Linearizable, Note: note(c)})
	}
	return entries
}

func note(c Class) string {
	switch {
	case c.Cause == "":
		return c.Note
	case c.Intended:
		return "behaviour " + c.Cause + ": " + c.Note
	case c.Cause == "A" || c.Cause == "B":
		return "bug " + c.Cause + ": " + c.Note
	}
	return c.Cause + ": " + c.Note
}
