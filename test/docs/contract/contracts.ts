/** The contract of the last release and that of these sources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { apiDocument } from '../../../src/processes/api-document.ts';
import { readUnreleased } from '../../../src/processes/release/changelog.ts';
import { ROOT } from '../readmes.ts';
import { listChanges, listUnnamed, type Change } from './changes.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** @returns the document of the last release, which `npm run release` writes */
export const releasedDocument = (): JsonObject =>
  JSON.parse(read('test/wire/corpus/released-openapi.json')) as JsonObject;

/** @returns what has changed in the document since the last release */
export const changesSinceRelease = (): readonly Change[] => listChanges(releasedDocument(), apiDocument());

/** @returns those of breaking changes that the changelog does not name below "Unreleased" */
export const listUntold = (changes: readonly Change[]): readonly string[] =>
  listUnnamed(changes, readUnreleased(read('src/processes/release/CHANGELOG.md')));
