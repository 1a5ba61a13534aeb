package main

import (
	"context"
	"fmt"
	"sync"
)

// syncMap is the map of package sync.
type syncMap struct{ m sync.Map }

func (s *syncMap) do(_ context.Context, o operation) (any, error) {
	switch o.F {
	case "get":
		v, _ := s.m.Load(o.Key)
		return v, nil
	case "put":
		s.m.Store(o.Key, o.New)
		return nil, nil
	case "cas":
		return s.m.CompareAndSwap(o.Key, o.Old, o.New), nil
	case "swap":
		v, _ := s.m.Swap(o.Key, o.New)
		return v, nil
	case "getanddelete":
		v, _ := s.m.LoadAndDelete(o.Key)
		return v, nil
	case "delete": // whether there was a value
		_, found := s.m.LoadAndDelete(o.Key)
		return found, nil
	}
	return nil, fmt.Errorf("%w: a sync.Map has no %s", errNotDone, o.F)
}

// channel is a buffered channel that is used without waiting.
type channel chan int64

func (c channel) do(_ context.Context, o operation) (any, error) {
	switch o.F {
	case "offer":
		select {
		case c <- o.New:
			return true, nil
		default:
			return false, nil
		}
	case "deq":
		select {
		case v := <-c:
			return v, nil
		default:
			return nil, nil
		}
	}
	return nil, fmt.Errorf("%w: a channel has no %s", errNotDone, o.F)
}
