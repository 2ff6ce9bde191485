/**
 * A statement about rows of organizations would forget the organization, and one tenant would read another's (SPEC
 * SEC-T20). Statements are read, too, because row level security covers requests to the API alone, and not all of its tables.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { openDb } from '../../src/base/db/client.ts';
import { testDatabase } from '../support/database.ts';
import { isNode, type Node } from './syntax.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = [
  ...readdirSync(join(ROOT, 'src/features'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/features/${name}`),
  'src/platform/audit/api',
  'src/platform/billing/api',
  'src/platform/credentials/api',
  'src/platform/knowledge/api',
  'src/engine/schedules/api',
  'src/platform/access',
  'src/engine/runs/api',
  'src/engine/runs/accept',
  'src/engine/runs/stream',
];
/** The part of the ledger that takes ids from clients. The rest is given the keys of rows that were found by it. */
const LEDGER = [
  'questions/answer-links',
  'questions/interrupt-responses',
  'questions/callback-answers',
  'read/compared-steps',
  'read/openai-responses',
  'write/definitions',
  'read/event-reader',
  'write/idempotency-keys',
  'questions/interrupts',
  'read/past-run',
  'read/run-list',
  'read/run-reads',
  'read/run-record',
  'write/webhook-responses',
  'read/threads',
  'read/workflows',
].map((name) => `src/engine/runs/ledger/${name}.ts`);

const BY_TOKEN = 'the token of the address, which is a secret, says which organization it is';
const FOUND = 'by the key of a row that was found under its organization in the same request';
const LOCKED =
  'by the key of a row that was found under its organization, and locked, in the same transaction';
const JOB = 'by the key of a job that the outbox names, or that was found under its organization';
const OWN =
  'rows of the caller, of whatever organization: memberships, and invitations to a verified address';
