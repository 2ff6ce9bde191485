/** A stream would outlive the access of its reader, or be dropped by a proxy because nothing is sent. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Sql } from '../../src/base/db/client.ts';
import { createLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { BEHIND_EVENTS, PAGE_WEIGHT } from '../../src/engine/runs/ledger/read/event-reader.ts';
import { FairSemaphore, type Release } from '../../src/base/shares/fair-semaphore.ts';
import { RunStream, type StreamDeps } from '../../src/engine/runs/stream/run-stream.ts';

/** A client that reads as fast as the test lets it. */
class FakeResponse extends EventEmitter {
  readonly written: string[] = [];
  isReading = true;
  isEnded = false;
  isDestroyed = false;

  write(text: string): boolean {
    this.written.push(text);
    return this.isReading;
  }
  end(): void {
    this.isEnded = true;
    this.emit('close');
  }
  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
  get frames(): { type: string }[] {
    return this.written.flatMap((text) => {
      const json = /^data: (.*)$/m.exec(text)?.[1];
      return json === undefined ? [] : [JSON.parse(json)];
    });
  }
}

/** A run with events that the test adds. */
function storedRun(): { sql: Sql; add(type: string): void; fail(times: number): void } {
  const events: { seq: number; type: string; payload: string; created_at: Date }[] = [];
  let failures = 0;
  return {
    add: (type) =>
      void events.push({ seq: events.length + 1, type, payload: '{"n":1}', created_at: new Date(0) }),
    fail: (times) => void (failures = times),
    sql: {
      async query<Row extends object>(_text: string, params: readonly unknown[] = []) {
        if (failures > 0) {
          failures -= 1;
          throw new Error('connection refused');
        }
        return events.filter((event) => event.seq > Number(params[1])) as Row[];
      },
    },
  };
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

function open(more: Partial<StreamDeps> = {}) {
  const response = new FakeResponse();
  const stored = storedRun();
  stored.add('run_started');
  const stream = new RunStream({
    db: stored.sql,
    events: { read: (runPk, afterSeq) => stored.sql.query('', [runPk, afterSeq]) },
    log: createLog('silent', 'test'),
    clock: systemClock,
    run: { runPk: 'pk', runId: 'id', rootRunPk: 'pk', threadId: null },
    response: response as unknown as ServerResponse,
    afterSeq: 0,
    hasEnded: false,
    lastSeq: 0,
    takeShare: async () => () => undefined,
    isAllowed: async () => true,
    ...more,
  });
  return { response, stored, stream, over: stream.serve() };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a run stream', () => {
  test('a client that does not read gets no more, and is dropped after 30 seconds', async () => {
    const { response, stored, stream, over } = open();
    await settle();
    response.isReading = false;
    for (let n = 0; n < 100; n += 1) stored.add('progress');
    stream.wake();
    await vi.advanceTimersByTimeAsync(29_000);
    expect(response.written).toHaveLength(2);
    expect(response.isDestroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(response.isDestroyed).toBe(true);
    await over;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a client that was slow for a while goes on where it was', async () => {
    const { response, stored, stream, over } = open();
    await settle();
    response.isReading = false;
    stored.add('progress');
    stream.wake();
    await settle();
    // What comes while it does not read waits for it.
    stored.add('run_completed');
    stream.wake(true);
    await settle();
    expect(response.frames.map((frame) => frame.type)).toEqual(['run_started', 'progress']);
    response.isReading = true;
    response.emit('drain');
    await over;
    expect(response.frames.map((frame) => frame.type)).toEqual(['run_started', 'progress', 'run_completed']);
    expect(response.isEnded).toBe(true);
  });

  test('a busy run is sent in larger pieces, and its end without delay', async () => {
    const { response, stored, stream, over } = open();
    await settle();
    for (let step = 0; step < 10; step += 1) {
      stored.add('progress');
      stream.wake();
      await vi.advanceTimersByTimeAsync(5);
    }
    // The first at its opening, the second at once, and one in each 25 ms.
    expect(response.written).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(25);
    expect(response.written.join('').match(/^id: /gm)).toHaveLength(11);
    for (const type of ['progress', 'progress', 'run_completed']) {
      stored.add(type);
      stream.wake(type === 'run_completed');
    }
    await settle();
    await over;
    expect(response.written.at(-1)).toContain('"run_completed"');
  });

  test('pings every 15 seconds, and ends within 30 when access is lost (SEC-T19)', async () => {
    let isAllowed = true;
    const { response, over } = open({ isAllowed: async () => isAllowed });
    await vi.advanceTimersByTimeAsync(45_000);
    expect(response.written.filter((text) => text === ': ping\n\n')).toHaveLength(3);
    isAllowed = false;
    await vi.advanceTimersByTimeAsync(30_000);
    await over;
    expect(response.isEnded).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a database that is away for a while ends nothing', async () => {
    const { response, stored, stream, over } = open();
    await settle();
    stored.add('run_completed');
    stored.fail(1);
    stream.wake();
    await settle();
    expect(response.frames).toHaveLength(1);
    stream.checkState({ lastSeq: 2, hasEnded: true });
    await over;
    expect(response.frames.map((frame) => frame.type)).toEqual(['run_started', 'run_completed']);
  });

  test('a position ahead of what was sent repairs a lost notification; its frame has no id', async () => {
    const { response, stored, stream } = open();
    await settle();
    stored.add('progress');
    stream.sendHeartbeat([{ node_id: 'n', attempt: 1, seq: 2, tokens: 7 }]);
    await settle();
    expect(response.frames.map((frame) => frame.type)).toEqual(['run_started', 'heartbeat', 'progress']);
    expect(response.frames[1]).toMatchObject({ nodes: [{ node_id: 'n', attempt: 1, seq: 2, tokens: 7 }] });
    expect(response.written[1]).not.toContain('id:');
    stream.close();
  });

  test('the stream of a deleted run ends with run_removed', async () => {
    const { response, stream, over } = open();
    await settle();
    stream.checkState(null);
    await over;
    expect(response.frames.at(-1)).toMatchObject({ type: 'stream_error', code: 'run_removed' });
  });
});

describe('SRV-answer-bytes: a stream that catches up', () => {
  test('reads its pages within a share, and holds each until it is taken; one that keeps up takes none', async () => {
    const answers = new FairSemaphore({ capacity: PAGE_WEIGHT, perOrganization: PAGE_WEIGHT });
    const takeShare = (bytes: number, signal: AbortSignal): Promise<Release> =>
      answers.acquire('o', { weight: bytes, signal });
    const before = await answers.acquire('o', { weight: PAGE_WEIGHT });
    const slow = open({ lastSeq: BEHIND_EVENTS + 1, takeShare });
    const current = open({ lastSeq: BEHIND_EVENTS, takeShare });
    await settle();
    expect([slow.response.frames.length, current.response.frames.length]).toEqual([0, 1]);
    slow.response.isReading = false;
    before();
    await settle();
    expect([slow.response.frames.length, answers.held]).toEqual([1, PAGE_WEIGHT]);
    slow.response.emit('drain');
    await settle();
    expect(answers.held).toBe(0);
  });

  test('leaves the line when its client goes', async () => {
    const answers = new FairSemaphore({ capacity: 1, perOrganization: 1 });
    await answers.acquire('o');
    const { response, over } = open({
      lastSeq: 100,
      takeShare: (bytes, signal) => answers.acquire('o', { weight: bytes, signal }),
    });
    await settle();
    expect(answers.countWaiting('o')).toBe(1);
    response.emit('close');
    await over;
    expect(answers.countWaiting('o')).toBe(0);
  });
});
