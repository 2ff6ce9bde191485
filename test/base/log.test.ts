/** A log would quote an error text that belongs to a tenant, or hide one that an operator needs (SPEC SEC-Z11). */
import { expect, test } from 'vitest';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { createLog } from '../../src/base/log.ts';
import { NodeError } from '../../src/language/nodes/kind.ts';

const MARKER = 'text of a tenant';

/** The line that a log writes of these fields. */
function lineOf(fields: object): string {
  const lines: string[] = [];
  createLog('trace', 'test', { write: (line: string) => void lines.push(line) }).error(fields, 'said');
  return lines.join('');
}

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** As pg makes them: a severity and an SQLSTATE beside the message. */
const databaseError = (code: string, message: string): Error =>
  Object.assign(new Error(message), { name: 'error', severity: 'ERROR', code });

test.each([
  ['a node', new NodeError('function_error', `Error: ${MARKER}`), 'function_error'],
  ['an activity', ApplicationFailure.nonRetryable(`Error: ${MARKER}`, 'function_error'), 'function_error'],
  ['a parser', caught(() => JSON.parse(`{"a": ${MARKER}}`)), undefined],
  ['a pattern', caught(() => new RegExp(`(${MARKER}`)), undefined],
  ['a schema', caught(() => z.record(z.literal('a'), z.null()).parse({ [MARKER]: 1 })), undefined],
  [
    'PostgreSQL, of a value',
    databaseError('22P02', `invalid input syntax for type uuid: "${MARKER}"`),
    '22P02',
  ],
  ['what a node was ended by', new NodeError('x', 'y', { cause: new Error(MARKER) }), 'x'],
])('SEC-Z11: the error of %s is logged without its text, with its place', (_, error, code) => {
  const line = lineOf({ err: error });
  expect(line).not.toContain(MARKER);
  const { err } = JSON.parse(line) as { err: { name: string; code?: string; stack: string } };
  expect(err.name).toBe((error as Error).name);
  expect(err.code).toBe(code);
  expect(err.stack).toMatch(/^ {4}at /);
});

test('a message of several lines that look like places is left out whole', () => {
  const line = lineOf({ err: new NodeError('function_error', `x\n    at ${MARKER} (file:///a.js:1:1)\nr`) });
  expect(line).not.toContain(MARKER);
});

test('SEC-Z11: of work that is done for tenants nothing is quoted but PostgreSQL', () => {
  expect(lineOf({ thrown: new Error(MARKER) })).not.toContain(MARKER);
  expect(lineOf({ thrown: new TypeError(MARKER, { cause: new Error(MARKER) }) })).not.toContain(MARKER);
  expect(lineOf({ thrown: MARKER })).not.toContain(MARKER);
  expect(lineOf({ thrown: databaseError('42703', 'column "x" does not exist') })).toContain('does not exist');
});

test('an error of the service itself is logged with its text', () => {
  const { err } = JSON.parse(lineOf({ err: new Error('broke', { cause: new Error('why') }) })) as {
    err: object;
  };
  expect(err).toMatchObject({ name: 'Error', message: 'broke', cause: 'why' });
});

test('SEC-Z11: a process that reads what tenants gave is logged without its words', () => {
  const text = `file:///app/x.js:3\nthrow new Error('${MARKER}')\n^\n\nTypeError: ${MARKER}\n    at read (file:///app/x.js:3:7)\n    at node:internal/main:1:2\n    at ${MARKER}\n`;
  const line = lineOf({ crash: Buffer.from(text) });
  expect(line).not.toContain(MARKER);
  expect(JSON.parse(line)).toMatchObject({
    crash: { name: 'TypeError', stack: '    at read (file:///app/x.js:3:7)\n    at node:internal/main:1:2' },
  });
});

test('a line has its level as a word, and the fields of its process and of the moment', () => {
  const lines: string[] = [];
  const current = { trace_id: 'first' };
  const log = createLog(
    'info',
    'test',
    { write: (line: string) => void lines.push(line) },
    {
      constant: { version: '1.0.0', instance: 'api-1' },
      current: () => current,
    },
  );
  log.warn('said');
  const { time: _, ...line } = JSON.parse(lines.join(''));
  expect(line).toEqual({
    level: 40,
    severity: 'warn',
    service: 'test',
    version: '1.0.0',
    instance: 'api-1',
    trace_id: 'first',
    msg: 'said',
  });
});
