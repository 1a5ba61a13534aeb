package check

import "time"

// longestPart is how long a linearization of transactions is looked for, and how long it is waited
// for an answer before, without a limit on time. More decides more histories whose values repeat,
// and keeps others waiting.
const longestPart = 10 * time.Second
