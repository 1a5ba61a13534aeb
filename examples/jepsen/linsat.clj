(ns linsat
  "A checker for Jepsen that asks the command linsat whether a history is linearizable, and leaves its
  page in the store. Copy this file to src/linsat.clj of a test. (linsat/checker) stands where
  (checker/linearizable ...) stands, also within jepsen.independent/checker."
  (:require [clojure.java.shell :as shell]
            [clojure.string :as str]
            [jepsen.checker :as checker]
            [jepsen.store :as store]))

(defn- events
  "The history as EDN, one event a line."
  [history]
  (binding [*print-length* nil
            *print-level* nil
            *print-namespace-maps* false]
    (str/join "\n" (map (fn [op] (pr-str (into {} op))) history))))

(defn checker
  "Options: :command, the path of linsat; :args, more arguments of linsat solve, such as
  [\"--spec\" \"cas-register\" \"--initial\" \"0\"]."
  ([] (checker {}))
  ([{:keys [command args] :or {command "linsat"}}]
   (reify checker/Checker
     (check [_ test history opts]
       (let [page (str (store/path! test (:subdirectory opts) "linsat.html"))
             {:keys [exit out err]} (apply shell/sh command "solve" "--brief" "--html" page
                                           (concat args ["-" :in (events history)]))]
         (cond-> {:valid? (case (long exit) 0 true, 1 false, :unknown)
                  :answer (str/trim out)}
           (not= 2 exit)          (assoc :page page)
           (not (str/blank? err)) (assoc :notes (str/trim err))))))))