const KEYS = 'keys of the caller, of whatever organization';
const FOLLOWED = 'runs whose streams are open: each was found under its organization when it was opened';
const ROOMS_OPEN = 'workflows whose rooms are open: each was found under its organization when it was opened';
const VISIBLE = 'under the condition VISIBLE of run-reads.ts, which names the organization';
/** Functions whose statements, or calls of Prisma, need not name the organization: `file#function`. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/features/answers/queue.ts#CLAIM':
    'links whose messages are due, of whatever organization, each with its question',
  'src/platform/access/api-key.ts#verifyKey': 'by the digest of a key that has just been verified',
  'src/platform/access/key-use.ts#WRITE': 'keys that have just been verified',
  'src/platform/access/membership.ts#findOnlyOrganization': OWN,
  'src/platform/access/still-allowed.ts#readRoles': 'joined by pairs of organization and user',
  'src/features/canvas/server/lease-renewal.ts#closeLost': ROOMS_OPEN,
  'src/features/canvas/server/notices.ts#sweep': ROOMS_OPEN,
  'src/features/canvas/server/run-overlay.ts#loadRuns': 'joined by pairs of organization and workflow',
  'src/features/notifications/alerts/alert-checks.ts#CLAIM':
    'what is due, of whatever organization; each row names its own',
  'src/features/notifications/deliveries.ts#CLAIM':
    'what is due, of whatever organization; each row names its own',
  'src/features/budgets/budget-alerts.ts#FIND': 'budgets of all organizations; each row names its own',
  'src/features/workflows/evaluations/store.ts#claimEvaluation':
    'what is due, of whatever organization; each row names its own',
  'src/features/workflows/evaluations/store.ts#deleteExpiredEvaluations':
    'evaluations of all organizations, by their age',
  'src/features/workflows/rehearsals/store.ts#claimRehearsal':
    'what waits, of whatever organization; each row names its own',
  'src/features/workflows/rehearsals/store.ts#deleteExpiredRehearsals':
    'rehearsals of all organizations, by their age',
  'src/features/data/jobs.ts#cancelJob': JOB,
  'src/features/data/jobs.ts#completeJob': JOB,
  'src/features/data/jobs.ts#lockJob': JOB,
  'src/features/data/jobs.ts#readJob': JOB,
  'src/features/data/jobs.ts#saveProgress': JOB,
  'src/features/data/run-data.ts#PARTS_OF_RUN': JOB,
  'src/features/data/run-data.ts#eraseRuns': JOB,
  'src/features/data/run-data.ts#exportRuns': JOB,
  'src/features/data/stages.ts#ACCOUNT': JOB,
  'src/features/data/jobs.ts#deleteExpiredExports': 'files of exports of all organizations, by their age',
  'src/features/accounts/api-keys/service.ts#insertKey': KEYS,
  'src/features/accounts/api-keys/service.ts#findApiKey': KEYS,
  'src/features/accounts/api-keys/service.ts#revokeApiKey': KEYS,
  'src/features/chats/store.ts#COLUMNS': 'a part of statements that name the organization',
  'src/features/hooks/store.ts#findHookByToken': BY_TOKEN,
  'src/features/hooks/store.ts#findStarted': FOUND,
  'src/features/hooks/store.ts#noteRejection': FOUND,
  'src/platform/credentials/api/oauth.ts#beginAuthorization':
    'deletes what is out of date, of whatever organization',
  'src/features/workflows/deployments/store.ts#clearLive': LOCKED,
  'src/features/workflows/deployments/store.ts#countActivation': LOCKED,
  'src/features/workflows/deployments/store.ts#countDeploy': LOCKED,
  'src/features/workflows/deployments/store.ts#deleteDeploymentRow': LOCKED,
  'src/features/workflows/deployments/store.ts#pointAt': LOCKED,
  'src/features/workflows/deployments/store.ts#selectDeployment': FOUND,
  'src/features/workflows/deployments/store.ts#selectPrevious': LOCKED,
  'src/features/workflows/deployments/store.ts#setLive': LOCKED,
  'src/features/accounts/invitations/service.ts#acceptInvitation': OWN,
  'src/features/accounts/invitations/service.ts#declineInvitation': OWN,
  'src/features/accounts/invitations/service.ts#listMine': OWN,
  'src/platform/knowledge/api/store.ts#hasDocuments': LOCKED,
  'src/platform/knowledge/api/store.ts#listDocuments': FOUND,
  'src/platform/knowledge/api/store.ts#readCounts': FOUND,
  'src/platform/knowledge/api/store.ts#updateBase': LOCKED,
  'src/engine/runs/ledger/questions/callback-answers.ts#claimKeptAnswer': LOCKED,
  'src/engine/runs/ledger/read/compared-steps.ts#readComparable': FOUND,
  'src/engine/runs/ledger/read/event-reader.ts#readEnded': FOLLOWED,
  'src/engine/runs/ledger/read/event-reader.ts#readPending': FOLLOWED,
  'src/engine/runs/ledger/read/event-reader.ts#readProgress': FOLLOWED,
  'src/engine/runs/ledger/questions/interrupts.ts#TAKEN_OVER': LOCKED,
  'src/engine/runs/ledger/questions/interrupts.ts#claimInterrupts': LOCKED,
  'src/engine/runs/ledger/questions/interrupts.ts#readInterrupts': LOCKED,
  'src/engine/runs/ledger/read/past-run.ts#readPastInput': FOUND,
  'src/engine/runs/ledger/read/run-list.ts#HISTORY_COLUMNS':
    'a part of a statement that names the organization',
  'src/engine/runs/ledger/read/run-reads.ts#LIST_COLUMNS': 'a part of statements that name the organization',
  'src/engine/runs/ledger/read/run-list.ts#composeNext': VISIBLE,
  'src/engine/runs/ledger/read/run-list.ts#composeWhole': VISIBLE,
  'src/engine/runs/ledger/read/run-record.ts#RECORD': VISIBLE,
  'src/engine/runs/ledger/read/run-record.ts#readQuestionSizes': FOUND,
  'src/engine/runs/ledger/read/run-record.ts#readQuestions': FOUND,
  'src/engine/runs/ledger/read/run-record.ts#readRunValue': FOUND,
  'src/engine/runs/ledger/read/run-record.ts#readSteps': FOUND,
  'src/engine/runs/ledger/read/run-record.ts#STEP_COLUMNS':
    'the sub-workflow of a step, by the key that the step has',
};

interface Statement {
  readonly where: string;
  readonly text: string;
}

/** The name that a piece of syntax gives what stands in it. */
function nameOf(node: Node): string | null {
  const owner = node['type'] === 'FunctionDeclaration' || node['type'] === 'VariableDeclarator';
  const id = owner ? node['id'] : node['type'] === 'MethodDefinition' ? node['key'] : null;
  return isNode(id) && typeof id['name'] === 'string' ? id['name'] : null;
}

