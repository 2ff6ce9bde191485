/** Lists of the API with many rows in one organization: how each is filled, and where it is read. */
import { randomUUID } from 'node:crypto';
import type { Db } from '../../src/base/db/client.ts';
import { approval } from './questions.ts';

/** What the rows of the lists belong to. */
export interface ListOwner {
  readonly organizationId: string;
  readonly userId: string;
  readonly workflowId: string;
  readonly hookId: string;
  readonly endpointId: string;
  readonly scheduleId: string;
  readonly chatId: string;
  readonly baseId: string;
  readonly documentId: string;
  readonly tableId: string;
}

export interface GrownList {
  /** The operation in the OpenAPI document. */
  readonly operationId: string;
  /** The tables that hold its rows. */
  readonly tables: readonly string[];
  readonly path: (owner: ListOwner) => string;
  /** The field with the rows. */
  readonly field: string;
  /** The name of the key of a row. */
  readonly key: string;
  /** Inserts rows `$1` to `$2`; equal numbers have equal times, larger ones are newer. */
  readonly fill: readonly string[];
  /** Filters that few rows match, and the SQL that makes every hundredth row match. */
  readonly rare?: Readonly<Record<string, string>>;
}

// Two rows have each time, so that the id decides between them.
const AT = `date_trunc('milliseconds', timestamptz '2026-01-01' + make_interval(secs => i / 2))`;
const ROWS = 'generate_series($1::int, $2::int - 1) i';
const RARE = '6f1d3f0c-95a5-4e0c-8f43-7b1f3a0c0007';
const COMMON = '6f1d3f0c-95a5-4e0c-8f43-7b1f3a0c0001';
const id = (kind: string): string => `md5('${kind} ' || i)::uuid`;

const RUN_COLUMNS = `(id, run_id, root_run_pk, organization_id, workflow_id, chat_id, definition_hash, workflow_name, workflow_version,
  workflow_source, trigger_type, is_ad_hoc, status, error, created_by, started_at, completed_at, last_event_at, created_at)`;

/** SQL that inserts runs of a kind; `$3` is the owner as JSON. Every hundredth has failed, under another name. */
const insertRuns = (
  kind: string,
  fields: { readonly trigger?: string; readonly chat?: string } = {},
): string => `
  INSERT INTO runs ${RUN_COLUMNS}
  SELECT ${id(kind)}, ${id(`${kind} run`)}, ${id(kind)}, ($3::json->>'organizationId')::uuid,
         ($3::json->>'workflowId')::uuid, ${fields.chat ?? 'NULL'}, 'hash',
         CASE WHEN i % 100 = 7 THEN 'Quarterly report' ELSE 'Stored' END, '1.0.0', 'database', ${fields.trigger ?? `'api'`}, false,
         CASE WHEN i % 100 = 7 THEN 'failed' ELSE 'completed' END,
         CASE WHEN i % 100 = 7 THEN '{"message":"There is no such report"}'::json END,
         CASE WHEN i % 100 = 7 THEN ($3::json->>'userId')::uuid ELSE md5('another')::uuid END,
${AT}, ${AT}, ${AT}, ${AT}
  FROM ${ROWS}`;

/** SQL of the kind of a question: every hundredth is of a rare one. */
const KIND = `CASE WHEN i % 100 = 8 THEN 'unknown_effect' ELSE 'approval' END`;
/** SQL of a question: every hundredth is for the owner. */
const QUESTION = `replace('${JSON.stringify({ ...approval, assignees: { roles: [], user_ids: ['answerer'] } })}', 'answerer',
         CASE WHEN i % 100 = 7 THEN $3::json->>'userId' ELSE md5('another')::uuid::text END)::json`;

