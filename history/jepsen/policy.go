package jepsen

// What is tuned, and what each number trades. None of them can change what is read, but for
// the memory limit.

// What memory is counted: ednTreeBytes is what the library's tree of a value takes for each byte of
// its text, at worst nearly; ednListBytes what a list of integers takes without it. More refuses
// inputs sooner under a memory limit, less may pass it.
const (
	ednTreeBytes = 32
	ednListBytes = 8
)

// enoughText is how much text of a Jepsen file is decoded at once: more takes more memory, less
// goes back and forth more often.
const enoughText = 1 << 16
