/** The name of a workflow in a list and in its definition would differ. */
import { expect, test } from 'vitest';
import { mirror } from '../../../src/features/workflows/mirror.ts';

const fields = { name: 'Row', description: 'd', version: '1.0.0', tags: ['t'] };

test('metadata of a sent definition wins over the fields', () => {
  const sent = { metadata: { name: 'Meta', description: '', version: '2.0.0', tags: [] }, nodes: [] };
  const result = mirror(sent, fields, { isSent: true, changed: { name: 'Sent' } });
  expect(result.fields).toEqual({ name: 'Meta', description: '', version: '2.0.0', tags: [] });
  expect(result.definition).toBe(sent);
});

test('what a sent metadata leaves out is written into it, after its own keys', () => {
  const result = mirror({ metadata: { owner: 'me', name: 'Meta' }, nodes: [] }, fields, {
    isSent: true,
    changed: {},
  });
  expect(JSON.stringify(result.definition)).toBe(
    '{"metadata":{"owner":"me","name":"Meta","description":"d","version":"1.0.0","tags":["t"]},"nodes":[]}',
  );
});

test('a field sent alone changes the metadata, and no other field does', () => {
  const stored = { metadata: { name: 'Old', color: 'red' }, nodes: [] };
  const result = mirror(stored, { ...fields, name: 'New' }, { isSent: false, changed: { name: 'New' } });
  expect(result.definition).toEqual({ metadata: { name: 'New', color: 'red' }, nodes: [] });
  expect(result.fields.name).toBe('New');
});
