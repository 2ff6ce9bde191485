import json, os, sys
from openapi_client import ApiClient, Configuration
from openapi_client.api.runs_api import RunsApi
from openapi_client.models.create_run import CreateRun
from openapi_client.models.run_event import RunEvent

api = RunsApi(ApiClient(Configuration(host=os.environ["API"], access_token=os.environ["KEY"])))
run = api.start_run(os.environ["ORG"], CreateRun.from_dict(json.loads(sys.argv[1])))
stream = api.listen_to_run_without_preload_content(run.run_id, os.environ["ORG"])
for line in stream:
    if line.startswith(b"data: "):
        event = RunEvent.from_dict(json.loads(line[6:])).actual_instance
        if event.type == "node_completed":
            print(event.node_id)
        if event.type == "run_completed":
            print(event.status)
