//go:build wasip1 || js

package main

import "os"

// These systems have no terminals to ask.

func isTerminal(*os.File) bool { return false }

func widthOf(*os.File) int { return 0 }
