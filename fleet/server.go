package fleet

import (
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
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
	Token      string   // which clients and other servers need, "" for none
	TLS        *tls.Config
	Open       bool // needs no token, although other machines can reach it
}

// TokenVariable is the variable of the environment that holds the token of a server.
const TokenVariable = "LINSAT_FLEET_TOKEN"

// tokenBytes is how many random bytes a token has: none can be guessed.
const tokenBytes = 32

// routeUser is the name that the servers of a cluster have among each other.
const routeUser = "server"

// ReadToken reads a token from a file.
func ReadToken(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", fmt.Errorf("%s holds no token", file)
	}
	return token, nil
}

// OwnToken returns the token that is kept in a server's directory, and its file. It makes one where
// there is none.
func OwnToken(dir string) (token, file string, err error) {
	file = filepath.Join(dir, "token")
	if _, err := os.Stat(file); err == nil {
		token, err = ReadToken(file)
		return token, file, err
	}
	random := make([]byte, tokenBytes)
	if _, err := rand.Read(random); err != nil {
		return "", "", err
	}
	token = hex.EncodeToString(random)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	return token, file, os.WriteFile(file, []byte(token+"\n"), 0o600)
}

// Loopback reports whether only this machine reaches an address.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Serve starts a server of NATS with JetStream in this process. One that other machines reach needs
// a token, unless it is open.
func Serve(o ServerOptions) (*server.Server, error) {
	if !Loopback(o.Host) && o.Token == "" && !o.Open {
		return nil, fmt.Errorf("a server at %q can be reached by other machines and needs a token", o.Host)
	}
	options := &server.Options{ServerName: o.Name, Host: o.Host, Port: o.Port, JetStream: true, StoreDir: o.Dir,
		NoSigs: true, NoLog: true}
	options.Authorization = o.Token
	if o.TLS != nil {
		options.TLS, options.TLSConfig = true, o.TLS
	}
	if o.Cluster != "" {
		options.Cluster = server.ClusterOpts{Name: o.Cluster, Host: o.Host, Port: o.RoutePort}
		if o.Token != "" {
			options.Cluster.Username, options.Cluster.Password = routeUser, o.Token
		}
		for _, r := range o.Routes {
			u, err := url.Parse(r)
			if err != nil {
				return nil, err
			}
			if o.Token != "" {
				u.User = url.UserPassword(routeUser, o.Token)
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
	for end := time.Now().Add(startWait); o.Cluster != "" &&
		!s.JetStreamIsCurrent(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			break // the other servers are not there yet
		}
	}
	return s, nil
}
