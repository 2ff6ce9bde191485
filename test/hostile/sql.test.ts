/**
 * T20: tenants are told apart by the conditions of statements, so statements are read. In the rooms that take ids from
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
const ROOMS = ['src/resources', 'src/access', 'src/realtime'];

const FOUND = 'by the key of a row that was found under its organization in the same request';
const LOCKED =
  'by the key of a row that was found under its organization, and locked, in the same transaction';
const FOLLOWED = 'runs whose streams are open: each was found under its organization when it was opened';
/** Functions whose statements need not name the organization: `file#function`. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/access/key-use.ts#WRITE': 'keys that have just been verified',
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
  'src/resources/runs/feed.ts#poll': FOLLOWED,
  'src/resources/runs/frames.ts#readEnd': FOLLOWED,
  'src/resources/schedules/store.ts#updateSchedule': LOCKED,
  'src/resources/workflows/store.ts#listWorkflows': 'its conditions, put in, begin with the organization',
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

/** The fixed text of a literal; `…` stands for what is put in. */
function textOf(node: Node): string | null {
  if (node['type'] === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node['type'] !== 'TemplateLiteral') return null;
  return (node['quasis'] as { value: { raw: string } }[]).map((part) => part.value.raw).join('…');
}

/** All SQL in a syntax tree, with the outermost name that it stands under. */
function statements(file: string, node: unknown, name: string | null = null): Statement[] {
  if (Array.isArray(node)) return node.flatMap((item) => statements(file, item, name));
  if (!isNode(node)) return [];
  const inner = name ?? nameOf(node);
  const text = textOf(node);
  const own =
    text !== null && /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/.test(text)
      ? [{ where: `${file}#${inner ?? ''}`, text }]
      : [];
  return [...own, ...Object.values(node).flatMap((child) => statements(file, child, inner))];
}

/** Statements about one of the tables that do not name the organization, by where they stand. */
function unscoped(all: readonly Statement[], tables: readonly string[]): string[] {
  const about = new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO)\\s+(?:${tables.join('|')})\\b`);
  const found = all.filter(({ text }) => about.test(text) && !/\borganization_id\b/.test(text));
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

test('T20: every statement about rows of organizations names one, or says why not', async () => {
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
    const SCOPED = 'SELECT 1 FROM runs WHERE organization_id = $1';`;
  const all = statements('x.ts', parseSync('x.ts', source).program);
  expect(all).toHaveLength(2);
  expect(unscoped(all, ['runs'])).toEqual(['x.ts#read']);
});
