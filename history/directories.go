package history

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Directories whose files are one history: reports of etcd's robustness tests, and Cobra's logs.

// etcdReport lists the files with operations of a report, by client; none if a directory is no
// report.
func etcdReport(dir string) (files []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var clients []int
	for _, e := range entries {
		number, is := strings.CutPrefix(e.Name(), "client-")
		n, err := strconv.Atoi(number)
		if is && err == nil && e.IsDir() {
			if info, err := os.Stat(reportFile(dir, n)); err == nil && info.Mode().IsRegular() {
				clients = append(clients, n)
			}
		}
	}
	slices.Sort(clients)
	for _, n := range clients {
		files = append(files, reportFile(dir, n))
	}
	return files
}

func reportFile(dir string, client int) string {
	return filepath.Join(dir, "client-"+strconv.Itoa(client), "operations.json")
}

// Parts lists the files that together are the history which a path names: the path itself, unless
// it is a report of etcd's robustness tests, or a directory of Cobra's logs.
func Parts(path string) []string {
	if files := cobraLogs(path); len(files) > 0 {
		return files
	}
	if files := etcdReport(path); len(files) > 0 {
		return append(files, etcdWatches(files[0])...)
	}
	return []string{path}
}

// etcdWatches lists the files with watches of the report that a file with operations belongs to.
func etcdWatches(file string) []string {
	if name := filepath.Base(filepath.Dir(file)); filepath.Base(file) != "operations.json" ||
		!strings.HasPrefix(name, "client-") {
		return nil
	}
	// the pattern is right, and that is the only error
	files, _ := filepath.Glob(filepath.Join(escapePattern(filepath.Dir(filepath.Dir(file))), "client-*", "watch.json"))
	return files
}

// escapePattern is a pattern that matches one path.
func escapePattern(path string) string {
	if filepath.Separator == '\\' { // where patterns have no escapes
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// cobraBegins reports whether an input begins like a log of Cobra.
func cobraBegins(head []byte) bool {
	return len(head) > 9 && head[0] == 'S' && head[1] == 0 && (head[9] == 'W' || head[9] == 'R' || head[9] == 'C')
}

var cobraLog = regexp.MustCompile(`^T[0-9]+\.log$`)

// cobraLogs lists the logs in a directory, none if it is not one of Cobra's.
func cobraLogs(dir string) (files []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); !cobraLog.MatchString(e.Name()) || err != nil || !info.Mode().IsRegular() ||
			info.Size() == 0 {
			continue
		}
		if len(files) == 0 && !cobraFile(path) {
			return nil
		}
		files = append(files, path)
	}
	return files
}

func cobraFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 10)
	n, _ := f.Read(head)
	return cobraBegins(head[:n])
}
