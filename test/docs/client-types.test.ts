/** A program would compile against types that the service does not serve. */
import { expect, test } from 'vitest';
import { areTypesCurrent } from '../../src/processes/client-types.ts';

test('the types of the client are those of the OpenAPI document: npm run generate', () => {
  expect(areTypesCurrent()).toBe(true);
});
