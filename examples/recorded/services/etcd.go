package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// members of the recorded cluster.
const members = 3

// deployEtcd starts a cluster of three members. Each client talks to one of them.
func deployEtcd(dir string, _ int) (deployment, error) {
	ports, err := freePorts(2 * members)
	if err != nil {
		return deployment{}, err
	}
	var cluster []string
	for m := range members {
		cluster = append(cluster, fmt.Sprintf("m%d=http://%s", m, local(ports[members+m])))
	}
	var running []*server
	for m := range members {
		home := filepath.Join(dir, fmt.Sprint("m", m))
		client, peer := "http://"+local(ports[m]), "http://"+local(ports[members+m])
		// The others have to start first, so that nothing is asked of the first ones.
		up := func() error { return nil }
		if m == members-1 {
			up = func() error { return statusOf(ports[:members]) }
		}
		s, err := startServer(home, up, "etcd", "--name", fmt.Sprint("m", m), "--data-dir", home,
			"--listen-client-urls", client, "--advertise-client-urls", client, "--listen-peer-urls", peer,
			"--initial-advertise-peer-urls", peer,
			"--initial-cluster", strings.Join(cluster, ","), "--heartbeat-interval", "20", "--election-timeout", "200",
			"--log-level", "error")
		if err != nil {
			stopAll(running)
			return deployment{}, err
		}
		running = append(running, s)
	}
	return deployment{
		address: func(client int) string { return local(ports[client%members]) },
		kill:    func(draw int) error { return running[draw%members].killAndRestart() },
		stop:    func() { stopAll(running) },
	}, nil
}

// statusOf reports an error until every member answers and knows a leader.
func statusOf(ports []int) error {
	for _, port := range ports {
		c, err := dialEtcd(local(port))
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		_, err = c.Get(ctx, "nothing")
		cancel()
		_ = c.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func dialEtcd(address string) (*clientv3.Client, error) {
	return clientv3.New(clientv3.Config{Endpoints: []string{address}, DialTimeout: time.Second, Logger: zap.NewNop()})
}

// etcdClient asks one member. With serializable reads the member answers from what it has itself;
// the results are then those of a map, without revisions.
type etcdClient struct {
	c            *clientv3.Client
	serializable bool
}

func connectEtcd(address string, serializable bool) (target, error) {
	c, err := dialEtcd(address)
	return &etcdClient{c, serializable}, err
}

func (c *etcdClient) do(ctx context.Context, o operation) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	written := strconv.FormatInt(o.New, 10)
	switch o.F {
	case "get":
		var options []clientv3.OpOption
		if c.serializable {
			options = append(options, clientv3.WithSerializable())
		}
		r, err := c.c.Get(ctx, o.Key, options...)
		if err != nil {
			return nil, err
		}
		if !c.serializable {
			kvs := []any{}
			for _, kv := range r.Kvs {
				kvs = append(kvs, map[string]any{"key": string(kv.Key), "value": string(kv.Value),
					"mod": kv.ModRevision})
			}
			return map[string]any{"revision": r.Header.Revision, "kvs": kvs}, nil
		}
		if len(r.Kvs) == 0 {
			return nil, nil
		}
		return strconv.ParseInt(string(r.Kvs[0].Value), 10, 64)
	case "put":
		r, err := c.c.Put(ctx, o.Key, written)
		if err != nil || c.serializable {
			return nil, err
		}
		return map[string]any{"revision": r.Header.Revision}, nil
	case "cas":
		r, err := c.c.Txn(ctx).If(clientv3.Compare(clientv3.Value(o.Key), "=",
			strconv.FormatInt(o.Old, 10))).Then(clientv3.OpPut(o.Key, written)).Commit()
		if err != nil {
			return nil, err
		}
		if c.serializable {
			return r.Succeeded, nil
		}
		return map[string]any{"revision": r.Header.Revision, "succeeded": r.Succeeded}, nil
	case "delete":
		r, err := c.c.Delete(ctx, o.Key)
		if err != nil {
			return nil, err
		}
		if c.serializable {
			return r.Deleted == 1, nil
		}
		return map[string]any{"revision": r.Header.Revision, "deleted": r.Deleted}, nil
	}
	return nil, fmt.Errorf("%w: etcd has no %s", errNotDone, o.F)
}
