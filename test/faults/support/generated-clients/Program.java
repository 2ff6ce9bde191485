import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.RunsApi;
import org.openapitools.client.model.CreateRun;
import org.openapitools.client.model.RunEvent;
import org.openapitools.client.model.NodeCompletedFrame;
import org.openapitools.client.model.RunCompletedFrame;

public class Program {
  public static void main(String[] arguments) throws Exception {
    Map<String, String> env = System.getenv();
    ApiClient client = new ApiClient().setBasePath(env.get("API"));
    client.setBearerToken(env.get("KEY"));
    RunsApi runs = new RunsApi(client);
    org.openapitools.client.model.RunStartedOrEnded run = runs.startRun(env.get("ORG"), CreateRun.fromJson(arguments[0]), null, null);
    String stream = runs.listenToRun(run.getRunId(), env.get("ORG"), null, null);
    for (String line : stream.split("\n")) {
      if (!line.startsWith("data: ")) continue;
      Object event = RunEvent.fromJson(line.substring(6)).getActualInstance();
      if (event instanceof NodeCompletedFrame) System.out.println(((NodeCompletedFrame) event).getNodeId());
      if (event instanceof RunCompletedFrame) System.out.println(((RunCompletedFrame) event).getStatus());
    }
    System.exit(0);
  }
}
