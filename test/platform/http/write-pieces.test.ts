/** A long answer would fill the memory of the API, or a client that stops reading would hold it for ever. */
import { EventEmitter } from 'node:events';
import type { Context } from 'koa';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writePieces } from '../../../src/platform/http/write-pieces.ts';

/** A response whose client takes what is written when the test says so. */
class FakeResponse extends EventEmitter {
  readonly written: string[] = [];
  headersSent = false;
  isEnded = false;
  isDestroyed = false;
  #onTaken: ((error: null) => void) | null = null;

  writeHead(): void {
    this.headersSent = true;
  }
  write(piece: string, onTaken: (error: null) => void): void {
    this.written.push(piece);
    this.#onTaken = onTaken;
  }
  async take(): Promise<void> {
    this.#onTaken?.(null);
    await vi.advanceTimersByTimeAsync(0);
  }
  end(): void {
    this.isEnded = true;
  }
  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

function answer(pieces: readonly (string | Error)[]) {
  const response = new FakeResponse();
  const made: string[] = [];
  const ended = { isEnded: false };
  async function* make(): AsyncGenerator<string> {
    try {
      for (const piece of pieces) {
        if (piece instanceof Error) throw piece;
        made.push(piece);
        yield piece;
      }
    } finally {
      ended.isEnded = true;
    }
  }
  const over = writePieces({ res: response } as unknown as Context, make);
  over.catch(() => undefined);
  return { response, made, ended, over };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('no piece is made before the last one was taken', async () => {
  const { response, made, over } = answer(['a', 'b']);
  await vi.advanceTimersByTimeAsync(0);
  expect(made).toEqual(['a']);
  await response.take();
  expect(made).toEqual(['a', 'b']);
  await response.take();
  await over;
  expect([response.written, response.isEnded]).toEqual([['a', 'b'], true]);
});

test('a client that takes nothing for 30 seconds is cut off, and the pieces end', async () => {
  const { response, ended, over } = answer(['a', 'b']);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(response.isDestroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await over;
  expect([response.isDestroyed, ended.isEnded, response.written]).toEqual([true, true, ['a']]);
});

test('a failure before the first piece is answered as an error; a later one breaks off the answer', async () => {
  const early = answer([new Error('not found')]);
  await expect(early.over).rejects.toThrow('not found');
  expect(early.response.headersSent).toBe(false);
  const late = answer(['a', new Error('the database is away')]);
  await vi.advanceTimersByTimeAsync(0);
  await late.response.take();
  await expect(late.over).rejects.toThrow('the database is away');
  expect([late.response.headersSent, late.response.isEnded]).toEqual([true, false]);
});
