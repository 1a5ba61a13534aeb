//go:build wasip1 || js

package cli

import "os"

// These systems have no terminals to ask.

func IsTerminal(*os.File) bool { return false }

func widthOf(*os.File) int { return 0 }
