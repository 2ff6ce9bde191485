/** A secret would stay in a definition unnoticed, or a text that is none would be called one. */
import { expect, test } from 'vitest';
import { validate } from '../../../src/language/graph/checks/validate.ts';
import { kindRules } from '../../../src/language/nodes/registry.ts';

/** The places of the warning in a definition whose node sends `config`. */
function warn(config: object): unknown[] {
  const node = { id: 'call', type: 'tool', config: { kind: 'http', url: 'https://a.test', ...config } };
  const definition = { nodes: [node], edges: [], start_node: 'call' };
  const found = validate(definition, kindRules).filter(({ code }) => code === 'secret_in_definition');
  for (const { severity, message } of found) {
    expect(severity).toBe('warning');
    expect(message).not.toMatch(/abcdefghij/);
  }
  return found.map(({ path }) => path.slice(3).join('.'));
}

test.each([
  [{ headers: { 'X-Api-Key': 'abcdefghij' } }, 'headers.X-Api-Key'],
  [{ headers: { odd: 'Bearer abcdefghijklmnop' } }, 'headers.odd'],
  [{ query: { key: `sk-${'abcdefghij'.repeat(3)}` } }, 'query.key'],
  [{ query: { key: `ghp_${'abcdefghij'.repeat(3)}` } }, 'query.key'],
  [{ query: { key: 'xoxb-abcdefghij-1' } }, 'query.key'],
  [{ query: { key: 'AKIAABCDEFGHIJKLMNOP' } }, 'query.key'],
  [{ body: { keys: ['-----BEGIN RSA PRIVATE KEY-----\nabcdefghij'] }, method: 'POST' }, 'body.keys.0'],
  [{ body: { jwt: 'eyJabcdefghij.eyJabcdefghij.x' }, method: 'POST' }, 'body.jwt'],
])('%j is warned of', (config, place) => {
  expect(warn(config)).toEqual([place]);
});

test.each([
  [{ headers: { authorization: 'Bearer {{token}}' } }],
  [{ headers: { 'x-api-key': '{{input.key}}' } }],
  [{ headers: { accept: 'application/json' } }],
  [{ query: { task: 'risk-assessment-of-the-quarter' } }],
  [{ query: { note: 'Bearer of news' } }],
])('%j is not', (config) => {
  expect(warn(config)).toEqual([]);
});
