package fleet

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestZeroValues calls every exported method on zero values and on nil pointers.
func TestZeroValues(t *testing.T) {
	testenv.ZeroValues(t, []reflect.Type{reflect.TypeFor[Poison](), reflect.TypeFor[ServerOptions](),
		reflect.TypeFor[Ticket](), reflect.TypeFor[Worker]()})
}

// TestFunctionsOnNothing: what a function cannot work with is an error.
func TestFunctionsOnNothing(t *testing.T) {
	ctx := context.Background()
	conn, err := nats.Connect(cluster(t, 1))
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn) // without streams
	require.NoError(t, err)
	for name, call := range map[string]func() error{
		"Setup":               func() error { return Setup(ctx, nil, 1) },
		"Submit":              func() error { _, err := Submit(ctx, nil, nil, nil, false); return err },
		"Submit, before":      func() error { _, err := Submit(ctx, js, nil, nil, false); return err },
		"Collect":             func() error { return Collect(ctx, nil, nil, nil) },
		"Collect, unheard":    func() error { return Collect(ctx, js, []Ticket{{}}, nil) },
		"Work":                func() error { return (&Worker{Program: "linsat", Slots: 1}).Work(ctx, nil) },
		"Work, zero":          func() error { return new(Worker).Work(ctx, js) },
		"Work, without slots": func() error { return (&Worker{Program: "linsat"}).Work(ctx, js) },
		"Work, before":        func() error { return (&Worker{Program: "linsat", Slots: 1}).Work(ctx, js) },
		"ReadToken":           func() error { _, err := ReadToken(""); return err },
		"OwnToken":            func() error { _, _, err := OwnToken(""); return err },
		"Serve":               func() error { _, err := Serve(ServerOptions{}); return err },
		"Serve, nowhere": func() error {
			_, err := Serve(ServerOptions{Host: "localhost", Port: -1, Dir: filepath.Join("zero_test.go", "x")})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.NotPanics(t, func() { assert.Error(t, call()) })
		})
	}
	assert.False(t, Loopback(""))
	(&Worker{}).log("nobody listens")
}
