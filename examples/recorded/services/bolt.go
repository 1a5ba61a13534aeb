package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"
)

// deployBolt names the file of the database; the client process opens it.
func deployBolt(dir string, _ int) (deployment, error) {
	file := filepath.Join(dir, "db")
	return deployment{address: func(int) string { return file }, stop: func() {}}, nil
}

// boltDB is a bucket of a bbolt database, one transaction an operation.
type boltDB struct{ db *bolt.DB }

var bucket = []byte("b")

func connectBolt(file string) (target, error) {
	db, err := bolt.Open(file, 0o600, &bolt.Options{Timeout: 5 * time.Second})
	if err != nil {
		return nil, err
	}
	return boltDB{db}, db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
}

func (b boltDB) do(_ context.Context, o operation) (result any, err error) {
	key, written := []byte(o.Key), []byte(strconv.FormatInt(o.New, 10))
	switch o.F {
	case "get":
		err = b.db.View(func(tx *bolt.Tx) error {
			v := tx.Bucket(bucket).Get(key)
			if v == nil {
				return nil
			}
			result, err = strconv.ParseInt(string(v), 10, 64)
			return err
		})
	case "put":
		err = b.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucket).Put(key, written) })
	case "cas":
		err = b.db.Update(func(tx *bolt.Tx) error {
			in := tx.Bucket(bucket)
			same := string(in.Get(key)) == strconv.FormatInt(o.Old, 10)
			result = same
			if !same {
				return nil
			}
			return in.Put(key, written)
		})
	case "delete":
		err = b.db.Update(func(tx *bolt.Tx) error {
			in := tx.Bucket(bucket)
			result = in.Get(key) != nil
			return in.Delete(key)
		})
	default:
		err = fmt.Errorf("%w: bbolt has no %s", errNotDone, o.F)
	}
	return result, err
}
