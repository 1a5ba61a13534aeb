package dotnet

import (
	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/explore/mem"
)

// barrier lets its participants, at first 2, go on to the next phase when all of them have arrived.
// SignalAndWait, which does not return before the others have called it, cannot be linearizable:
// alone, at its moment, it would block (behaviour L of the paper). Java's Phaser has it in two
// operations, and these can: Arrive does not wait and tells the phase, Await waits for the end of a
// phase.
//
// One word holds the phase, how many have yet to arrive, and how many take part.
// Cancelling a token is sticky. Who waits with the token returns then, and SignalAndWait takes its
// arrival back. The token is in the word, too, so that one Await sees both.
type barrier struct {
	state *mem.Atomic[barrierState]
}

type barrierState struct {
	phase, remaining, participants int
	canceled                       bool // the token
}

// next is the state when one more has arrived, or left.
func (s barrierState) next() barrierState {
	if s.remaining--; s.remaining <= 0 {
		s.phase++
		s.remaining = s.participants
	}
	return s
}

func (b *barrier) Arrive() any {
	for {
		s := b.state.Load()
		if s.participants == 0 {
			return invalid
		}
		if b.state.CompareAndSwap(s, s.next()) {
			return s.phase
		}
	}
}

// Await waits until the phase is over.
func (b *barrier) Await(phase int) {
	b.state.Await(func(s barrierState) bool { return s.phase > phase })
}

// AwaitWith waits until the phase is over, or the token is cancelled.
func (b *barrier) AwaitWith(phase int) any {
	if b.state.Await(func(s barrierState) bool { return s.phase > phase || s.canceled }).phase > phase {
		return nil
	}
	return canceled
}

// SignalAndWaitWith arrives and waits, until the token is cancelled.
func (b *barrier) SignalAndWaitWith() any {
	if b.state.Load().canceled {
		return canceled
	}
	phase, ok := b.Arrive().(int)
	if !ok {
		return invalid
	}
	if b.AwaitWith(phase) == nil {
		return nil
	}
	for {
		s := b.state.Load()
		if s.phase > phase {
			return nil
		}
		if b.state.CompareAndSwap(s, barrierState{s.phase, s.remaining + 1, s.participants, s.canceled}) {
			return canceled
		}
	}
}

// CancelToken cancels the token.
func (b *barrier) CancelToken() {
	for {
		s := b.state.Load()
		if b.state.CompareAndSwap(s, barrierState{s.phase, s.remaining, s.participants, true}) {
			return
		}
	}
}

func (b *barrier) SignalAndWait() any {
	phase, ok := b.Arrive().(int)
	if !ok {
		return invalid
	}
	b.Await(phase)
	return nil
}

// AddParticipant returns the phase in which the new participant is first awaited.
func (b *barrier) AddParticipant() int {
	for {
		s := b.state.Load()
		if b.state.CompareAndSwap(s, barrierState{s.phase, s.remaining + 1, s.participants + 1, s.canceled}) {
			return s.phase
		}
	}
}

func (b *barrier) RemoveParticipant() any {
	for {
		s := b.state.Load()
		if s.participants == 0 {
			return invalid
		}
		if b.state.CompareAndSwap(s, barrierState{s.phase, s.remaining, s.participants - 1, s.canceled}.next()) {
			return nil
		}
	}
}

func newBarrier(m *mem.Memory) explore.Instance {
	b := &barrier{mem.NewAtomic(m, "state", barrierState{0, 2, 2, false})}
	return func(f string, arg any) any {
		switch f {
		case "arrive":
			return b.Arrive()
		case "await":
			b.Await(arg.(int))
			return nil
		case "awaitWith":
			return b.AwaitWith(arg.(int))
		case "signalAndWait":
			return b.SignalAndWait()
		case "signalAndWaitWith":
			return b.SignalAndWaitWith()
		case "cancelToken":
			b.CancelToken()
			return nil
		case "participantsRemaining":
			return b.state.Load().remaining
		case "participantCount":
			return b.state.Load().participants
		case "currentPhaseNumber":
			return b.state.Load().phase
		case "addParticipant":
			return b.AddParticipant()
		case "removeParticipant":
			return b.RemoveParticipant()
		}
		panic(unknown(f))
	}
}

var (
	barrierCalls = []explore.Call{
		{F: "arrive"}, {F: "await", Arg: 0}, {F: "await", Arg: 1}, {F: "participantsRemaining"},
		{F: "removeParticipant"},
		{F: "currentPhaseNumber"}, {F: "participantCount"}, {F: "addParticipant"}, {F: "awaitWith", Arg: 0},
		{F: "cancelToken"},
	}
	signalAndWaitCalls = []explore.Call{
		{F: "signalAndWait"}, {F: "participantsRemaining"}, {F: "removeParticipant"},
		{F: "currentPhaseNumber"}, {F: "participantCount"}, {F: "addParticipant"}, {F: "signalAndWaitWith"},
		{F: "cancelToken"},
	}
)

// splitBarrier is the seeded bug: the phase and the number that have yet to arrive are two words.
type splitBarrier struct {
	phase, remaining *mem.Int64
	participants     int64
}

func (b *splitBarrier) Arrive() int64 {
	phase := b.phase.Load()
	if b.remaining.Add(-1) == 0 {
		b.remaining.Store(b.participants)
		b.phase.Add(1)
	}
	return phase
}

func newSplitBarrier(m *mem.Memory) explore.Instance {
	b := &splitBarrier{mem.NewInt64(m, "phase", 0), mem.NewInt64(m, "remaining", 2), 2}
	return func(f string, arg any) any {
		switch f {
		case "arrive":
			return b.Arrive()
		case "await":
			b.phase.Await(func(phase int64) bool { return phase > int64(arg.(int)) })
			return nil
		case "participantsRemaining":
			return b.remaining.Load()
		case "currentPhaseNumber":
			return b.phase.Load()
		}
		panic(unknown(f))
	}
}

var splitBarrierCalls = []explore.Call{{F: "arrive"}, {F: "await", Arg: 0}, {F: "await", Arg: 1},
	{F: "participantsRemaining"}, {F: "currentPhaseNumber"}}
