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

(defn- anomaly-types
  "The names of anomalies in JSON of linsat, as Elle's keywords."
  [json]
  (when-let [[_ names] (re-find (re-pattern "\"anomaly_types\":\\[([^\\]]*)\\]") json)]
    (mapv keyword (str/split (str/replace names "\"" "") (re-pattern ",")))))

(defn checker
  "Options: :command, the path of linsat; :args, more arguments of linsat solve, such as
  [\"--spec\" \"cas-register\" \"--initial\" \"0\"]; :consistency, of transactions, the level of
  isolation that is asked, such as :serializable. Then the answer is JSON, and a result that is
  not valid has :anomaly-types, as Elle's has: [:G2-item]."
  ([] (checker {}))
  ([{:keys [command args consistency] :or {command "linsat"}}]
   (reify checker/Checker
     (check [_ test history opts]
       (let [page (str (store/path! test (:subdirectory opts) "linsat.html"))
             as (if consistency ["--consistency" (name consistency) "--format" "json"] ["--brief"])
             {:keys [exit out err]} (apply shell/sh command "solve" "--html" page
                                           (concat as args ["-" :in (events history)]))
             types (anomaly-types out)]
         (cond-> {:valid? (case (long exit) 0 true, 1 false, :unknown)
                  :answer (str/trim out)}
           types                  (assoc :anomaly-types types)
           (not= 2 exit)          (assoc :page page)
           (not (str/blank? err)) (assoc :notes (str/trim err))))))))
