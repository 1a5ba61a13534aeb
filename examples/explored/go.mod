module github.com/linsat/linsat/examples/explored

go 1.26

require (
	github.com/alitto/pond/v2 v2.7.1
	github.com/alphadose/haxmap v1.4.0
	github.com/bluele/gcache v0.0.2
	github.com/bytedance/gopkg v0.1.4
	github.com/gammazero/workerpool v1.3.0
	github.com/hashicorp/golang-lru/v2 v2.0.7
	github.com/jellydator/ttlcache/v3 v3.4.1
	github.com/linsat/linsat v0.0.0
	github.com/orcaman/concurrent-map/v2 v2.0.1
	github.com/patrickmn/go-cache v2.1.0+incompatible
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/smallnest/ringbuffer v0.2.1
	github.com/sony/gobreaker/v2 v2.4.0
)

require (
	github.com/gammazero/deque v1.2.2 // indirect
	github.com/go-air/gini v1.0.4 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	golang.org/x/exp v0.0.0-20221031165847-c99f073a8326 // indirect
	golang.org/x/sync v0.16.0 // indirect
	olympos.io/encoding/edn v0.0.0-20201019073823-d3554ca0b0a3 // indirect
)

replace github.com/linsat/linsat => ../..
