/** If this fails, the page may show one organization, workflow or person what it has kept of another. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../docs/readmes.ts';

const WEB = join(ROOT, 'src/surfaces/web');
const STORAGES = /\b(?:sessionStorage|localStorage|indexedDB|cookieStore|document\.cookie|caches\.)/;

/** Queries of the person, whom a page never changes: another one loads it anew. */
const OF_PERSON = ["'me'", "'organizations'", "'my-invitations'", "'release'"];
/** Queries of a record, which belongs to one organization: their next part is its id. */
const OF_RECORD = [
  "'callback-url'",
  "'compared-outputs'",
  "'hook deliveries'",
  "'hooks to listen at'",
  "'notification deliveries'",
  "'past-runs'",
  "'rerun'",
  "'run-definition'",
  "'run-key'",
  "'run-step'",
  "'test event'",
  "'unknown-outcome'",
];

const readSources = (): { name: string; code: string }[] =>
  readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({
      name,
      // Comments may name a storage.
      code: readFileSync(join(WEB, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
    }));

test('one file touches the storages of the browser', () => {
  const touching = readSources().filter(({ code }) => STORAGES.test(code));
  expect(touching.map(({ name }) => name)).toEqual(['kit/kept-state.ts']);
});

test('a cached query is of an organization, of a record with an id, or of the person', () => {
  const others = readSources().flatMap(({ name, code }) =>
    [...code.matchAll(/queryKey: \[\s*([^\],]+)(,?)/g)].flatMap(([, first = '', comma]) => {
      const isSpread = first.startsWith('...');
      const isKnown = first === 'organizationId' || isSpread || OF_PERSON.includes(first);
      return isKnown || (OF_RECORD.includes(first) && comma !== '') ? [] : [`${name}: ${first}`];
    }),
  );
  expect(others).toEqual([]);
});
