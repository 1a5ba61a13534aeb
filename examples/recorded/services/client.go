package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// request and reply are the lines between the recorder and a client's process.
type request struct {
	ID int       `json:"id"`
	Op operation `json:"op"`
}

type reply struct {
	ID      int    `json:"id"`
	Result  any    `json:"result,omitempty"`
	NotDone bool   `json:"not_done,omitempty"` // the operation had no effect
	Unknown bool   `json:"unknown,omitempty"`  // it may have had one
	Ready   bool   `json:"ready,omitempty"`    // the first line: the client is connected
	Error   string `json:"error,omitempty"`
}

// serve is a client's process: it carries out the requests on its input, each as soon as it is
// read.
func serve(name, address string, in io.Reader, out io.Writer) error {
	o, err := lookup(name)
	if err != nil {
		return err
	}
	t, err := o.connect(address)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	write := json.NewEncoder(out)
	answer := func(r reply) error {
		mu.Lock()
		defer mu.Unlock()
		return write.Encode(r)
	}
	if err := answer(reply{Ready: true}); err != nil {
		return err
	}
	read := json.NewDecoder(bufio.NewReader(in))
	var open sync.WaitGroup
	defer open.Wait()
	for {
		var r request
		if err := read.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		open.Go(func() { _ = answer(r.carryOut(t)) })
	}
}

func (r request) carryOut(t target) reply {
	result, err := t.do(context.Background(), r.Op)
	answer := reply{ID: r.ID, Result: result}
	if err != nil {
		answer = reply{ID: r.ID, NotDone: errors.Is(err, errNotDone), Unknown: !errors.Is(err, errNotDone),
			Error: err.Error()}
	}
	return answer
}

// process is a client's process as the recorder sees it.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	ended   chan struct{} // closed when the process has ended

	mu      sync.Mutex
	waiting map[int]chan reply
}

// startClient starts a client of an object and waits until it is connected.
func startClient(name, address string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{command: exec.Command(self, "-client", "-object", name, "-address", address),
		ended: make(chan struct{}), waiting: map[int]chan reply{}}
	p.command.Stderr = os.Stderr
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	read := json.NewDecoder(out)
	read.UseNumber()
	var first reply
	if err := read.Decode(&first); err != nil || !first.Ready {
		_ = p.command.Process.Kill()
		_ = p.command.Wait()
		return nil, fmt.Errorf("the client does not connect to %s", address)
	}
	go p.listen(read)
	return p, nil
}

// listen hands out replies until the process ends.
func (p *process) listen(read *json.Decoder) {
	for {
		var r reply
		if err := read.Decode(&r); err != nil {
			break
		}
		p.mu.Lock()
		to := p.waiting[r.ID]
		delete(p.waiting, r.ID)
		p.mu.Unlock()
		if to != nil {
			to <- r
		}
	}
	_ = p.command.Wait()
	close(p.ended)
}

// ask has the process carry out an operation. A process that is killed leaves its outcome unknown.
func (p *process) ask(id int, o operation) reply {
	to := make(chan reply, 1)
	p.mu.Lock()
	p.waiting[id] = to
	line, err := json.Marshal(request{id, o})
	if err == nil {
		_, err = p.in.Write(append(line, '\n'))
	}
	p.mu.Unlock()
	if err != nil {
		return reply{Unknown: true}
	}
	select {
	case r := <-to:
		return r
	case <-p.ended:
		select {
		case r := <-to: // it had answered before
			return r
		default:
			return reply{Unknown: true}
		}
	}
}

// busy reports whether the process runs and carries out an operation.
func (p *process) busy() bool {
	select {
	case <-p.ended:
		return false
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.waiting) > 0
}

func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}
