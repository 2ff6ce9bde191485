/** The limits that a client, an author of a workflow or an operator can meet: the constants of the code, in words. */
import { MAX_ROOMS_PER_SESSION, MAX_SESSIONS_PER_ROOM } from '../../src/features/canvas/room/rooms.ts';
import { MAX_BATCH_OPS, MAX_BATCH_SIZE } from '../../src/features/canvas/room/operations.ts';
import { MAX_OP_SIZE } from '../../src/features/canvas/room/read-operation.ts';
import { MAX_UNSAVED_AGE_MS, MAX_UNSAVED_OPS } from '../../src/features/canvas/room/unsaved-ops.ts';
import * as flood from '../../src/features/canvas/server/flood.ts';
import {
  MAX_CONNECTIONS_PER_ORGANIZATION,
  MAX_CONNECTIONS_PER_USER,
  MAX_FRAME_BYTES,
  MAX_SESSION_AGE_MS,
  UNJOINED_MS,
} from '../../src/features/canvas/server/limits.ts';
import { MAX_DEFINITION_BYTES, MAX_PIN_BYTES } from '../../src/language/graph/definition/definition-size.ts';
import { MAX_EDGES, MAX_NODES, MAX_STATE_FIELDS } from '../../src/language/graph/definition/definition.ts';
import { MAX_CONDITIONS } from '../../src/language/graph/template/metadata-filter.ts';
import { MAX_PATTERNS_SIZE, MAX_PATTERN_BYTES } from '../../src/language/graph/checks/pattern-size.ts';
import { MAX_ATTEMPTS, MAX_DURATION_MS } from '../../src/language/graph/definition/read-node.ts';
import { MAX_EXECUTIONS } from '../../src/language/graph/schedule/schedule.ts';
import { MAX_RENDERED_TOTAL_CHARS } from '../../src/language/graph/template/render-budget.ts';
import { MAX_RENDERED_CHARS } from '../../src/language/graph/template/render-budget.ts';
import { EDGE_WORK, NODE_WORK, REQUEST_WORK } from '../../src/language/graph/values/work-budget.ts';
import * as body from '../../src/platform/http/body.ts';
import * as form from '../../src/platform/http/form.ts';
import * as jsonReader from '../../src/platform/http/json-reader.ts';
import { TIMEOUT_MS as READING_MS } from '../../src/platform/knowledge/extraction/extractor.ts';
import { MAX_PAGES } from '../../src/platform/knowledge/extraction/read-pdf.ts';
import { MAX_TEXT_CHARACTERS } from '../../src/platform/knowledge/extraction/extracted-text.ts';
import { MAX_CHUNKS } from '../../src/platform/knowledge/ingest.ts';
import { MAX_ITERATIONS, MAX_TOOL_CALLS } from '../../src/language/nodes/agent/agent.ts';
import { MAX_CODE_BYTES } from '../../src/language/nodes/function/function.ts';
import { MAX_INPUT_BYTES } from '../../src/language/nodes/guardrails/guardrails.ts';
import { MAX_WAIT_SECONDS } from '../../src/language/nodes/interrupt/interrupt.ts';
import { MAX_BASES, MAX_QUERY } from '../../src/language/nodes/knowledge/knowledge.ts';
import { BYTE_LIMITS } from '../../src/platform/outbound/answer-bytes.ts';
import { MAX_BACKLOG } from '../../src/platform/outbox/dispatcher.ts';
import { MAX_BODY_BYTES, MAX_REDIRECTS } from '../../src/platform/outbound/guarded-http.ts';
import { MAX_RESULT_BYTES } from '../../src/platform/outbound/mcp.ts';
import * as mcp from '../../src/platform/outbound/mcp-tools.ts';
import { MAX_KEYS } from '../../src/features/accounts/api-keys/service.ts';
import { MAX_ACCOUNTS } from '../../src/features/accounts/api-keys/service-accounts.ts';
import { MAX_MESSAGE } from '../../src/features/chats/assistant-routes.ts';
import { MAX_DOCUMENTS, MAX_FILE_BYTES } from '../../src/platform/knowledge/api/documents.ts';
import { ANSWER_SHARES } from '../../src/engine/runs/ledger/questions/answer-pages.ts';
import { MAX_STATE_BYTES } from '../../src/engine/runs/ledger/read/value-share.ts';
import { MAX_PAST_BYTES } from '../../src/engine/runs/rerun/test-node.ts';
import {
  MAX_RECORD_VALUES_BYTES,
  MAX_STEP_VALUE_BYTES,
} from '../../src/engine/runs/ledger/read/run-record.ts';
import { MAX_CHILD_DEPTH } from '../../src/engine/runs/accept/child-run.ts';
import { MAX_STARTED_DEPTH } from '../../src/engine/runs/accept/limits.ts';
import { BATCH_INTERVAL_MS, RECURSION_LIMIT } from '../../src/engine/runs/accept/limits.ts';
import {
  MAX_METADATA_KEYS,
  MAX_METADATA_KEY_LENGTH,
  MAX_METADATA_VALUE_LENGTH,
} from '../../src/engine/runs/accept/metadata.ts';
import * as agentRecords from '../../src/engine/runs/ledger/write/agent-records.ts';
import { MAX_OUTPUT_BYTES } from '../../src/engine/runs/walk/conclusion.ts';
import { FRAME_VALUE_BYTES } from '../../src/engine/runs/walk/frames.ts';
import { MAX_IN_FLIGHT, MAX_PAUSED_MS } from '../../src/engine/runs/execute/protocol.ts';
import { START_TIMEOUT_SECONDS } from '../../src/engine/runs/outbox/run-handlers.ts';
import {
  MAX_PER_ORGANIZATION,
  MAX_PER_PROCESS,
  MAX_PER_USER,
  MAX_WEBHOOK_WAITS,
} from '../../src/engine/runs/stream/stream-semaphore.ts';
import * as sandbox from '../../src/platform/sandbox/messages.ts';
import { SANDBOX_LIMITS } from '../../src/platform/sandbox/shares.ts';
import { MAX_CONSECUTIVE_FAILURES } from '../../src/engine/schedules/schedule-counts.ts';
import { MAX_PAYLOAD_BYTES } from '../../temporal/codec/payload-codec.ts';

