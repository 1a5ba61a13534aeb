package engine

import (
	"os"
	"strings"
	"sync"
)

// withoutVariable names the environment variable that lists techniques to leave out, by their names
// as in Answer.By, separated by commas. It is for measuring what a technique is worth: it changes
// how soon an answer comes, or whether one comes, but no verdict.
const withoutVariable = "LINSAT_WITHOUT"

var leftOut = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Split(os.Getenv(withoutVariable), ",") {
		if name != "" {
			names[name] = true
		}
	}
	return names
})

// LeftOut reports whether the technique of that name is to be left out.
func LeftOut(name string) bool {
	names := leftOut()
	return len(names) > 0 && names[name]
}
