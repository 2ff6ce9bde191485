/**
 * The tables with rows of an organization, in the order in which an erasure deletes them. Conditions are about a row `t`: $1 is the
 * organization_id, $2 the user_id of a member and $3 the member's email. Runs and all below them are in run-data.ts, and tables that
 * need no row here in plain-tables.ts.
 */

interface StoredTable {
  readonly name: string;
  /** A text that is unique among the rows of the organization: the cursor of an export. Null: not exported. */
  readonly key: string | null;
  /** Columns that an export leaves out. */
  readonly hidden?: readonly string[];
  readonly organizationCondition?: string;
  /** The rows of a member; undefined: none. */
  readonly memberCondition?: string;
  /** How an erasure removes the member from a row that stays; undefined: it deletes the row. After it `memberCondition` is false. */
  readonly detachMember?: string;
  /** An erasure of the organization keeps the rows: why. */
  readonly kept?: string;
}

/** Rows that outlive whoever has made them. */
export const createdBy = { memberCondition: 't.created_by = $2', detachMember: 'created_by = NULL' } as const;
const inOrganization = `t.workflow_id IN (SELECT id FROM workflows WHERE organization_id = $1)`;
const SEALED = ['key_id', 'wrapped_key', 'ciphertext'];

export const STORED_TABLES: readonly StoredTable[] = [
  { name: 'memberships', key: 't.user_id::text', memberCondition: 't.user_id = $2' },
  { name: 'oauth_authorizations', key: null, memberCondition: 't.user_id = $2' },
  { name: 'api_keys', key: 't.id::text', hidden: ['fingerprint'], memberCondition: 't.user_id = $2' },
  {
    name: 'invitations',
    key: 't.id::text',
    memberCondition: 'lower(t.email) = lower($3) OR t.invited_by = $2',
  },
  { name: 'support_requests', key: 't.id::text', memberCondition: 't.user_id = $2' },
  { name: 'schedules', key: 't.id::text', ...createdBy },
  { name: 'alerts', key: 't.id::text', ...createdBy },
  { name: 'effect_rules', key: 't.id::text', ...createdBy },
  { name: 'hook_deliveries', key: 't.id::text' },
  {
    name: 'hooks',
    key: 't.id::text',
    hidden: [...SEALED, 'token_hash', 'previous_token_hash'],
    ...createdBy,
  },
  { name: 'notification_deliveries', key: 't.id::text' },
  { name: 'notification_events', key: 't.id::text' },
  { name: 'notification_endpoints', key: 't.id::text', hidden: SEALED, ...createdBy },
  {
    name: 'answer_links',
    key: `t.interrupt_id || ' ' || t.address`,
    memberCondition: 'lower(t.address) = lower($3)',
  },
  {
    name: 'interrupt_responses',
    key: `t.interrupt_id || ' ' || t.email`,
    memberCondition: 't.user_id = $2 OR lower(t.email) = lower($3)',
    // Part of the primary key: an answer still counts as that of one person.
    detachMember: `user_id = NULL, email = 'erased ' || gen_random_uuid()`,
  },
  // Not exported: questions show what they hold.
  { name: 'held_effects', key: null },
  // Not exported: questions have their assignees.
  { name: 'open_question_assignees', key: null, memberCondition: `t.assignee = 'user:' || $2::text` },
  {
    name: 'run_interrupts',
    key: 't.id',
    memberCondition: 't.responded_by = $2 OR lower(t.responded_email) = lower($3)',
    detachMember: 'responded_by = NULL, responded_email = NULL',
  },
  {
    name: 'settled_outcomes',
    key: 't.step_id::text',
    memberCondition: 't.settled_by = $2',
    detachMember: 'settled_by = NULL',
  },
  { name: 'thread_messages', key: `lpad(t.id::text, 20, '0')` },
  { name: 'chats', key: 't.id::text', memberCondition: 't.user_id = $2' },
  { name: 'callback_answers', key: null },
  { name: 'deleted_responses', key: null },
  { name: 'idempotency_keys', key: null },
  {
    name: 'knowledge_chunks',
    key: 't.id::text',
    hidden: ['embedding'],
    organizationCondition:
      't.knowledge_base_id IN (SELECT id FROM knowledge_bases WHERE organization_id = $1)',
  },
  { name: 'knowledge_documents', key: 't.id::text', hidden: ['content'], ...createdBy },
  { name: 'knowledge_bases', key: 't.id::text', ...createdBy },
  {
    name: 'data_rows',
    key: `t.table_id || ' ' || t.key`,
    memberCondition: 't.updated_by = $2',
    detachMember: 'updated_by = NULL',
  },
  // Not exported: a claim ends with its run.
  { name: 'data_claims', key: null },
  { name: 'data_tables', key: 't.id::text', ...createdBy },
  { name: 'file_references', key: `t.run_pk || ' ' || t.file_id` },
  { name: 'files', key: 't.id::text', hidden: SEALED, ...createdBy },
  { name: 'file_usage', key: 't.organization_id::text' },
  { name: 'integration_types', key: 't.id::text', hidden: SEALED, ...createdBy },
  { name: 'realtime_ops', key: null, organizationCondition: inOrganization },
  {
    name: 'workflow_edits',
    key: 't.id::text',
    organizationCondition: inOrganization,
    memberCondition: `(t.user_id = $2 OR $2 = ANY (t.contributors)) AND ${inOrganization}`,
    detachMember: 'user_id = NULLIF(user_id, $2), contributors = array_remove(contributors, $2)',
  },
  {
    name: 'deployments',
    key: 't.id::text',
    memberCondition: 't.deployed_by = $2',
    detachMember: 'deployed_by = NULL',
  },
  { name: 'workflow_retention', key: 't.workflow_id::text' },
  {
    name: 'workflows',
    key: 't.id::text',
    memberCondition: 't.creator_id = $2 OR t.last_edited_by = $2',
    detachMember: 'creator_id = NULLIF(creator_id, $2), last_edited_by = NULLIF(last_edited_by, $2)',
  },
  { name: 'definitions', key: 't.hash' },
  { name: 'credentials', key: 't.id::text', hidden: SEALED, ...createdBy },
  { name: 'service_accounts', key: 't.id::text', ...createdBy },
  { name: 'credit_reservations', key: null },
  { name: 'credit_accounts', key: 't.organization_id::text' },
  {
    name: 'credit_usage',
    key: `t.subject_id || ' ' || t.step_id || ' ' || t.model || ' ' || t.is_byok`,
    kept: 'charges are kept',
  },
  { name: 'wallet_ledger', key: 't.id::text', kept: 'charges are kept' },
  // Not exported: it quotes runs, which are exported themselves.
  { name: 'rehearsed_runs', key: null },
  { name: 'evaluation_trials', key: `t.evaluation_id || ' ' || lpad(t.place::text, 5, '0')` },
  { name: 'budget_reservations', key: null },
  { name: 'budget_raises', key: 't.interrupt_id' },
  { name: 'budget_counters', key: `lpad(t.id::text, 20, '0')` },
  {
    name: 'run_effects',
    // Exported with its run.
    key: null,
    // The second condition is that of an index.
    memberCondition: `t.door = 'message' AND t.door <> 'http' AND lower(t.target->>'address') = lower($3)`,
    detachMember: `target = target - 'address'`,
  },
  { name: 'organizations', key: 't.id::text', organizationCondition: 't.id = $1' },
];

/** @returns the condition for the rows of the organization $1 */
export const toOrganizationCondition = ({ organizationCondition: own }: StoredTable): string =>
  own ?? 't.organization_id = $1';

/** @returns the condition for the rows of a member in the organization; null without any */
export function toMemberCondition(table: StoredTable): string | null {
  if (table.memberCondition === undefined) return null;
  // Conditions of tables without an organization of their own name it themselves.
  return table.organizationCondition === undefined
    ? `t.organization_id = $1 AND (${table.memberCondition})`
    : table.memberCondition;
}

export type { StoredTable };
