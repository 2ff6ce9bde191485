/**
 * SPEC SEC-T20: tenants are told apart by the conditions of statements, so statements are read. In the rooms that take ids from
 * clients, each one about a table of organizations' rows names the organization, or is listed here with its reason.
 * (Row level security would be a second wall for those of the API alone: workers, reconcilers and janitors work across
 * organizations on the same pool of connections, and a setting per transaction costs the hot paths a round trip.)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { openDb } from '../../src/db/client.ts';
import { testDatabase } from '../support/database.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = [
  'src/resources',
  'src/access',
  'src/canvas',
  'src/runs/api',
  'src/runs/accept',
  'src/runs/stream',
];

const FOUND = 'by the key of a row that was found under its organization in the same request';
const LOCKED =
  'by the key of a row that was found under its organization, and locked, in the same transaction';
const OWN =
  'rows of the caller, of whatever organization: memberships, and invitations to a verified address';
const FOLLOWED = 'runs whose streams are open: each was found under its organization when it was opened';
const ROOMS_OPEN = 'workflows whose rooms are open: each was found under its organization when it was opened';
/** Functions whose statements need not name the organization: `file#function`. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/access/api-key.ts#FIND': 'by the digest of the key, which says whose it is',
  'src/access/key-use.ts#WRITE': 'keys that have just been verified',
  'src/access/still-allowed.ts#rolesNow': 'joined by pairs of organization and user',
  'src/canvas/server/lease-renewal.ts#giveUp': ROOMS_OPEN,
  'src/canvas/server/notices.ts#sweep': ROOMS_OPEN,
  'src/canvas/server/run-overlay.ts#learn': 'joined by pairs of organization and workflow',
  'src/resources/chats/store.ts#COLUMNS': 'a part of statements that name the organization',
  'src/resources/credentials/oauth-store.ts#insertAuthorization':
    'deletes what is out of date, of whatever organization',
  'src/resources/credentials/store.ts#deleteCredentialRow': LOCKED,
  'src/resources/credentials/store.ts#noteTest': FOUND,
  'src/resources/credentials/store.ts#updateCredential': LOCKED,
  'src/resources/deployments/store.ts#clearLive': LOCKED,
  'src/resources/deployments/store.ts#countActivation': LOCKED,
  'src/resources/deployments/store.ts#countDeploy': LOCKED,
  'src/resources/deployments/store.ts#deleteDeploymentRow': LOCKED,
  'src/resources/deployments/store.ts#listDeployments': FOUND,
  'src/resources/deployments/store.ts#pointAt': LOCKED,
  'src/resources/deployments/store.ts#selectDeployment': FOUND,
  'src/resources/deployments/store.ts#selectDetail': FOUND,
  'src/resources/deployments/store.ts#selectPrevious': LOCKED,
  'src/resources/deployments/store.ts#setLive': LOCKED,
  'src/resources/invitations/service.ts#SELECT_INVITATIONS': 'a part of statements that go on',
  'src/resources/invitations/service.ts#acceptInvitation': OWN,
  'src/resources/invitations/service.ts#listMine': OWN,
  'src/resources/knowledge-bases/store.ts#hasDocuments': LOCKED,
  'src/resources/knowledge-bases/store.ts#listDocuments': FOUND,
  'src/resources/knowledge-bases/store.ts#readFacts': FOUND,
  'src/resources/knowledge-bases/store.ts#updateBase': LOCKED,
  'src/resources/organizations/service.ts#organizationsOf': OWN,
  'src/runs/stream/feed.ts#poll': FOLLOWED,
  'src/runs/stream/frames.ts#readEnd': FOLLOWED,
  'src/resources/schedules/store.ts#updateSchedule': LOCKED,
};

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

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

test('SEC-T20: every statement about rows of organizations names one, or says why not', async () => {
  const tables = await tenantTables();
  expect(tables).toEqual(expect.arrayContaining(['workflows', 'runs', 'credentials', 'wallet_ledger']));
  const files = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${room}/${name}`),
  );
  const all = files.flatMap((file) =>
    statements(file, parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program),
  );
  expect(all.length).toBeGreaterThan(40);
  expect(unscoped(all, tables)).toEqual(Object.keys(EXCEPTIONS).toSorted());
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
