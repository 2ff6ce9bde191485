/** The export of a long list would hold all of it in the memory of the page, or lose rows between its parts. */
import { expect, test } from 'vitest';
import { gatherLines } from '../../../../src/surfaces/web/kit/gather-lines.ts';

async function* count(rows: number): AsyncGenerator<{ readonly number: number }> {
  for (let number = 0; number < rows; number += 1) yield { number };
}

test.each([
  [0, []],
  [1, [1]],
  [1_000, [1_000]],
  [2_001, [1_000, 1_000, 1]],
])('%i rows are gathered as JSON Lines in parts of %o', async (rows, sizes) => {
  const parts = await Promise.all((await gatherLines(count(rows))).map((part) => part.text()));
  const lines = parts.map((text) => text.split('\n').slice(0, -1));
  expect(lines.map(({ length }) => length)).toEqual(sizes);
  expect(lines.flat().map((line) => JSON.parse(line) as unknown)).toEqual(
    Array.from({ length: rows }, (_, number) => ({ number })),
  );
});
