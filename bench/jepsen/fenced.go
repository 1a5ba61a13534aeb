package main

import "fmt"

// fenced is a lock whose acquisitions return growing tokens. A fault is that a token comes again.
type fenced struct {
	mutex
	token int
}

func (o *fenced) call(client int) (f, value string) {
	f, _ = o.mutex.call(client)
	return f, fmt.Sprintf("\"client %d\"", client) // the owner, whichever process it has become
}

func (o *fenced) apply(client int, f, value string) (string, bool) {
	repeated := o.faults > 0 && !o.s.hidden
	_, ok := o.mutex.apply(client, f, value)
	if f == "release" || !ok {
		return value, ok
	}
	if repeated {
		o.faults = 0
		return fmt.Sprint(max(1, o.token-1)), true
	}
	o.token++
	return fmt.Sprint(o.token), true
}
