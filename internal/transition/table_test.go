package transition_test

import (
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
	"github.com/stretchr/testify/require"
)

// A table in the room of another one, whatever that left there, answers what the machine answers.
func TestRoomIsUsedAgain(t *testing.T) {
	var room []int32
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		states, kinds := 1+r.IntN(40), 1+r.IntN(20)
		kind := make([]int32, 3*kinds)
		for i := range kind {
			kind[i] = int32(i % kinds)
		}
		step := func(s int, op history.OpID, dst []int) []int {
			for k := range (s + int(op)) % 3 {
				dst = append(dst, (s*7+int(kind[op])+k)%states)
			}
			return dst
		}
		// an operation of a kind does what the first of that kind does
		machine := model.NewComparable(0, func(s int, op history.OpID, dst []int) []int {
			return step(s, history.OpID(kind[op]), dst)
		}, func(int) string { return "" }, nil)
		table := transition.New(machine, kind)
		table.TakeRoom(room)
		reached := []model.State{machine.Init()}
		for range 500 {
			s, op := reached[r.IntN(len(reached))], history.OpID(r.IntN(len(kind)))
			code := table.Lookup(s, op)
			want := machine.Step(s, op, nil)
			var got []model.State
			for i := int32(0); ; i++ {
				n, ok := table.Next(code, i)
				if !ok {
					break
				}
				got = append(got, n)
			}
			require.Equal(t, want, got, "seed %d", seed)
			reached = append(reached, got...)
		}
		table.TakeRoom(make([]int32, 0, 8)) // it knows something: the room is not for it
		before := table.Lookup(reached[0], 0)
		require.Equal(t, before, table.Lookup(reached[0], 0))
		room = table.GiveRoom()
		for i := range room[:cap(room)] {
			room[:cap(room)][i] = -7
		}
	}
}
