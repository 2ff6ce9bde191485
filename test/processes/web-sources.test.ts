/** If this failed, the second start of the demo would end before it serves, because it cannot tell whether the page is built. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WEB_SOURCES } from '../../src/processes/local/web.ts';

test('the folders whose changes build the page again exist', () => {
  expect(WEB_SOURCES.filter((folder) => !existsSync(folder))).toEqual([]);
});
