package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// deployRedis starts redis-server with arguments, and perhaps a replica of it. The address of
// clients is that of the server, then that of the replica.
func deployRedis(dir string, replica bool, args []string) (deployment, error) {
	ports, err := freePorts(2)
	if err != nil {
		return deployment{}, err
	}
	start := func(port int, more ...string) (*server, error) {
		home := filepath.Join(dir, fmt.Sprint(port))
		all := append([]string{"--port", fmt.Sprint(port), "--bind", "127.0.0.1", "--dir", home, "--daemonize", "no"},
			more...)
		return startServer(home, func() error { return pingRedis(port) }, "redis-server", all...)
	}
	primary, err := start(ports[0], args...)
	if err != nil {
		return deployment{}, err
	}
	address := local(ports[0])
	running := []*server{primary}
	if replica {
		second, err := start(ports[1], "--replicaof", "127.0.0.1", fmt.Sprint(ports[0]))
		if err != nil {
			primary.stop()
			return deployment{}, err
		}
		running = append(running, second)
		address += "," + local(ports[1])
		if err := eventually(10*time.Second, func() error { return linkUp(ports[1]) }); err != nil {
			stopAll(running)
			return deployment{}, err
		}
	}
	return deployment{
		address: func(int) string { return address },
		kill:    func(int) error { return primary.killAndRestart() },
		stop:    func() { stopAll(running) },
	}, nil
}

func pingRedis(port int) error {
	c := redis.NewClient(&redis.Options{Addr: local(port), MaxRetries: -1})
	defer func() { _ = c.Close() }()
	return c.Ping(context.Background()).Err()
}

// linkUp reports an error until the replica follows its primary.
func linkUp(port int) error {
	c := redis.NewClient(&redis.Options{Addr: local(port), MaxRetries: -1})
	defer func() { _ = c.Close() }()
	info, err := c.Info(context.Background(), "replication").Result()
	if err == nil && !strings.Contains(info, "master_link_status:up") {
		err = errors.New("the replica does not follow")
	}
	return err
}

// redisClient writes to the first server; it reads from the servers in turn.
type redisClient struct {
	servers []*redis.Client
	reads   int
}

func connectRedis(address string) (target, error) {
	c := &redisClient{}
	for a := range strings.SplitSeq(address, ",") {
		// No retries: a request that is sent twice is another operation.
		c.servers = append(c.servers, redis.NewClient(&redis.Options{Addr: a, MaxRetries: -1, PoolSize: 1,
			ReadTimeout: time.Second}))
	}
	return c, nil
}

// compareAndSet is atomic, as Redis runs one script at a time.
var compareAndSet = redis.NewScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2])
  return 1
end
return 0`)

func (c *redisClient) do(ctx context.Context, o operation) (any, error) {
	result, err := c.ask(ctx, o)
	var answer redis.Error
	var dial *net.OpError
	switch {
	case errors.Is(err, redis.Nil): // no value
		return nil, nil
	case errors.As(err, &answer), errors.As(err, &dial) && dial.Op == "dial":
		// refused by the server, or not sent
		return nil, fmt.Errorf("%w: %w", errNotDone, err)
	}
	return result, err
}

func (c *redisClient) ask(ctx context.Context, o operation) (any, error) {
	primary := c.servers[0]
	switch o.F {
	case "get":
		c.reads++
		return c.servers[c.reads%len(c.servers)].Get(ctx, o.Key).Int64()
	case "put":
		return nil, primary.Set(ctx, o.Key, o.New, 0).Err()
	case "swap":
		old, err := primary.SetArgs(ctx, o.Key, o.New, redis.SetArgs{Get: true}).Result()
		if err != nil {
			return nil, err
		}
		return strconv.ParseInt(old, 10, 64)
	case "cas":
		n, err := compareAndSet.Eval(ctx, primary, []string{o.Key}, o.Old, o.New).Int64()
		return n == 1, err
	case "delete":
		n, err := primary.Del(ctx, o.Key).Result()
		return n == 1, err
	}
	return nil, fmt.Errorf("%w: redis has no %s", errNotDone, o.F)
}
