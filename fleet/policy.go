package fleet

import "time"

// What is tuned, and what each number trades.

// fetchWait is how long a slot waits for a history before it looks whether it should end: longer
// asks less, shorter ends sooner.
const fetchWait = time.Second

// signsOfLife is how many times in AckWait a worker says that it lives: more survives more lost
// messages, less sends fewer.
const signsOfLife = 3

// retryAfter is when a history is tried again whose process gave no answer: later gives a machine
// time to recover, sooner ends sooner.
const retryAfter = 200 * time.Millisecond

// mostSaid is how many bytes of what a process said are kept as the cause: more says more.
const mostSaid = 500

// startWait is how long an embedded server may take to start, streams of a cluster to be made.
const startWait = 30 * time.Second
