import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

public class Recorder {
    public static class NoEffect extends Exception {} // thrown by an operation that certainly had none

    private final ThreadLocal<FileOutputStream> file;
    private final ThreadLocal<String> name = ThreadLocal.withInitial(() -> ProcessHandle.current().pid() + "-" + Thread.currentThread().getId());

    public Recorder(String folder) {
        new File(folder).mkdirs();
        file = ThreadLocal.withInitial(() -> {
            try { return new FileOutputStream(folder + "/" + name.get() + ".jsonl"); } catch (IOException e) { throw new UncheckedIOException(e); }
        });
    }
    private void write(String type, String f, String key, String value, long at) throws IOException {
        String line = String.format("{\"process\": \"%s\", \"type\": \"%s\", \"f\": \"%s\", \"key\": %s, \"value\": %s, \"time\": %d}\n", name.get(), type, f, key, value, at);
        file.get().write(line.getBytes(StandardCharsets.UTF_8));
    }
    public String call(String f, String key, String value, Callable<String> run) throws Exception {
        write("invoke", f, key, value, System.nanoTime());
        String result;
        try { result = run.call(); } catch (Throwable e) { write(e instanceof NoEffect ? "fail" : "info", f, key, value, System.nanoTime()); throw e; }
        write("ok", f, key, result, System.nanoTime());
        return result;
    }
}
