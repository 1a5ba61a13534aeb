package memory

import "time"

// every is how long lies between two looks at the memory: less notices sooner that the limit is
// near, and reads the runtime's figures more often.
const every = 5 * time.Millisecond

// nearShare is the share of the limit that is left when it counts as near: what the collector and
// one allocation between two looks may take. A larger share stops sooner than needed.
const nearShare = 8

// sureCollections is how often garbage is collected before the limit counts as near: what is
// allocated during a collection counts as live, and the least of them is believed. More stops less
// often without need, and collects for longer where the limit is near.
const sureCollections = 2
