/** If this failed, a program with a generated client would fail at the first frame or node of a type that its client refuses. */
import { expect, test } from 'vitest';
import { apiDocument } from '../../../../src/processes/api-document.ts';
import { findPython } from '../../../support/python.ts';
import { listExamples, readExamples } from './read-examples.ts';

const ALL = listExamples(apiDocument());
const frames = ALL.filter(({ union }) => union === 'RunEvent').length;
const READ = { frames, nodes: ALL.length - frames, faults: [] };

test('the document has an example of each frame and each node', () => {
  expect(new Set(ALL.map(({ name }) => name)).size).toBeGreaterThanOrEqual(31);
});

/** The others need more than the tests have, and minutes: `npm run generators`. */
test.for(['openapi-typescript', 'openapi-python-client'] as const)(
  'a client that %s makes reads every frame and every node',
  { timeout: 300_000 },
  async (generator, { skip }) => {
    if (generator === 'openapi-python-client' && (await findPython()) === null) return skip();
    expect(await readExamples(generator)).toEqual(READ);
  },
);
