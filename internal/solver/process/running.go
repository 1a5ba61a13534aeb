package process

import (
	"os/exec"
	"sync"
)

// running holds the running programs, so that they can be killed when linsat ends.
var running = struct {
	sync.Mutex
	programs map[*exec.Cmd]bool
}{programs: map[*exec.Cmd]bool{}}

// KillAll kills all running programs, with their children where the system has process groups. A
// process that is about to end calls it, whatever its Solvers are doing, because the programs would
// live on.
func KillAll() {
	running.Lock()
	defer running.Unlock()
	for cmd := range running.programs {
		_ = kill(cmd)
	}
}

// start starts a program and registers it, atomically with respect to KillAll. over, called before
// the program is reaped, waits until it has ended, kills its remaining children, and unregisters
// it. Where the end of a process can be awaited without reaping it, its children are killed as soon
// as it ends: one of them may hold the output open, which would then never end.
func start(cmd *exec.Cmd) (over func(), err error) {
	running.Lock()
	err = cmd.Start()
	if err == nil {
		running.programs[cmd] = true
	}
	running.Unlock()
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if awaitEnd(cmd) {
			_ = kill(cmd)
		}
	}()
	return func() {
		<-ended
		running.Lock()
		delete(running.programs, cmd)
		running.Unlock()
	}, nil
}
