package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// server is a program that runs until it is killed.
type server struct {
	home    string
	program string
	args    []string
	up      func() error // reports an error until the server answers
	process *exec.Cmd
}

// startServer starts a program whose output goes to home/log, and waits until it is up.
func startServer(home string, up func() error, program string, args ...string) (*server, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	s := &server{home: home, program: program, args: args, up: up}
	if err := s.start(); err != nil {
		return nil, err
	}
	if err := eventually(20*time.Second, up); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s does not answer: %w", program, err)
	}
	return s, nil
}

func (s *server) start() error {
	log, err := os.OpenFile(filepath.Join(s.home, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.process = exec.Command(s.program, s.args...)
	s.process.Stdout, s.process.Stderr = log, log
	return s.process.Start()
}

// killAndRestart kills the server with SIGKILL and starts it again with the same data.
func (s *server) killAndRestart() error {
	s.stop()
	return s.start()
}

func (s *server) stop() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

func stopAll(list []*server) {
	for _, s := range list {
		s.stop()
	}
}

// eventually tries until it works, or the time is over.
func eventually(limit time.Duration, works func() error) error {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := works()
		if err == nil || time.Since(began) > limit {
			return err
		}
	}
}

// freePorts returns ports of loopback that nothing listens on.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", local(0))
		if err != nil {
			return nil, err
		}
		defer func() { _ = l.Close() }() // only then, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

func local(port int) string { return fmt.Sprint("127.0.0.1:", port) }
