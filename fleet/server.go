package fleet

import (
	"errors"
	"net/url"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServerOptions say how an embedded server of NATS runs.
type ServerOptions struct {
	Name, Host string
	Port       int    // -1 for any
	Dir        string // where JetStream keeps its data
	Cluster    string // the name of its cluster, "" for a server alone
	RoutePort  int
	Routes     []string // of the other servers: nats://host:port
}

// Serve starts a server of NATS with JetStream in this process.
func Serve(o ServerOptions) (*server.Server, error) {
	options := &server.Options{ServerName: o.Name, Host: o.Host, Port: o.Port, JetStream: true, StoreDir: o.Dir, NoSigs: true, NoLog: true}
	if o.Cluster != "" {
		options.Cluster = server.ClusterOpts{Name: o.Cluster, Host: o.Host, Port: o.RoutePort}
		for _, r := range o.Routes {
			u, err := url.Parse(r)
			if err != nil {
				return nil, err
			}
			options.Routes = append(options.Routes, u)
		}
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(startWait) {
		s.Shutdown()
		return nil, errors.New("the server does not start")
	}
	for end := time.Now().Add(startWait); o.Cluster != "" && !s.JetStreamIsCurrent(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			break // the other servers are not there yet
		}
	}
	return s, nil
}
