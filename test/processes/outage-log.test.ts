/** If this failed, an outage of minutes would fill the log with lines of one cause, or a line of another cause would be lost among them. */
import { expect, test } from 'vitest';
import { TemporalUnavailable } from '../../src/base/errors.ts';
import { findOutage } from '../../src/processes/find-outage.ts';
import { createLog, type Logger } from '../../src/base/log.ts';
import { OutageLog } from '../../src/processes/outage-log.ts';
import { Chance, VirtualClock } from '../features/canvas/simulation/virtual-clock.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly outage?: string;
  readonly left_out?: number;
  readonly seconds?: number;
}

function open(level = 'info') {
  const clock = new VirtualClock(new Chance(1));
  const outages = new OutageLog({ clock, findCause: findOutage });
  const lines: Line[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Line);
  const log: Logger = createLog(level, 'test', { write }, { fold: outages.fold });
  outages.attach(log);
  return { clock, outages, lines, log };
}

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const unavailable = (): Error =>
  Object.assign(new Error('14 UNAVAILABLE'), {
    code: 14,
    details: 'No connection established',
    metadata: {},
  });

test('REL-R35: an outage of 150 s with ten lines a second is a line at its begin, one a minute and one at its end', async () => {
  const { clock, outages, lines, log } = open();
  for (let count = 0; count < 1_500; count += 1) {
    log.warn({ err: refused() }, 'the outbox could not be read');
    await clock.advance(100);
  }
  await clock.advance(5_000);
  outages.noteAnswer('database', clock.monotonic());
  expect(lines.map(({ msg, outage, left_out, seconds }) => ({ msg, outage, left_out, seconds }))).toEqual([
    { msg: 'an outage: further lines of this cause are left out', outage: 'database' },
    { msg: 'the outage goes on', outage: 'database', left_out: 600, seconds: 60 },
    { msg: 'the outage goes on', outage: 'database', left_out: 1_200, seconds: 120 },
    { msg: 'the outage is over', outage: 'database', left_out: 1_499, seconds: 155 },
  ]);
});

test('lines of another cause, and those without an error, are written meanwhile', () => {
  const { lines, log } = open();
  log.warn({ err: refused() }, 'one');
  log.error({ err: new TypeError('a defect') }, 'two');
  log.warn({}, 'three');
  log.warn('four');
  log.info({ err: refused() }, 'five');
  expect(lines.map(({ msg }) => msg).slice(1)).toEqual(['two', 'three', 'four', 'five']);
});

test('a server that fails now and then is one outage: it is over when nothing has failed for 5 s before a question', async () => {
  const { clock, outages, lines, log } = open();
  for (let count = 0; count < 10; count += 1) {
    log.warn({ err: refused() }, 'lost');
    await clock.advance(4_999);
    outages.noteAnswer('database', clock.monotonic());
  }
  expect(lines).toHaveLength(1);
  await clock.advance(1);
  outages.noteAnswer('database', clock.monotonic());
  expect(lines.map(({ msg }) => msg).slice(1)).toEqual(['the outage is over']);
});

test('an answer to a question that was asked before the failure does not end the outage', async () => {
  const { clock, outages, lines, log } = open();
  await clock.advance(10_000);
  log.warn({ err: refused() }, 'lost');
  await clock.advance(6_000);
  outages.noteAnswer('database', 9_000);
  expect(lines).toHaveLength(1);
});

test('at level debug every line is there', () => {
  const { lines, log } = open('debug');
  for (const message of ['one', 'two', 'three']) log.warn({ err: refused() }, message);
  expect(lines.map(({ msg }) => msg).slice(1)).toEqual(['one', 'two', 'three']);
});

test.each([
  ['a refused connection', refused(), 'database'],
  ['a stop of the server', Object.assign(new Error('terminating'), { code: '57P01' }), 'database'],
  ['no connection left', Object.assign(new Error('too many'), { code: '53300' }), 'database'],
  ["the driver's own", new Error('Connection terminated unexpectedly'), 'database'],
  ['one behind another', new Error('failed', { cause: refused() }), 'database'],
  ['a deadlock, which is no outage', Object.assign(new Error('deadlock'), { code: '40P01' }), null],
  ['a slow statement, which is none', Object.assign(new Error('canceling'), { code: '57014' }), null],
  ['a call of Temporal', unavailable(), 'temporal'],
  ['the port to Temporal', new TemporalUnavailable('away'), 'temporal'],
  ['a defect', new TypeError('x is undefined'), null],
  ['no error', 'text', null],
])('%s is an outage of its server', (_, error, cause) => {
  expect(findOutage(error)).toBe(cause);
});

test('a line names its server itself where its error does not', () => {
  const { lines, log } = open();
  log.warn({ err: refused(), dependency: 'identity_provider' }, 'not fetched');
  log.warn({ err: refused(), dependency: 'identity_provider' }, 'not fetched');
  log.warn({ err: refused() }, 'not read');
  expect(lines.map(({ outage }) => outage)).toEqual(['identity_provider', 'database']);
});
