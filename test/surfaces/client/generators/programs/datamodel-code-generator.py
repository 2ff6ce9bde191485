import json
import sys

import made

for index, example in enumerate(json.load(sys.stdin)):
    try:
        value = getattr(made, example["union"]).model_validate(example["value"]).root
        written = value.model_dump(mode="json", by_alias=True, exclude_unset=True)
        result = {"index": index, "read": type(value).__name__, "value": written}
    except Exception as error:
        result = {"index": index, "error": str(error)}
    print(json.dumps(result))
