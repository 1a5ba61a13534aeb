package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// operation is what a client asks of an object.
type operation struct {
	F   string `json:"f"`
	Key string `json:"key,omitempty"`
	Old int64  `json:"old,omitempty"` // of a cas
	New int64  `json:"new,omitempty"` // of all that write
}

// target carries out operations.
type target interface {
	// do returns the result. An error that is errNotDone says that the operation had no effect;
	// after any other one it may have taken effect, or do so later.
	do(ctx context.Context, o operation) (any, error)
}

// errNotDone is the error of an operation that is known to have had no effect.
var errNotDone = errors.New("not done")

// object is something that can be recorded.
type object struct {
	name, spec string
	initial    any
	functions  []string // drawn with equal chances
	deploy     func(dir string, clients int) (deployment, error)
	connect    func(address string) (target, error)
	shared     bool // all goroutines use one client process
	inProcess  bool // no client processes: goroutines of the recorder use it
}

// deployment is a running object.
type deployment struct {
	address func(client int) string
	kill    func(draw int) error // kills a server with SIGKILL, and starts it again
	stop    func()
}

// capacity is that of the recorded channel.
const capacity = 4

// mapFunctions are the operations on maps; reads are drawn more often.
var mapFunctions = []string{"get", "get", "get", "put", "put", "cas", "cas", "delete"}

func objects() []object {
	local := func(string, int) (deployment, error) {
		return deployment{address: func(int) string { return "" }, stop: func() {}}, nil
	}
	redis := object{name: "redis", spec: "kv", functions: append(mapFunctions[:len(mapFunctions):len(mapFunctions)],
		"swap"), connect: connectRedis}
	var all []object
	for _, x := range []struct {
		name    string
		replica bool
		args    []string
	}{
		{"redis", false, []string{"--appendonly", "yes", "--appendfsync", "always"}},
		{"redis-default", false, nil},
		{"redis-replica", true, nil},
	} {
		o := redis
		o.name = x.name
		o.deploy = func(dir string, _ int) (deployment, error) { return deployRedis(dir, x.replica, x.args) }
		all = append(all, o)
	}
	return append(all,
		object{name: "etcd", spec: "etcd", functions: mapFunctions, deploy: deployEtcd,
			connect: func(address string) (target, error) { return connectEtcd(address, false) }},
		object{name: "etcd-serializable", spec: "kv", functions: mapFunctions, deploy: deployEtcd,
			connect: func(address string) (target, error) { return connectEtcd(address, true) }},
		object{name: "bbolt", spec: "kv", functions: mapFunctions, deploy: deployBolt,
			connect: connectBolt, shared: true},
		object{name: "sync.Map", spec: "kv", functions: append(mapFunctions[:len(mapFunctions):len(mapFunctions)],
			"swap", "getanddelete"), deploy: local,
			connect: func(string) (target, error) { return &syncMap{}, nil }, shared: true, inProcess: true},
		object{name: "channel", spec: "bounded-queue", initial: capacity, functions: []string{"offer", "deq"},
			deploy: local,
			connect: func(string) (target, error) {
				return make(channel, capacity), nil
			}, shared: true, inProcess: true},
	)
}

// lookup returns the object of that name.
func lookup(name string) (object, error) {
	all := objects()
	i := slices.IndexFunc(all, func(o object) bool { return o.name == name })
	if i < 0 {
		return object{}, fmt.Errorf("unknown object %q: there are %s", name, names())
	}
	return all[i], nil
}

func names() string {
	var list []string
	for _, o := range objects() {
		list = append(list, o.name)
	}
	return strings.Join(list, ", ")
}
