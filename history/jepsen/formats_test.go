package jepsen_test

import _ "github.com/linsat/linsat/history/formats" // tests compare formats
