package wasmspec

// shownBytes is how many bytes of a value or a state a message shows: more says more, and fills the
// screen.
const shownBytes = 40
