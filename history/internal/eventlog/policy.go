package eventlog

// What is tuned, and what each number trades. None of them can change what is read, but for
// the memory limit.

// asideBytes is how much memory is counted for an event that is put aside: more refuses inputs
// sooner under a memory limit, less may pass it.
const asideBytes = 128
