package engine

import (
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// withoutVariable names the environment variable that lists techniques to leave out, separated by
// commas, by their names as answers give them (Answer.By): "few", or with the engine "search/few".
// It is for measuring what a technique is worth: it changes how soon an answer comes, or whether
// one comes, but no verdict.
const withoutVariable = "LINSAT_WITHOUT"

var leftOut = sync.OnceValue(func() map[string]bool { return named(os.Getenv(withoutVariable)) })

// named returns the names in a list.
func named(list string) map[string]bool {
	names := map[string]bool{}
	for _, name := range strings.Split(list, ",") {
		if name = path.Base(strings.TrimSpace(name)); name != "." {
			names[name] = true
		}
	}
	return names
}

// LeftOut reports whether the technique of that name is to be left out.
func LeftOut(name string) bool {
	names := leftOut()
	return len(names) > 0 && names[name]
}

// CheckLeftOut returns an error if a name of the list of techniques to leave out is none of those
// given, which are the techniques that can be left out.
func CheckLeftOut(techniques []string) error { return checkNames(leftOut(), techniques) }

func checkNames(names map[string]bool, techniques []string) error {
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Contains(techniques, name) {
			slices.Sort(techniques)
			return fmt.Errorf("%s: no technique %q can be left out; those that can: %s", withoutVariable, name,
				strings.Join(slices.Compact(techniques), ", "))
		}
	}
	return nil
}
