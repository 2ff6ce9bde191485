/** If this failed, a program that works with the last release would stop working, and the changelog would not have said so. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { apiDocument } from '../../../src/processes/api-document.ts';
import { listChanges, listUnnamed } from './changes.ts';
import { changesSinceRelease, listUntold, releasedDocument } from './contracts.ts';

const today = apiDocument();

test('the changelog names the schema or operation of each breaking change since the last release: npm run contract', () => {
  expect(listUntold(changesSinceRelease())).toEqual([]);
});

test('no document differs from itself', () => {
  expect(listChanges(today, today)).toEqual([]);
  expect(listChanges(releasedDocument(), releasedDocument())).toEqual([]);
});

interface Schema {
  properties: Record<string, JsonObject>;
  required: string[];
}
interface Document {
  readonly paths: Record<string, Record<string, JsonObject>>;
  readonly webhooks: Record<string, JsonObject>;
  readonly components: { readonly schemas: Record<string, Schema & JsonObject> };
}

/** Changes a copy of the document. @returns the breaking changes and the others */
function change(mutate: (document: Document) => void): {
  readonly breaking: string[];
  readonly others: string[];
} {
  const copy = structuredClone(today);
  mutate(copy as unknown as Document);
  const changes = listChanges(today, copy);
  const read = (wanted: boolean): string[] =>
    changes.filter(({ isBreaking }) => isBreaking === wanted).map(({ text }) => text);
  return { breaking: read(true), others: read(false) };
}

const field = (document: Document, schema: string, name: string): JsonObject =>
  document.components.schemas[schema]!.properties[name]!;

test.each<readonly [what: string, mutate: (document: Document) => void, told: readonly string[]]>([
  [
    'a field of an answer that is removed',
    ({ components }) => delete components.schemas['Schedule']!.properties['next_run_at'],
    ['Schedule.next_run_at (answers): removed'],
  ],
  [
    'a field of an answer that may be missing',
    ({ components }) => (components.schemas['Schedule']!.required = ['id']),
    ['Schedule.name (answers): may be missing'],
  ],
  [
    'a field of an answer that may be null',
    (document) => (field(document, 'Schedule', 'name')['type'] = ['string', 'null']),
    ['Schedule.name (answers): may be null'],
  ],
  [
    'a new field that a request requires',
    ({ components }) => {
      components.schemas['CreateSchedule']!.properties['owner'] = { type: 'string' };
      components.schemas['CreateSchedule']!.required.push('owner');
    },
    ['CreateSchedule.owner: new, required'],
  ],
  [
    'a field of a request that becomes required',
    ({ components }) => components.schemas['CreateSchedule']!.required.push('timezone'),
    ['CreateSchedule.timezone: is required'],
  ],
  [
    'an operation that is removed',
    ({ paths }) => delete paths['/schedules']!['post'],
    ['POST /schedules: operation removed'],
  ],
  [
    'a value that a request may no longer have',
    (document) => (field(document, 'CreateSchedule', 'overlap_policy')['enum'] as string[]).shift(),
    ['CreateSchedule.overlap_policy: without "skip"'],
  ],
  [
    'a narrower bound of a request',
    (document) => (field(document, 'CreateSchedule', 'name')['maxLength'] = 10),
    ['CreateSchedule.name: maxLength 10'],
  ],
  [
    'a schema whose name is removed',
    ({ components }) => delete components.schemas['NewSchedule'],
    ['NewSchedule: schema removed'],
  ],
  [
    'an event that is no longer sent',
    ({ webhooks }) => delete webhooks['run.failed'],
    ['run.failed (answers): event removed'],
  ],
])('breaking: %s', (_, mutate, told) => {
  const { breaking } = change(mutate);
  expect(breaking).toEqual(expect.arrayContaining([...told]));
});

test.each<readonly [what: string, mutate: (document: Document) => void, told: string]>([
  [
    'a new field of an answer',
    ({ components }) => (components.schemas['Schedule']!.properties['color'] = { type: 'string' }),
    'Schedule.color (answers): new',
  ],
  [
    'a new value of an answer',
    (document) => (field(document, 'Schedule', 'overlap_policy')['enum'] as string[]).push('ask'),
    'Schedule.overlap_policy (answers): also "ask"',
  ],
  [
    'a new field that a request may leave out',
    ({ components }) => (components.schemas['CreateSchedule']!.properties['color'] = { type: 'string' }),
    'CreateSchedule.color: new',
  ],
  [
    'a new operation',
    ({ paths }) => (paths['/schedules']!['put'] = { operationId: 'putSchedules' }),
    'PUT /schedules: new operation',
  ],
])('not breaking: %s', (_, mutate, told) => {
  const { breaking, others } = change(mutate);
  expect(breaking).toEqual([]);
  expect(others).toContain(told);
});

test('an entry of the changelog names a change by its schema, its operation or its path, as a whole word, and by its field', () => {
  const removed = listChanges(today, { ...today, paths: {} }).filter(({ owners }) =>
    owners.includes('createSchedule'),
  );
  const isNamed = (changelog: string): boolean => listUnnamed(removed, changelog).length === 0;
  expect(isNamed('- `createSchedule` is gone')).toBe(true);
  expect(isNamed('- POST /schedules is gone.')).toBe(true);
  expect(isNamed('- POST /schedules/{schedule_id} and createSchedules are gone')).toBe(false);

  const required = structuredClone(today);
  (required as unknown as Document).components.schemas['CreateSchedule']!.required.push('timezone');
  const isToldOfField = (changelog: string): boolean =>
    listUnnamed(listChanges(today, required), changelog).length === 0;
  expect(isToldOfField('- `timezone` of `CreateSchedule` is required')).toBe(true);
  expect(isToldOfField('- `CreateSchedule` was `NewSchedule`\n- A `timezone` is required')).toBe(false);
});