type Constants = ReadonlyMap<string, Node>;

/** The texts that a file gives names: statements are put together of them. */
function constants(node: unknown): [string, Node][] {
  if (Array.isArray(node)) return node.flatMap(constants);
  if (!isNode(node)) return [];
  const name = node['type'] === 'VariableDeclarator' ? nameOf(node) : null;
  const own: [string, Node][] = name !== null && isNode(node['init']) ? [[name, node['init']]] : [];
  return [...own, ...Object.values(node).flatMap(constants)];
}

/** The text of a literal, with the constants that are put in; `…` stands for anything else. */
function textOf(node: Node, known: Constants): string | null {
  if (node['type'] === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node['type'] !== 'TemplateLiteral') return null;
  const parts = (node['quasis'] as { value: { raw: string } }[]).map((part) => part.value.raw);
  const between = (node['expressions'] as Node[]).map((expression) => {
    const constant = known.get(String(expression['name']));
    return (constant === undefined ? null : textOf(constant, known)) ?? '…';
  });
  return parts.map((part, index) => part + (between[index] ?? '')).join('');
}

/** All SQL in a syntax tree, with the outermost name that it stands under. */
function statements(
  file: string,
  node: unknown,
  known: Constants = new Map(constants(node)),
  name: string | null = null,
): Statement[] {
  if (Array.isArray(node)) return node.flatMap((item) => statements(file, item, known, name));
  if (!isNode(node)) return [];
  const inner = name ?? nameOf(node);
  const text = textOf(node, known);
  const own =
    text !== null && /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/.test(text)
      ? [{ where: `${file}#${inner ?? ''}`, text }]
      : [];
  return [...own, ...Object.values(node).flatMap((child) => statements(file, child, known, inner))];
}

/** A condition on the organization, or its column among those that are written. */
const SCOPED = /\borganization_id\s*=|\bINSERT INTO \w+ \([^)]*\borganization_id\b/;