export const GROWN_LISTS: readonly GrownList[] = [
  {
    operationId: 'listRuns',
    tables: ['runs'],
    path: () => '/workflow-runs?',
    field: 'runs',
    key: 'id',
    fill: [insertRuns('run', { trigger: `CASE WHEN i % 100 = 7 THEN 'webhook' ELSE 'api' END` })],
    rare: {
      status: 'failed',
      trigger_type: 'webhook',
      created_by: '$userId',
      segments: 'newest',
      q: 'report',
    },
  },
  {
    operationId: 'listInterrupts',
    tables: ['run_interrupts', 'runs', 'open_question_assignees'],
    path: () => '/interrupts?',
    field: 'interrupts',
    key: 'interrupt_id',
    fill: [
      insertRuns('asking'),
      `INSERT INTO run_interrupts (id, organization_id, root_run_pk, run_pk, node_id, visit, step_id, question, kind, created_at)
       SELECT ${id('interrupt')}::text, ($3::json->>'organizationId')::uuid, ${id('asking')}, ${id('asking')}, 'ask', 1, ${id('step')}, ${QUESTION}, ${KIND}, ${AT}
       FROM ${ROWS}`,
      `INSERT INTO open_question_assignees (interrupt_id, assignee, organization_id, created_at, kind)
       SELECT ${id('interrupt')}::text, question_assignees(${QUESTION}), ($3::json->>'organizationId')::uuid, ${AT}, ${KIND} FROM ${ROWS}`,
    ],
    rare: { assignee: 'me', kind: 'unknown_effect' },
  },
  {
    operationId: 'listWorkflows',
    tables: ['workflows'],
    path: () => '/workflows?',
    field: 'workflows',
    key: 'id',
    fill: [
      `INSERT INTO workflows (id, organization_id, name, workflow_schema, created_at)
       SELECT ${id('workflow')}, ($3::json->>'organizationId')::uuid, 'Stored', '{}', ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listDeployments',
    tables: ['deployments'],
    path: ({ workflowId }) => `/workflows/${workflowId}/deployments?`,
    field: 'deployments',
    key: 'id',
    fill: [
      `INSERT INTO deployments (id, organization_id, workflow_id, name, version, ordinal, is_live, definition_hash, workflow_schema, input, config, created_at)
       SELECT ${id('deployment')}, ($3::json->>'organizationId')::uuid, ($3::json->>'workflowId')::uuid, 'Stored', '1.0.0', i + 1, false, 'hash',
              '{}', '{}', '{}', ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listSchedules',
    tables: ['schedules'],
    path: () => '/schedules?',
    field: 'schedules',
    key: 'id',
    fill: [
      `INSERT INTO schedules (id, organization_id, workflow_id, name, cron_expression, timezone, created_at)
       SELECT ${id('schedule')}, ($3::json->>'organizationId')::uuid, ($3::json->>'workflowId')::uuid, 'Stored', '0 0 1 1 *', 'UTC', ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listScheduleRuns',
    tables: ['schedule_firings', 'runs'],
    path: ({ scheduleId }) => `/schedules/${scheduleId}/runs?`,
    field: 'runs',
    key: 'id',
    fill: [
      insertRuns('fired', { trigger: `'schedule'` }),
      `INSERT INTO schedule_firings (schedule_id, scheduled_at, run_pk)
       SELECT ($3::json->>'scheduleId')::uuid, timestamptz '2026-01-01' + make_interval(secs => i), ${id('fired')} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listHookDeliveries',
    tables: ['hook_deliveries'],
    path: ({ workflowId, hookId }) => `/workflows/${workflowId}/hooks/${hookId}/deliveries?`,
    field: 'deliveries',
    key: 'id',
    fill: [
      `INSERT INTO hook_deliveries (id, organization_id, hook_id, outcome, request, received_at)
       SELECT ${id('received')}, ($3::json->>'organizationId')::uuid, ($3::json->>'hookId')::uuid, 'filtered',
              '{"method":"POST","headers":{},"query":{},"body":null}', ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listNotificationDeliveries',
    tables: ['notification_deliveries', 'notification_events'],
    path: ({ endpointId }) => `/notification-endpoints/${endpointId}/deliveries?`,
    field: 'deliveries',
    key: 'id',
    fill: [
      `INSERT INTO notification_events (id, organization_id, type, payload)
       SELECT ${id('event')}, ($3::json->>'organizationId')::uuid, 'run.completed', '{}' FROM ${ROWS}`,
      `INSERT INTO notification_deliveries (id, organization_id, endpoint_id, event_id, status, created_at)
       SELECT ${id('delivery')}, ($3::json->>'organizationId')::uuid, ($3::json->>'endpointId')::uuid, ${id('event')}, 'delivered', ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listDocumentChunks',
    tables: ['knowledge_chunks'],
    path: ({ baseId, documentId }) => `/knowledge-bases/${baseId}/documents/${documentId}/chunks?`,
    field: 'chunks',
    key: 'id',
    fill: [
      `INSERT INTO knowledge_chunks (id, knowledge_base_id, document_id, position, content, token_count, chunk_metadata, dimension, embedding)
       SELECT ${id('chunk')}, ($3::json->>'baseId')::uuid, ($3::json->>'documentId')::uuid, i, 'text', 1, '{}', 3, string_to_array('1,0,0', ',')::real[] FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listDocuments',
    tables: ['knowledge_documents'],
    path: ({ baseId }) => `/knowledge-bases/${baseId}/documents?`,
    field: 'documents',
    key: 'id',
    fill: [
      `INSERT INTO knowledge_documents (id, organization_id, knowledge_base_id, name, mime_type, size_bytes, content_hash, created_at)
       SELECT ${id('document')}, ($3::json->>'organizationId')::uuid, ($3::json->>'baseId')::uuid, 'Stored', 'text/plain', 1, i::text, ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listKnowledgeBases',
    tables: ['knowledge_bases'],
    path: () => '/knowledge-bases?',
    field: 'knowledge_bases',
    key: 'id',
    fill: [
      `INSERT INTO knowledge_bases (id, organization_id, name, embedding_config, chunking_config, created_at)
       SELECT ${id('base')}, ($3::json->>'organizationId')::uuid, 'Stored ' || i, b.embedding_config, b.chunking_config, ${AT}
       FROM ${ROWS}, knowledge_bases b WHERE b.id = ($3::json->>'baseId')::uuid`,
    ],
  },
  {
    operationId: 'listTables',
    tables: ['data_tables'],
    path: () => '/tables?',
    field: 'tables',
    key: 'id',
    fill: [
      `INSERT INTO data_tables (id, organization_id, name)
       SELECT ${id('table')}, ($3::json->>'organizationId')::uuid, 'Stored ' || lpad(i::text, 6, '0') FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listTableRows',
    tables: ['data_rows'],
    path: ({ tableId }) => `/tables/${tableId}/rows?`,
    field: 'rows',
    key: 'key',
    fill: [
      `INSERT INTO data_rows (table_id, organization_id, key, value, version)
       SELECT ($3::json->>'tableId')::uuid, ($3::json->>'organizationId')::uuid,
              CASE WHEN i % 100 = 7 THEN 'rare ' ELSE 'common ' END || lpad(i::text, 6, '0'), '{}', 1 FROM ${ROWS}`,
    ],
    rare: { prefix: 'rare' },
  },
  {
    operationId: 'listFiles',
    tables: ['files'],
    path: () => '/files?',
    field: 'files',
    key: 'id',
    fill: [
      `INSERT INTO files (id, organization_id, name, media_type, size, sha256, key_id, wrapped_key, ciphertext, created_at)
       SELECT ${id('file')}, ($3::json->>'organizationId')::uuid, 'Stored ' || i, 'text/plain', 1, '', 'test', '', '', ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listEffects',
    tables: ['run_effects', 'runs'],
    path: () => '/effects?',
    field: 'effects',
    key: 'id',
    fill: [
      insertRuns('effecting'),
      `INSERT INTO run_effects (run_pk, step_id, attempt, number, id, organization_id, workflow_id, created_by, node_id, door, target,
                                host, credential_id, effect, outcome, created_at)
       SELECT ${id('effecting')}, ${id('step')}, 1, 0, ${id('effect')}, ($3::json->>'organizationId')::uuid,
              CASE WHEN is_rare THEN '${RARE}' ELSE '${COMMON}' END::uuid,
              CASE WHEN is_rare THEN $3::json->>'userId' ELSE '${COMMON}' END::uuid, 'send',
              CASE WHEN is_rare THEN 'mcp' ELSE 'http' END, '{}', CASE WHEN is_rare THEN 'rare.example' ELSE 'common.example' END,
              CASE WHEN is_rare THEN '${RARE}' ELSE '${COMMON}' END::uuid,
              CASE WHEN is_rare THEN 'idempotent' ELSE 'at_most_once' END, CASE WHEN is_rare THEN 'refused' ELSE 'done' END, ${AT}
       FROM (SELECT i, i % 100 = 7 AS is_rare FROM ${ROWS}) rows`,
    ],
    rare: {
      host: 'rare.example',
      door: 'mcp',
      effect: 'idempotent',
      outcome: 'refused',
      credential_id: RARE,
      workflow_id: RARE,
      created_by: '$userId',
    },
  },
  {
    operationId: 'listUnknownOutcomes',
    tables: ['run_effects', 'runs', 'run_steps'],
    path: () => '/unknown-outcomes?',
    field: 'outcomes',
    key: 'id',
    fill: [
      // All of one failed run of the first list: more failed ones would not be rare there.
      `INSERT INTO run_steps (step_id, run_pk, root_run_pk, node_id, node_type, node_name, visit, depth, position, status, effect, error)
       SELECT ${id('unknown step')}, md5('run 7')::uuid, md5('run 7')::uuid, 'send', 'http', 'Send', i + 1, 0, i + 1, 'failed', 'at_most_once',
              '{"code":"outcome_unknown"}'
       FROM ${ROWS}`,
      `INSERT INTO run_effects (run_pk, step_id, attempt, number, id, organization_id, node_id, door, target, effect, outcome, created_at)
       SELECT md5('run 7')::uuid, ${id('unknown step')}, 1, 0, ${id('unknown')}, ($3::json->>'organizationId')::uuid, 'send', 'http', '{}',
              'at_most_once', 'unknown', ${AT}
       FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listAuditLog',
    tables: ['audit_log'],
    path: () => '/audit-log?',
    field: 'entries',
    key: 'id',
    fill: [
      `INSERT INTO audit_log (id, organization_id, action, actor_type, actor_id, object_type, created_at)
       SELECT ${id('entry')}, ($3::json->>'organizationId')::uuid, CASE WHEN i % 100 = 7 THEN 'hook.rotated' ELSE 'schedule.created' END, 'user',
              CASE WHEN i % 100 = 7 THEN ($3::json->>'userId')::uuid ELSE md5('another')::uuid END, 'schedule', ${AT} FROM ${ROWS}`,
    ],
    rare: { actor_id: '$userId', action: 'hook' },
  },
  {
    operationId: 'listWalletLedger',
    tables: ['wallet_ledger'],
    path: () => '/subscriptions/wallet/ledger?',
    field: 'items',
    key: 'id',
    fill: [
      `INSERT INTO wallet_ledger (id, organization_id, kind, amount_mc, balance_mc, created_at)
       SELECT ${id('ledger')}, ($3::json->>'organizationId')::uuid, 'adjustment', 1, 1, ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listAssistantChats',
    tables: ['chats'],
    path: () => '/assistant/chats?',
    field: 'items',
    key: 'id',
    fill: [
      `INSERT INTO chats (id, organization_id, user_id, thread_id, kind, updated_at)
       SELECT ${id('chat')}, ($3::json->>'organizationId')::uuid, ($3::json->>'userId')::uuid, 'thread ' || i, 'assistant', ${AT} FROM ${ROWS}`,
    ],
  },
  {
    operationId: 'listAssistantMessages',
    tables: ['runs'],
    path: ({ chatId }) => `/assistant/chats/${chatId}/messages?`,
    field: 'items',
    key: 'id',
    fill: [insertRuns('said', { trigger: `'chat'`, chat: `($3::json->>'chatId')::uuid` })],
  },
];

/** Inserts what the lists belong to. */
export async function createOwner(db: Db, organizationId: string, userId: string): Promise<ListOwner> {
  const owner = {
    organizationId,
    userId,
    workflowId: randomUUID(),
    hookId: randomUUID(),
    endpointId: randomUUID(),
    scheduleId: randomUUID(),
    chatId: randomUUID(),
    baseId: randomUUID(),
    documentId: randomUUID(),
    tableId: randomUUID(),
  };
  const config = { provider: 'openai', model: 'm', dimension: 3 };
  const chunking = { strategy: 'recursive', unit: 'tokens', chunk_size: 500, chunk_overlap: 50 };
  const insert = async (text: string, params: readonly unknown[]): Promise<void> =>
    db.transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = replica`);
      await tx.query(text, params);
    });
  const { workflowId, hookId, endpointId, scheduleId, chatId, baseId, documentId, tableId } = owner;
  await insert(`UPDATE workflows SET created_at = '2025-01-01' WHERE organization_id = $1`, [organizationId]);
  await insert(
    `INSERT INTO workflows (id, organization_id, name, workflow_schema, created_at) VALUES ($1, $2, 'Own', '{}', '2025-01-01')`,
    [workflowId, organizationId],
  );
  await insert(
    `INSERT INTO hooks (id, organization_id, workflow_id, name, token_hash, key_id, wrapped_key, ciphertext)
     VALUES ($1, $2, $3, 'Own', '\\x01', 'k', '\\x01', '\\x01')`,
    [hookId, organizationId, workflowId],
  );
  await insert(
    `INSERT INTO notification_endpoints (id, organization_id, name, url, event_types, key_id, wrapped_key, ciphertext)
     VALUES ($1, $2, 'Own', 'https://example.com', '{}', 'k', '\\x01', '\\x01')`,
    [endpointId, organizationId],
  );
  await insert(
    `INSERT INTO schedules (id, organization_id, workflow_id, name, cron_expression, timezone, created_at)
     VALUES ($1, $2, $3, 'Own', '0 0 1 1 *', 'UTC', '2025-01-01')`,
    [scheduleId, organizationId, workflowId],
  );
  await insert(
    `INSERT INTO chats (id, organization_id, user_id, thread_id, kind, updated_at) VALUES ($1, $2, $3, 'own', 'assistant', '2025-01-01')`,
    [chatId, organizationId, userId],
  );
  await insert(
    `INSERT INTO knowledge_bases (id, organization_id, name, embedding_config, chunking_config, created_at) VALUES ($1, $2, 'Own', $3, $4, '2025-01-01')`,
    [baseId, organizationId, JSON.stringify(config), JSON.stringify(chunking)],
  );
  await insert(
    `INSERT INTO knowledge_documents (id, organization_id, knowledge_base_id, name, mime_type, size_bytes, content_hash, created_at)
     VALUES ($1, $2, $3, 'Own', 'text/plain', 1, 'own', '2025-01-01')`,
    [documentId, organizationId, baseId],
  );
  await insert(`INSERT INTO data_tables (id, organization_id, name) VALUES ($1, $2, 'Own')`, [
    tableId,
    organizationId,
  ]);
  return owner;
}

/** Inserts rows `from` to `to` (exclusive) of a list, without what triggers would do for each. */
export async function fillList(
  db: Db,
  list: GrownList,
  { owner, from, to }: { readonly owner: ListOwner; readonly from: number; readonly to: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    for (const text of list.fill) {
      await tx.query(text, [from, to, ...(text.includes('$3') ? [JSON.stringify(owner)] : [])]);
    }
  });
}
