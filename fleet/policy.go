package fleet

import "time"

// What is tuned, and what each number trades.

// fetchWait is how long a slot waits for a history before it looks whether it should end: longer
// asks less, shorter ends sooner.
const fetchWait = time.Second

// mostEmpty is after how many fetches without a history a slot asks whether there are some, and
// then looks for the queue again: fewer recovers sooner, more asks less.
const mostEmpty = 5

// signsOfLife is how many times in AckWait a worker says that it lives: more survives more lost
// messages, less sends fewer.
const signsOfLife = 3

// retryAfter is when a history is tried again whose process gave no answer, and a server that gave
// none: later gives a machine time to recover, sooner ends sooner.
const retryAfter = 200 * time.Millisecond

// requestWait is how long the answer to a request may take until it is asked again, contentWait the
// same where a history travels: longer bears slower servers, shorter notices a lost one sooner.
const (
	requestWait = 5 * time.Second
	contentWait = time.Minute
)

// quietWait is how long no answer comes until they are looked for one by one: longer asks less,
// shorter finds sooner what a consumer lost.
const quietWait = 5 * time.Second

// mostSaid is how many bytes of what a process said are kept as the cause: more says more.
const mostSaid = 500

// mostInMessage is how many bytes of an answer go into a message; a server takes 1 MiB. Larger
// answers go in pieces: more saves a round to the server, and makes messages that others wait for.
const mostInMessage = int64(256 << 10)

// startWait is how long an embedded server may take to start, streams of a cluster to be made.
const startWait = 30 * time.Second
