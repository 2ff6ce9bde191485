"""What is refused wherever it stands in a body, also inside free-form objects, and has no words in JSON Schema."""

import schemathesis


def is_allowed(value: object) -> bool:
    if isinstance(value, dict):
        return all(key != "__proto__" and is_allowed(item) for key, item in value.items())
    return not isinstance(value, list) or all(is_allowed(item) for item in value)


@schemathesis.hook
def filter_case(context, case):
    return is_allowed(case.body)
