package explore

import (
	"math/bits"
	"math/rand/v2"

	"github.com/linsat/linsat/internal/schedule"
)

// Data choices outside the threads, with Options.SetUps.
//
// An object that chooses at random where to look first chooses in every operation, in those of the
// test that run before and after the threads, too. All combinations of these choices multiply the
// executions, and rarely add a history. So the strategy is asked for one number instead, that of a
// set-up, from which the choices before the threads follow. Set-up 0 has the choice 0 everywhere.
// Choices after the threads are drawn for each execution by itself. No strategy goes back
// to them, and executions that differ in the threads try different ones.
//
// The schedule of an execution has the choices themselves, so that Replay needs no set-ups.

// drawn is where the choices of an execution come from.
type drawn struct {
	before bool // the number of the set-up is known
	setUp  int
	made   uint64 // choices so far
	pcg    rand.PCG
}

// draws reports whether the running code is serial and its choices are drawn.
func (x *Exec) draws() bool {
	return x.options.SetUps > 0 && x.current.id == schedule.Main && !schedule.Replays(x.strategy)
}

// draw returns a choice from 0 to n-1 for serial code. Of n set-ups one after the other, counted
// from a multiple of n, each has another value of each choice: upwards or downwards from a drawn
// one, or from 0 at first.
func (x *Exec) draw(n int) int {
	d := &x.drawn
	if x.phase == building && !d.before {
		d.before, d.setUp = true, x.ask(x.options.SetUps)
	}
	number, seed := d.setUp, uint64(beforeThreads)
	if x.phase == ending {
		number, seed = x.runner.runs-1, afterThreads
	}
	d.made++
	at := number % n
	d.pcg.Seed(seed<<32|d.made, uint64(number/n))
	if d.pcg.Uint64()&1 == 1 {
		at = n - 1 - (at+n-1)%n
	}
	if number < n {
		return at
	}
	first, _ := bits.Mul64(d.pcg.Uint64(), uint64(n))
	return (int(first) + at) % n
}
