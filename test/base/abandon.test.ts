/** Work that does not listen to its abort would decide when its caller ends. */
import { expect, test } from 'vitest';
import { ABANDON_AFTER_MS, abandonAfterAbort } from '../../src/base/abandon.ts';
import { Chance, VirtualClock } from '../features/canvas/simulation/virtual-clock.ts';

/** Work that ends when the test says so, and a caller that waits for it. */
function begin(signal?: AbortSignal) {
  const clock = new VirtualClock(new Chance(1));
  const abort = new AbortController();
  const heard: string[] = [];
  let end = (_result: string): void => undefined;
  let fail = (_error: Error): void => undefined;
  const work = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const options = { clock, signal: signal ?? abort.signal };
  abandonAfterAbort(work, options, (ended) => {
    heard.push('abandoned');
    void ended.then(() => heard.push('ended'));
  }).then(
    (result) => heard.push(result),
    (error: Error) => heard.push(error.message),
  );
  return { clock, heard, end, fail, abort: () => abort.abort(new Error('aborted')) };
}

test('work that never ends is abandoned two seconds after its abort, with the reason of the abort', async () => {
  const { clock, heard, abort } = begin();
  await clock.advance(60_000);
  abort();
  await clock.advance(ABANDON_AFTER_MS - 1);
  expect(heard).toEqual([]);
  await clock.advance(1);
  expect(heard).toEqual(['abandoned', 'aborted']);
});

test('work that has its signal aborted before it begins is abandoned, too', async () => {
  const { clock, heard } = begin(AbortSignal.abort(new Error('before')));
  await clock.advance(ABANDON_AFTER_MS);
  expect(heard).toEqual(['abandoned', 'before']);
});

test('work that ends after its abort, in time, tells what has come of it', async () => {
  for (const finish of ['end', 'fail'] as const) {
    const begun = begin();
    begun.abort();
    await begun.clock.advance(ABANDON_AFTER_MS - 1);
    if (finish === 'end') begun.end('done');
    else begun.fail(new Error('its own error'));
    await begun.clock.advance(ABANDON_AFTER_MS);
    expect(begun.heard).toEqual([finish === 'end' ? 'done' : 'its own error']);
  }
});

test('what comes of abandoned work later is not told, but that it has ended', async () => {
  for (const finish of ['end', 'fail'] as const) {
    const begun = begin();
    begun.abort();
    await begun.clock.advance(ABANDON_AFTER_MS);
    if (finish === 'end') begun.end('late');
    else begun.fail(new Error('late'));
    await begun.clock.advance(0);
    expect(begun.heard).toEqual(['abandoned', 'aborted', 'ended']);
  }
});
