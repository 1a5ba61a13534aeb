package sat

// windowBytes is what memory is counted for an operation's windows (package window): more gives up
// sooner under a memory limit, less may pass it.
const windowBytes = 160
