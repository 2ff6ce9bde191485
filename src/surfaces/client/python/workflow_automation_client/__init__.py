"""Client of the Workflow Automation Service: `WorkflowClient`, and `AsyncWorkflowClient` for asyncio."""

from . import models
from ._async.client import AsyncWorkflowClient
from ._async.pages import AsyncPages
from ._async.runs import Answer, AsyncFollowedEvent, AsyncRun
from ._sync.client import WorkflowClient
from ._sync.pages import Pages
from ._sync.runs import FollowedEvent, Run
from .errors import WorkflowApiError
from .retry import Retry
from .sse import RunEnd

__all__ = [
    "Answer",
    "AsyncFollowedEvent",
    "AsyncPages",
    "AsyncRun",
    "AsyncWorkflowClient",
    "FollowedEvent",
    "Pages",
    "Retry",
    "Run",
    "RunEnd",
    "WorkflowApiError",
    "WorkflowClient",
    "models",
]
