import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node with k-NN on a given port of the loopback; the runner's own main takes ports 9201 to 9299 alone. */
public final class LoopbackOpenSearch {
  public static void main(String[] arguments) throws Exception {
    String folder = arguments[0];
    String port = arguments[1];
    new OpenSearchRunner()
        .onBuild(
            (number, settings) ->
                settings
                    .put("discovery.type", "single-node")
                    .put("network.host", "127.0.0.1")
                    .put("http.port", port)
                    .put("transport.port", "0"))
        .build(
            OpenSearchRunner.newConfigs()
                .basePath(folder)
                .numOfNode(1)
                .pluginTypes("org.opensearch.knn.plugin.KNNPlugin"));
    Thread.currentThread().join();
  }
}
