import json, os, threading, time

class NoEffect(Exception):
    """Raised by an operation that certainly had no effect."""

class Recorder:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.folder, self.own = folder, threading.local()

    def write(self, kind, f, value, at):
        own = self.own
        if getattr(own, "pid", None) != os.getpid():  # the first operation of a thread
            own.pid, own.name = os.getpid(), f"{os.getpid()}-{threading.get_native_id()}"
            own.file = os.open(f"{self.folder}/{own.name}.jsonl", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o644)
        line = {"process": own.name, "type": kind, "value": value, "time": at, **f}
        os.write(own.file, (json.dumps(line) + "\n").encode())

    def call(self, f, do, value=None, **key):
        f = {"f": f, **key}
        self.write("invoke", f, value, time.monotonic_ns())
        try:
            result = do()
        except BaseException as e:
            self.write("fail" if isinstance(e, NoEffect) else "info", f, value, time.monotonic_ns())
            raise
        self.write("ok", f, result, time.monotonic_ns())
        return result
