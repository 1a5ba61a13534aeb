package specs

import (
	"strings"

	"github.com/linsat/linsat/internal/model"
)

// builtin lists the specifications that linsat ships, in the order of the manual.
var builtin = []model.Spec{
	Register(),
	CASRegister(),
	MultiRegister(),
	KV(),
	Set(),
	Queue(),
	UnorderedQueue(),
	BoundedQueue(),
	Stack(),
	Deque(),
	PriorityQueue(),
	Counter(),
	Mutex(),
	OwnedMutex(),
	ReentrantMutex(),
	FencedMutex(),
	RWMutex(),
	Semaphore(),
	Log(),
	Bank(),
	Etcd(),
	UniqueIDs(),
}

// aliases are other names of specifications, as formats and tools use them.
var aliases = map[string]string{
	"cas":                "cas-register",
	"casregister":        "cas-register",
	"atomic":             "cas-register",
	"multiregister":      "multi-register",
	"key-value":          "kv",
	"kvstore":            "kv",
	"map":                "kv",
	"lock":               "mutex",
	"rwlock":             "rwmutex",
	"readers-writer":     "rwmutex",
	"fifo":               "queue",
	"fifo-queue":         "queue",
	"atomic-queue":       "queue",
	"lifo":               "stack",
	"lifo-stack":         "stack",
	"atomic-stack":       "stack",
	"double-ended-queue": "deque",
	"priorityqueue":      "priority-queue",
	"pqueue":             "priority-queue",
	"pq":                 "priority-queue",
	"min-priority-queue": "priority-queue",
	"ticket":             "counter",
	"ticket-counter":     "counter",
	"append-log":         "log",
	"bag":                "unordered-queue",
	"multiset":           "unordered-queue",
	"bounded-fifo":       "bounded-queue",
	"owner-mutex":        "owned-mutex",
	"owner-aware-mutex":  "owned-mutex",
	"owned-lock":         "owned-mutex",
	"reentrant-lock":     "reentrant-mutex",
	"fenced-lock":        "fenced-mutex",
	"accounts":           "bank",
	"ids":                "unique-ids",
	"unique-id":          "unique-ids",
}

// Shipped reports whether all code of s is linsat's own, so that each of its steps returns.
func Shipped(s model.Spec) bool {
	if r, ok := s.(*renamedSpec); ok {
		s = r.Spec
	}
	_, ok := s.(*table)
	return ok
}

// All returns the specifications that linsat ships.
func All() []model.Spec { return append([]model.Spec(nil), builtin...) }

// Lookup finds a specification by name or by one of its other names ("fifo-queue"), ignoring case.
func Lookup(name string) (model.Spec, bool) {
	name = strings.ToLower(name)
	if a, ok := aliases[name]; ok {
		name = a
	}
	for _, s := range builtin {
		if s.Info().Name == name {
			return s, true
		}
	}
	return nil, false
}

// Names lists the canonical names.
func Names() []string {
	var names []string
	for _, s := range builtin {
		names = append(names, s.Info().Name)
	}
	return names
}
