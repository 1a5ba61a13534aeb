package history

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestJepsenLogs reads one history from all kinds of text logs that Jepsen has written, with
// what stands around the events in them.
func TestJepsenLogs(t *testing.T) {
	events := []string{"0\t:invoke\t:write\t1", ":nemesis\t:info\t:start\tnil", "1\t:invoke\t:read\tnil",
		"0\t:info\t:write\t1\t:timed-out", "1\t:ok\t:read\t1"}
	want := []string{"0 write 1 pending [0]", "1 read → 1 [1 2]"}
	analysis := `INFO  knossos.core - [5 / 9] 12 extant worlds, 3 visited/s
World with fixed history:
0	:invoke	:write	1
1	:invoke	:read	1
1	:ok	:read	1
led to state:
{:value 1}
  0	:invoke	:write	1
`
	testMap := `2025-05-24 21:18:04,935{GMT}	INFO	[jepsen test runner] jepsen.core: Command line:
lein run test --nodes-file hosts -r 200
2025-05-24 21:18:04,990{GMT}	INFO	[jepsen test runner] jepsen.core: Running test:
{:remote
 #jepsen.control.retry.Remote{:remote #jepsen.control.scp.Remote{:cmd-remote nil},
                              :conn nil}
 :name "r"
 :argv ("test" "-r" "200")
 :generator
 #object[jepsen.util.Forgettable "0x22fc807e" (jepsen.generator.TimeLimit {:limit 25, :gen {:f #{:nemesis}}})]}
`
	for _, row := range []struct{ name, before, prefix, after string }{
		{"history.txt", "", "", ""},
		{"console of 2014", "INFO  jepsen.os.debian - :n1 debian set up\n", "INFO  jepsen.util - ",
			"INFO  jepsen.core - Analyzing\n" + analysis},
		{"console of 2018", "INFO [2018-03-21 16:38:01,001] main - jepsen.core Running\n",
			"INFO [2018-03-21 16:38:16,112] jepsen worker 1 - jepsen.util ", analysis},
		{"jepsen.log", testMap, "2025-05-24 21:18:22,194{GMT}\tINFO\t[jepsen worker 1] jepsen.util: ",
			"2025-05-24 21:19:00,000{GMT}\tINFO\t[jepsen test runner] jepsen.core: Analyzing...\n" +
				"{:valid? true,\n :configs ({:last-op {:process 1, :type :ok}})}\n"},
		{"jepsen.log with a long test", testMap + " :nodes [" + strings.Repeat("\"n1\"\n", 20000) + "]\n",
			"2025-05-24 21:18:22,194{GMT}\tINFO\t[jepsen worker 1] jepsen.util: ", ""},
		{"a prefix of one's own", "", "12:00:01 client ", analysis},
	} {
		t.Run(row.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(row.before)
			for _, e := range events {
				b.WriteString(row.prefix + e + "\n")
			}
			b.WriteString(row.after)
			h, err := Read(strings.NewReader(b.String()), ReadOptions{})
			require.NoError(t, err)
			assert.Equal(t, "jepsen", h.Format)
			assert.Equal(t, want, List(h))
			assert.Len(t, h.Notes, 1)
		})
	}
}

// TestJepsenLogsJoined refuses an event of the real log after lines that only look like events.
func TestJepsenLogsJoined(t *testing.T) {
	const bare, other, util = "0\t:invoke\t:read\tnil\n", "12:01 1\t:invoke\t:read\tnil\n",
		"INFO  jepsen.util - 2\t:invoke\t:read\tnil\n"
	for _, row := range []struct{ first, second, what string }{
		{bare, other,
			"an event from a line with something else before the process, after one from a line without logger in " +
				"line 1"},
		{bare, util, "an event from jepsen.util, after one from a line without logger in line 1"},
		{other, util,
			"an event from jepsen.util, after one from a line with something else before the process in line 1"},
	} {
		_, err := Read(strings.NewReader(row.first+"\n"+row.second), ReadOptions{Name: "f"})
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, fmt.Sprintf("f:3: %s", row.what), e.Error())
		assert.NotEmpty(t, e.Hint)

		h, err := Read(strings.NewReader(row.second+row.first), ReadOptions{})
		require.NoError(t, err)
		assert.Len(t, h.Ops, 1)
	}
}