export interface Limit {
  readonly what: string;
  readonly value: string;
  /** What happens above it. */
  readonly beyond: string;
}

const count = (value: number): string => value.toLocaleString('en-US');

/** A size in the largest unit that it is a whole number of. */
function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let [value, unit] = [bytes, 0];
  while (value % 1024 === 0 && unit < 3) [value, unit] = [value / 1024, unit + 1];
  return `${count(value)} ${units[unit]}`;
}

/** A duration in the largest unit that it is a whole number of. */
function duration(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1_000],
  ] as const;
  const [name, unit] = units.find(([, length]) => ms % length === 0) ?? ['ms', 1];
  const value = count(ms / unit);
  return name === 'ms' || value === '1' ? `${value} ${name}` : `${value} ${name}s`;
}

const range = ({ min, max, default: usual }: { min: number; max: number; default: number }): string =>
  `${count(min)} to ${count(max)}, default ${count(usual)}`;

/** By the room that the limits belong to. */
export const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  graph: [
    {
      what: 'A definition as JSON; a pin in it',
      value: `${size(MAX_DEFINITION_BYTES)}; ${size(MAX_PIN_BYTES)}`,
      beyond: '422, `definition_too_large`, `pin_too_large`',
    },
    { what: 'Nodes of a definition', value: count(MAX_NODES), beyond: '400' },
    { what: 'Edges of a definition', value: count(MAX_EDGES), beyond: '400' },
    {
      what: 'State fields of a definition, without those of its nodes',
      value: count(MAX_STATE_FIELDS),
      beyond: '400',
    },
    { what: 'Attempts of a node', value: count(MAX_ATTEMPTS), beyond: '400' },
    { what: '`timeout_ms` of a node', value: duration(MAX_DURATION_MS), beyond: '400' },
    { what: 'Patterns of a definition, in instructions', value: count(MAX_PATTERNS_SIZE), beyond: '400' },
    {
      what: 'Work of one execution, in steps',
      value: `${count(NODE_WORK.total)}, ${count(NODE_WORK.turn)} in one piece`,
      beyond: 'node fails, `work_limit_exceeded`',
    },
    {
      what: 'Work of the conditions behind a node, in steps',
      value: count(EDGE_WORK.total),
      beyond: 'node fails, `work_limit_exceeded`',
    },
    {
      what: 'Work of checking a request, in steps',
      value: count(REQUEST_WORK.total),
      beyond: '422, `work_limit_exceeded`',
    },
    {
      what: 'Rendered values of one execution',
      value: size(MAX_RENDERED_TOTAL_CHARS),
      beyond: 'node fails, `output_too_large`',
    },
    { what: 'Rendered text', value: size(MAX_RENDERED_CHARS), beyond: 'node fails, `output_too_large`' },
    {
      what: 'Node executions of a run',
      value: count(MAX_EXECUTIONS),
      beyond: 'run fails, `execution_limit_exceeded`',
    },
  ],
  nodes: [
    { what: 'Source of a function', value: size(MAX_CODE_BYTES), beyond: '400' },
    { what: 'Arguments of a function', value: size(sandbox.MAX_ARGUMENT_BYTES), beyond: 'node fails' },
    {
      what: 'Arguments, code and results of an organization in the sandbox of a worker',
      value: size(SANDBOX_LIMITS.bytes.perOrganization),
      beyond: 'the function waits',
    },
    { what: 'Wait of a function for a thread', value: duration(MAX_PAUSED_MS), beyond: 'node fails' },
    { what: 'Result of a function', value: size(sandbox.MAX_RESULT_BYTES), beyond: 'node fails' },
    { what: 'Input of guardrails', value: size(MAX_INPUT_BYTES), beyond: 'node fails' },
    { what: 'Regular expression', value: size(MAX_PATTERN_BYTES), beyond: '400' },
    { what: 'Agent: iterations', value: count(MAX_ITERATIONS), beyond: '400' },
    { what: 'Agent: tool calls', value: count(MAX_TOOL_CALLS), beyond: '400' },
    { what: 'Agent: tool result for the model', value: size(agentRecords.MAX_RESULT_BYTES), beyond: 'cut' },
    { what: 'Bases of a knowledge node', value: count(MAX_BASES), beyond: '400' },
    { what: 'Wait of an interrupt', value: duration(MAX_WAIT_SECONDS * 1_000), beyond: '400' },
  ],
  runs: [
    {
      what: 'A value of a step in a record; all of them, and a state',
      value: `${size(MAX_STEP_VALUE_BYTES)}; ${size(MAX_RECORD_VALUES_BYTES)}`,
      beyond: 'left out, `truncated`',
    },
    {
      what: 'Values of the state that a node loads, or the output of a run',
      value: size(MAX_STATE_BYTES),
      beyond: 'node or run fails, `state_too_large`',
    },
    {
      what: 'Values that a test run reads from a past run',
      value: size(MAX_PAST_BYTES),
      beyond: '422, `state_too_large`',
    },
    {
      what: 'Values of runs in unsent responses of an organization; of a process',
      value: `${size(ANSWER_SHARES.perOrganization)}; ${size(ANSWER_SHARES.capacity)}`,
      beyond: 'the next page waits',
    },
    {
      what: 'Metadata of a run: keys; characters of a key, of a value',
      value: `${MAX_METADATA_KEYS}; ${MAX_METADATA_KEY_LENGTH}, ${MAX_METADATA_VALUE_LENGTH}`,
      beyond: '422',
    },
    {
      what: 'Depth of a run, `recursion_limit`',
      value: range(RECURSION_LIMIT),
      beyond: 'run fails, `recursion_limit_exceeded`',
    },
    { what: '`batch_interval_ms`', value: range(BATCH_INTERVAL_MS), beyond: '422' },
    { what: 'Concurrent node executions of a run', value: count(MAX_IN_FLIGHT), beyond: 'they wait' },
    {
      what: 'Output of a node',
      value: size(MAX_OUTPUT_BYTES),
      beyond: 'node fails, `output_too_large`',
    },
    {
      what: 'Value in a frame, or of a step in a record',
      value: size(FRAME_VALUE_BYTES),
      beyond: 'null and `*_truncated`; whole at GET /workflow-runs/{run_pk}/steps/{step_id}',
    },
    {
      what: 'Levels of sub-workflows',
      value: count(MAX_CHILD_DEPTH),
      beyond: 'node fails, `sub_workflow_too_deep`',
    },
    {
      what: 'Levels of runs that runs start over the API',
      value: count(MAX_STARTED_DEPTH),
      beyond: '422 `run_too_deep`; the node fails with the same code',
    },
    { what: 'Runs that wait for Temporal', value: count(MAX_BACKLOG), beyond: '503 with `Retry-After`' },
    {
      what: 'Time until Temporal has accepted a run',
      value: duration(START_TIMEOUT_SECONDS * 1_000),
      beyond: 'run fails, `start_timeout`',
    },
    {
      what: 'Open streams of a process; an organization; a user',
      value: [MAX_PER_PROCESS, MAX_PER_ORGANIZATION, MAX_PER_USER].map(count).join('; '),
      beyond: '429',
    },
    {
      what: 'Requests to webhooks of an organization that wait for a result, which count as streams',
      value: count(MAX_WEBHOOK_WAITS),
      beyond: '202, and the run goes on',
    },
    {
      what: 'Consecutive failed runs of a schedule',
      value: count(MAX_CONSECUTIVE_FAILURES),
      beyond: 'the schedule is disabled, with a reason',
    },
    { what: 'Payload to Temporal', value: size(MAX_PAYLOAD_BYTES), beyond: 'refused, never retried' },
  ],
  http: [
    { what: 'Request body', value: size(body.MAX_BYTES), beyond: '413' },
    { what: 'Depth of JSON', value: count(jsonReader.MAX_DEPTH), beyond: '422' },
    { what: 'Fields of a form', value: count(form.MAX_FORM_FIELDS), beyond: '422' },
    { what: 'Keys of a user or service account', value: count(MAX_KEYS), beyond: '400 `MAX_KEYS_EXCEEDED`' },
    { what: 'Service accounts of an organization', value: count(MAX_ACCOUNTS), beyond: '409' },
    {
      what: 'Message to the Assistant or the Composer',
      value: `${count(MAX_MESSAGE)} characters`,
      beyond: '422',
    },
  ],
  knowledge: [
    { what: 'File of a document', value: size(MAX_FILE_BYTES), beyond: '413' },
    { what: 'Text of a document', value: size(MAX_TEXT_CHARACTERS), beyond: 'it fails, with a reason' },
    { what: 'Pages of a PDF', value: count(MAX_PAGES), beyond: 'it fails, with a reason' },
    { what: 'Time to read a document', value: duration(READING_MS), beyond: 'it fails, with a reason' },
    { what: 'Chunks of a document', value: count(MAX_CHUNKS), beyond: 'it fails, `too_many_chunks`' },
    { what: 'Documents of a base', value: count(MAX_DOCUMENTS), beyond: '409' },
    { what: 'Query of a search', value: `${count(MAX_QUERY)} characters`, beyond: '422' },
    { what: 'Conditions of `filters`', value: count(MAX_CONDITIONS), beyond: '422' },
  ],
  outbound: [
    { what: 'Response of an HTTP tool', value: size(MAX_BODY_BYTES), beyond: 'node fails' },
    {
      what: 'Responses, request bodies and values of the state in memory of a worker for an organization, beyond 64 KiB of each',
      value: size(BYTE_LIMITS.perOrganization),
      beyond: 'bodies are not read further or built, values are not loaded',
    },
    { what: 'Redirects', value: count(MAX_REDIRECTS), beyond: 'node fails' },
    { what: 'MCP: tools of a server', value: count(mcp.MAX_TOOLS), beyond: 'ignored' },
    { what: 'MCP: schema of a tool', value: size(mcp.MAX_SCHEMA_BYTES), beyond: 'node fails' },
    { what: 'MCP: result', value: size(MAX_RESULT_BYTES), beyond: 'node fails' },
  ],
  canvas: [
    { what: 'A frame', value: size(MAX_FRAME_BYTES), beyond: 'connection closed' },
    { what: 'An operation', value: size(MAX_OP_SIZE), beyond: '`PAYLOAD_TOO_LARGE`' },
    {
      what: 'A batch',
      value: `${size(MAX_BATCH_SIZE)}, ${count(MAX_BATCH_OPS)} operations`,
      beyond: '`PAYLOAD_TOO_LARGE`',
    },
    {
      what: 'Packets and bytes of a connection per second',
      value: `${count(flood.MAX_PACKETS)}; ${size(flood.MAX_BYTES)}`,
      beyond: '`flood`, closed',
    },
    {
      what: 'Connections of a user; an organization',
      value: `${count(MAX_CONNECTIONS_PER_USER)}; ${count(MAX_CONNECTIONS_PER_ORGANIZATION)}`,
      beyond: '`TOO_MANY_CONNECTIONS`',
    },
    { what: 'Rooms of a connection', value: count(MAX_ROOMS_PER_SESSION), beyond: '`ROOM_LIMIT`' },
    { what: 'People in a room', value: count(MAX_SESSIONS_PER_ROOM), beyond: '`ROOM_FULL`' },
    {
      what: 'Unsaved operations of a room; their age',
      value: `${count(MAX_UNSAVED_OPS)}; ${duration(MAX_UNSAVED_AGE_MS)}`,
      beyond: '`PERSISTENCE_DEGRADED` until a save succeeds',
    },
    {
      what: 'A connection without a room; any connection',
      value: `${duration(UNJOINED_MS)}; ${duration(MAX_SESSION_AGE_MS)}`,
      beyond: 'closed',
    },
  ],
};
