package spec

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/spec/meta"
)

// Spec is a sequential specification: one that linsat ships, one made by Define, or one made from
// another by Relax. A Spec has no state of its own. Any number of goroutines may use it.
type Spec = meta.Spec

// MustLookup returns the shipped specification of that name or alias, in upper or lower case: bank,
// bounded-queue, cas-register, counter, deque, etcd, fenced-mutex, kv, log, multi-register, mutex,
// owned-mutex, priority-queue, queue, reentrant-mutex, register, rwmutex, semaphore, set, stack,
// unique-ids or unordered-queue. docs/specifications.md says what each does. It panics for other
// names; Recognise returns an error for that of a history.
func MustLookup(name string) Spec {
	s, ok := specs.Lookup(name)
	if !ok {
		panic(fmt.Sprintf("spec: unknown specification %q; there are %s", name, strings.Join(specs.Names(), ", ")))
	}
	return s
}

// Recognise returns the specification that h names, or else the one whose operations it uses, and
// notes in h.Guessed and h.AlsoFits what that was guessed from. If none or several fit, it returns
// a *history.Error that names the candidates.
func Recognise(h *history.History) (Spec, error) {
	if h == nil || h.Values == nil {
		return nil, h.Validate()
	}
	if h.Spec != "" {
		if s, ok := specs.Lookup(h.Spec); ok {
			return s, nil
		}
		return nil, &history.Error{File: h.Source, What: fmt.Sprintf("unknown specification %q", h.Spec),
			Hint: "there are " + strings.Join(specs.Names(), ", ")}
	}
	guess, err := specs.Recognise(h)
	if err != nil {
		return nil, err
	}
	h.Guessed, h.AlsoFits = guess.From, guess.Others
	return guess.Spec, nil
}

// Relax returns s relaxed by what the text says, as linsat solve --relax takes it: any of
// out-of-order=K, lateness=K and stuttering=K, joined by commas. It returns an error where s has no
// such relaxation.
func Relax(s Spec, text string) (Spec, error) {
	x, err := specs.ParseSemanticRelaxation(text)
	if err != nil {
		return nil, err
	}
	return specs.Relax(model.Full(s), x)
}

// Rename returns s with other names of operations. names maps names of operations of s to those
// that histories use:
//
//	spec.Rename(spec.MustLookup("queue"), map[string]string{"enq": "submit", "deq": "fetch"})
//
// Operations that are not mentioned keep their names. The result has the engines, monitors and
// arguments of s, and its certificates are verified against it. Rename returns an error for an
// operation that s does not have, for a name that two operations would share, and for
// specifications that linsat does not ship: a Definition lists its names itself.
func Rename(s Spec, names map[string]string) (Spec, error) {
	return specs.Rename(model.Full(s), names)
}
