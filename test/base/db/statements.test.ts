/**
 * A statement would fail at run time, or return other columns than the code reads. PostgreSQL describes each constant
 * statement of the source on the migrated database.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { Sources, type Column, type Kind } from '../../support/row-types.ts';
import { constantStatements, type Statement } from '../../support/statements.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Importing these starts a process. */
const PROGRAMS =
  /^(src\/processes\/(serve-|admin|local\/)|src\/base\/db\/(migrate|generated)|temporal\/(serve-worker|worker\/bundle)|.*\/serve-)/;

interface Described {
  readonly name: string;
  readonly dataTypeID: number;
}

const KINDS: Readonly<Record<string, Kind>> = {
  bool: 'boolean',
  bytea: 'bytes',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'json',
  jsonb: 'json',
  name: 'string',
  numeric: 'string',
  oid: 'number',
  text: 'string',
  timestamptz: 'date',
  uuid: 'string',
  varchar: 'string',
};

/** Asks the server what a statement returns, without running it. */
function describeStatement(client: pg.Client, text: string): Promise<Described[]> {
  return new Promise((resolve, reject) => {
    let fields: Described[] = [];
    const submitted = {
      submit(connection: {
        parse(query: object, more: boolean): void;
        describe(what: object, more: boolean): void;
        sync(): void;
      }): void {
        connection.parse({ text, name: '', types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription: (message: { fields: Described[] }) => void ({ fields } = message),
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(submitted as unknown as pg.Submittable);
  });
}

/** The words for what a declared column and a returned one disagree in; null when they agree. */
function difference(
  declared: Column,
  returned: { readonly kind: Kind; readonly isArray: boolean },
): string | null {
  // JSON is parsed: whatever the type says of it is the reader's word.
  if (returned.kind === 'json' && !returned.isArray)
    return declared.kinds.has('date') ? 'json as a date' : null;
  const agrees = declared.isArray === returned.isArray && declared.kinds.has(returned.kind);
  const words = ({ isArray, kinds }: Column): string => `${[...kinds].join(' or ')}${isArray ? '[]' : ''}`;
  return agrees ? null : `${returned.kind}${returned.isArray ? '[]' : ''}, declared ${words(declared)}`;
}

describe('the constant statements of the source', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let statements: Statement[];
  let dynamic: string[];
  const types = new Map<
    number,
    { readonly kind: Kind | undefined; readonly isArray: boolean; readonly name: string }
  >();

  beforeAll(async () => {
    database = await testDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{
      oid: number;
      name: string;
      element: string | null;
      type: string;
      base: string | null;
    }>(
      `SELECT t.oid::int AS oid, t.typname AS name, t.typtype AS type, e.typname AS element, b.typname AS base
       FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A' LEFT JOIN pg_type b ON b.oid = t.typbasetype`,
    );
    for (const row of rows) {
      const isArray = row.element !== null;
      const name = row.element ?? row.base ?? row.name;
      types.set(row.oid, { name, isArray, kind: row.type === 'e' ? 'string' : KINDS[name] });
    }
    const files = ['src', 'temporal'].flatMap((top) =>
      readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
        .map((name) => join(top, name))
        .filter((path) => path.endsWith('.ts') && !PROGRAMS.test(path))
        .filter((path) => /\.(query|batched)[<(]/.test(readFileSync(join(ROOT, path), 'utf8'))),
    );
    ({ constant: statements, dynamic } = await constantStatements(ROOT, new Sources(ROOT), files));
    // Each file with statements is loaded once more: a busy machine takes its time.
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function listProblems({ sql, columns, isBatched }: Statement): Promise<string[]> {
    const fields = await describeStatement(client, sql);
    if (columns === null) return [];
    const problems: string[] = [];
    // Rows of a batch say which key they answer, which is taken off again.
    // What a function does for its effect alone returns nothing to read.
    const returned = fields
      .filter(({ name }) => !isBatched || name !== 'place')
      .filter(({ dataTypeID }) => types.get(dataTypeID)?.name !== 'void');
    for (const { name, dataTypeID } of returned) {
      const declared = columns.get(name);
      if (declared === undefined) problems.push(`${name} is returned and not declared`);
      else {
        const type = types.get(dataTypeID);
        if (type?.kind === undefined) problems.push(`${name} is of type ${type?.name}, which nothing reads`);
        else {
          const found = difference(declared, { kind: type.kind, isArray: type.isArray });
          if (found !== null) problems.push(`${name} is ${found}`);
        }
      }
    }
    const names = new Set(returned.map(({ name }) => name));
    for (const [name, { isOptional }] of columns)
      if (!isOptional && !names.has(name)) problems.push(`${name} is declared and not returned`);
    return problems;
  }

  test('are prepared by the migrated database, and return the columns that their rows declare', async () => {
    const problems: string[] = [];
    for (const statement of statements) {
      const found = await listProblems(statement).catch((error: Error) => [error.message]);
      problems.push(...found.map((problem) => `${statement.place}: ${problem}`));
    }
    expect(problems).toEqual([]);
  });

  test('are nearly all statements: few are put together by a call', () => {
    const withRows = statements.filter(({ columns }) => columns !== null);
    expect(withRows.length).toBeGreaterThan(100);
    expect(dynamic.length).toBeLessThan(statements.length / 5);
  });
});
