//go:build !unix

package main

import "time"

// processor is the time that the processors have spent on this process, which is not known.
func processor() time.Duration { return 0 }
