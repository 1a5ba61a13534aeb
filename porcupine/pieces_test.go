package porcupine_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/porcupine"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// transfer moves one from an account to another, or, with look, looks at both.
type transfer struct {
	from, to int
	look     bool
}

// ledger holds accounts, which may be overdrawn.
type ledger [64]int8

// transfers is a model of a ledger that says what operations touch.
var transfers = porcupine.Model{
	Init: func() any { return ledger{} },
	Step: func(state, input, output any) (bool, any) {
		s, in := state.(ledger), input.(transfer)
		if in.look {
			return output == [2]int8{s[in.from], s[in.to]}, s
		}
		s[in.from]--
		s[in.to]++
		return true, s
	},
	Pieces:   func(input any) []any { return []any{input.(transfer).from, input.(transfer).to} },
	ReadOnly: func(input any) bool { return input.(transfer).look },
}

// transferred draws a history of clients that transfer and look. From some operation on, what was
// seen may be changed.
func transferred(rng *rand.Rand, operations, accounts, clients int, unknown float64,
	wrongFrom int) []porcupine.Operation {
	var ops []porcupine.Operation
	var s ledger
	last := clients
	names := rng.Perm(clients)
	for n := range operations {
		width := int64(50*clients - 5)
		in := transfer{from: rng.IntN(accounts), look: rng.IntN(2) == 0}
		in.to = (in.from + 1 + rng.IntN(accounts-1)) % accounts
		op := porcupine.Operation{ClientId: names[n%clients], Input: in, Call: int64(100*n) - rng.Int64N(width),
			Return: int64(100*n) + rng.Int64N(width)}
		switch lost := !in.look && rng.Float64() < unknown; {
		case in.look:
			seen := [2]int8{s[in.from], s[in.to]}
			if n >= wrongFrom {
				seen[0] += int8(rng.IntN(3) - 1)
			}
			op.Output = seen
		case lost:
			op = porcupine.UnknownOutcome(op)
			names[n%clients], last = last, last+1
			if rng.IntN(2) == 0 {
				break
			}
			fallthrough
		default:
			s[in.from]--
			s[in.to]++
		}
		ops = append(ops, op)
	}
	return ops
}

// With pieces the verdicts are those without.
func TestPiecesDoNotChangeVerdicts(t *testing.T) {
	plain := transfers
	plain.Pieces, plain.ReadOnly = nil, nil
	count := map[porcupine.CheckResult]int{}
	n := testenv.Scale(600, 8_000)
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 9))
		ops := transferred(rng, 3+rng.IntN(8), 3+rng.IntN(4), 2+rng.IntN(3), []float64{0, 0.2}[rng.IntN(2)],
			rng.IntN(16))
		want := porcupine.CheckOperationsTimeout(plain, ops, time.Minute)
		got, info := porcupine.CheckOperationsVerbose(transfers, ops, time.Minute)
		require.Equal(t, want, got, "seed %d", seed)
		_, err := info.Certificate()
		require.NoError(t, err, "seed %d", seed)
		count[got]++
	}
	assert.Greater(t, count[porcupine.Ok], n/10)
	assert.Greater(t, count[porcupine.Illegal], n/10)
}

// Dozens of clients that move between many accounts: what is not connected does not multiply.
func TestPiecesOfManyClients(t *testing.T) {
	for _, c := range []struct {
		clients   int
		unknown   float64
		wrongFrom int
		want      porcupine.CheckResult
	}{
		{16, 0, 3000, porcupine.Ok}, {32, 0, 3000, porcupine.Ok}, {32, 0.01, 3000, porcupine.Ok},
		{8, 0, 2900, porcupine.Illegal},
	} {
		ops := transferred(rand.New(rand.NewPCG(1, 2)), 3000, 64, c.clients, c.unknown, c.wrongFrom)
		r, info := porcupine.CheckOperationsVerbose(transfers, ops, time.Minute)
		require.Equal(t, c.want, r, "%+v", c)
		_, err := info.Certificate()
		require.NoError(t, err, "%+v", c)
	}
}

// What is said wrongly about pieces is found.
func TestWrongPiecesAreFaults(t *testing.T) {
	wrong := transfers
	wrong.Pieces = func(input any) []any { return []any{input.(transfer).from, 100 + input.(transfer).from} }
	ops := []porcupine.Operation{
		{ClientId: 0, Input: transfer{from: 1, to: 2}, Call: 0, Return: 10},
		{ClientId: 1, Input: transfer{from: 2, to: 3, look: true}, Output: [2]int8{1, 0}, Call: 20, Return: 30},
	}
	var fault *meta.Fault
	func() {
		defer func() { fault, _ = recover().(*meta.Fault) }()
		porcupine.CheckOperations(wrong, ops)
	}()
	require.NotNil(t, fault)
	assert.Equal(t, "Pieces", fault.Func)
	assert.ErrorContains(t, fault, "what Pieces says is not so: on operation 0 ({1 2 false}")
	assert.ErrorContains(t, fault, "it has no piece in common with operation 1 ({2 3 true}")
	wrong.Pieces = func(input any) []any { return []any{[]int{1}} }
	require.Panics(t, func() { porcupine.CheckOperations(wrong, ops) })
}
