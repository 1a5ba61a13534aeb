package process

import (
	"os/exec"
	"sync"
)

// running holds the programs at work, so that they can be killed when the process ends.
var running = struct {
	sync.Mutex
	programs map[*exec.Cmd]bool
}{programs: map[*exec.Cmd]bool{}}

// KillAll kills all programs at work, with their children where the system knows groups of
// processes. It is for a process that is about to end, whatever its Solvers are doing: the programs
// would live on.
func KillAll() {
	running.Lock()
	defer running.Unlock()
	for cmd := range running.programs {
		_ = kill(cmd)
	}
}

// start starts a program and enters it, in one step for KillAll. over, called before it is reaped,
// waits until it has ended, kills what it has left behind, and strikes it off. Where the system
// tells of an end before the process is reaped, its children are killed as soon as it ends: one of
// them may hold the output open, so that its end never comes.
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
