/** If this failed, an operator would be told that a server works that is away, or a silent one would collect open questions. */
import { expect, test } from 'vitest';
import { DependencyWatch, type Dependency } from '../../../src/base/observe/dependencies.ts';
import { registers } from '../../../src/base/observe/metrics.ts';
import { Chance, VirtualClock } from '../../features/canvas/simulation/virtual-clock.ts';

async function readGauge(name: string): Promise<number | undefined> {
  const metric = registers[0]?.getSingleMetric(name);
  return (await metric?.get())?.values[0]?.value;
}

/** A watch of one dependency, with all that its listener heard. */
function watch(name: Dependency['name'], ask: () => Promise<unknown>) {
  const clock = new VirtualClock(new Chance(1));
  const heard: string[] = [];
  const watched = new DependencyWatch({
    clock,
    listener: {
      noteAnswer: (_, askedAtMs) => heard.push(`answer to the question at ${askedAtMs}`),
      noteFailure: (_, error) => heard.push(`failure: ${String(error)}`),
    },
    dependencies: [{ name, everyMs: 5_000, ask }],
  });
  return { clock, heard, watched };
}

test('a server that was never asked has no gauge, so that nobody is woken for one that is not used', async () => {
  expect(await readGauge('smtp_up')).toBeUndefined();
});

test('REL-R34: the gauge and the list of what fails follow each answer', async () => {
  let isUp = true;
  const { clock, heard, watched } = watch('model', async () => {
    if (!isUp) throw new Error('away');
  });
  watched.start();
  await clock.advance(0);
  expect([await readGauge('model_up'), watched.listFailing()]).toEqual([1, []]);
  isUp = false;
  await clock.advance(5_000);
  expect([await readGauge('model_up'), watched.listFailing()]).toEqual([0, ['model']]);
  isUp = true;
  await clock.advance(5_000);
  expect([await readGauge('model_up'), watched.listFailing()]).toEqual([1, []]);
  expect(heard).toEqual([
    'answer to the question at 0',
    'failure: Error: away',
    'answer to the question at 10000',
  ]);
  watched.stop();
  await clock.advance(60_000);
  expect(heard).toHaveLength(3);
});

test('a server that stays silent fails after 5 s, and is asked again once the question has ended', async () => {
  let [asked, end] = [0, (): void => undefined];
  const { clock, watched } = watch('temporal', () => {
    asked += 1;
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  watched.start();
  await clock.advance(4_999);
  expect(watched.listFailing()).toEqual([]);
  await clock.advance(1);
  expect(watched.listFailing()).toEqual(['temporal']);
  await clock.advance(600_000);
  expect(asked).toBe(1);
  end();
  await clock.advance(5_000);
  expect(asked).toBe(2);
  watched.stop();
});