/** Statements about one of the tables that do not name the organization, by where they stand. */
function unscoped(all: readonly Statement[], tables: readonly string[]): string[] {
  const about = new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO)\\s+(?:${tables.join('|')})\\b`);
  const found = all.filter(({ text }) => about.test(text) && !SCOPED.test(text));
  return [...new Set(found.map(({ where }) => where))].toSorted();
}

/** The models that hold rows of organizations, by the names that they are called by: `prisma.apiKey.findMany`. */
function tenantModels(): string[] {
  const schema = readFileSync(join(ROOT, 'prisma/schema.prisma'), 'utf8');
  return schema
    .split(/^model /m)
    .filter((model) => /^  organizationId /m.test(model))
    .map((model) => model.charAt(0).toLowerCase() + model.slice(1, model.indexOf(' ')));
}

const text = (source: string, node: Node): string => source.slice(Number(node['start']), Number(node['end']));

/** The function's constants that a text names, put behind it: `where` of a call, which was put together before. */
const withConstants = (source: string, known: Constants, call: string): string =>
  [
    call,
    ...[...known]
      .filter(([name]) => new RegExp(`\\b${name}\\b`).test(call))
      .map(([, node]) => text(source, node)),
  ].join(' ');

/** A value for the organization: not its column among those that are read, or sorted by. */
const SCOPED_CALL = /\borganizationId\b(?!: (?:'|true))/;

/** Calls of Prisma Client about one of the models that do not name the organization, by where they stand. */
function unscopedCalls(file: string, source: string, models: readonly string[]): string[] {
  const about = new RegExp(
    `(?:^|\\.)(?:${models.join('|')})\\.(?:find|create|update|delete|upsert|count|groupBy|aggregate)\\w*$`,
  );
  const visit = (node: unknown, name: string | null, known: Constants): string[] => {
    if (Array.isArray(node)) return node.flatMap((item) => visit(item, name, known));
    if (!isNode(node)) return [];
    const own = name === null ? nameOf(node) : null;
    const inner = own === null ? known : new Map(constants(node));
    const isCall = node['type'] === 'CallExpression' && about.test(text(source, node['callee'] as Node));
    const found = isCall && !SCOPED_CALL.test(withConstants(source, known, text(source, node)));
    const below = Object.values(node).flatMap((child) => visit(child, name ?? own, inner));
    return found ? [`${file}#${name ?? ''}`, ...below] : below;
  };
  return visit(parseSync(file, source).program, null, new Map());
}

/** The tables that hold rows of organizations, from the catalog. */
async function tenantTables(): Promise<string[]> {
  const database = await testDatabase();
  const db = openDb(database.url, 1);
  try {
    const rows = await db.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'organization_id'`,
    );
    return rows.map(({ name }) => name);
  } finally {
    await db.close();
    await database.drop();
  }
}

test('SEC-T20: every statement about rows of organizations names one, or is listed with a reason', async () => {
  const tables = await tenantTables();
  expect(tables).toEqual(expect.arrayContaining(['workflows', 'runs', 'credentials', 'wallet_ledger']));
  const ofRooms = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${room}/${name}`),
  );
  const files = [...ofRooms, ...LEDGER];
  const sources = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
  const all = sources.flatMap(([file, source]) => statements(file, parseSync(file, source).program));
  expect(all.length).toBeGreaterThan(40);
  const models = tenantModels();
  expect(models).toEqual(expect.arrayContaining(['apiKey', 'schedule', 'credential']));
  const calls = sources.flatMap(([file, source]) => unscopedCalls(file, source, models));
  expect([...new Set([...unscoped(all, tables), ...calls])].toSorted()).toEqual(
    Object.keys(EXCEPTIONS).toSorted(),
  );
});

test('a statement without its organization is found', () => {
  const source = `export async function read(sql, id) { return sql.query(\`SELECT \${COLUMNS} FROM runs WHERE id = $1\`); }
    const COLUMNS = 'organization_id, id';
    const OWN = 'organization_id = $1';
    export const list = (sql) => sql.query(\`SELECT \${COLUMNS} FROM runs WHERE \${OWN}\`);`;
  const all = statements('x.ts', parseSync('x.ts', source).program);
  expect(all).toHaveLength(2);
  expect(unscoped(all, ['runs'])).toEqual(['x.ts#read']);
});

test('a call of Prisma without its organization is found', () => {
  const source = `export async function read(db, id) { return db.prisma.run.findFirst({ where: { id } }); }
    export async function list(db, organizationId) {
      const where = { organizationId };
      return db.prisma.$transaction((tx) => tx.run.findMany({ where }));
    }
    export const gone = (db, where) => db.prisma.run.deleteMany({ where });`;
  expect(unscopedCalls('x.ts', source, ['run'])).toEqual(['x.ts#read', 'x.ts#gone']);
});
