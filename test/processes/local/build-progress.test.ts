/** If this failed, a newcomer would wait for minutes without knowing for how long. */
import { expect, test } from 'vitest';
import { BuildProgress } from '../../../src/processes/local/build-progress.ts';
import { Chance, VirtualClock } from '../../features/canvas/simulation/virtual-clock.ts';

test('a build tells its modules first, then a bar with the time that is left, and never 100 % before its end', async () => {
  const clock = new VirtualClock(new Chance(1));
  const progress = new BuildProgress(200, clock);
  expect(progress.describe()).toBe('downloading the source, 0 modules so far');
  progress.take(
    'go: downloading go.temporal.io/api v1.63.5\ngo: downloading google.golang.org/grpc v1.75.0\n',
  );
  await clock.advance(30_000);
  expect(progress.describe()).toBe('downloading the source, 2 modules so far');
  progress.take('internal/goarch\n');
  await clock.advance(60_000);
  // A line arrives in two parts.
  progress.take(`${'unicode/utf8\n'.repeat(48)}go.temporal.io/`);
  progress.take('api/common/v1\n');
  expect(progress.describe()).toBe('[######------------------] 25 %, at most 3 min left');
  progress.take('net/http\n'.repeat(100));
  expect(progress.describe()).toBe('[##################------] 75 %, at most 20 s left');
  progress.take('go.temporal.io/server/common\n'.repeat(60));
  expect(progress.describe()).toBe('[#######################-] 99 %, linking');
});

test('what is no module and no package does not count', () => {
  const progress = new BuildProgress(10, new VirtualClock(new Chance(1)));
  progress.take('# go.temporal.io/server\n./main.go:1:1: syntax error\ngo: finding module\n\n');
  expect(progress.describe()).toBe('downloading the source, 0 modules so far');
});
