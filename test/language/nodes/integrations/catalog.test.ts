/** An integration of the catalog would be offered that cannot be configured or called. */
import { describe, expect, test } from 'vitest';
import { isObject, ownValue } from '../../../../src/language/graph/values/value.ts';
import {
  findAction,
  findIntegration,
  integrations,
  isServed,
} from '../../../../src/language/nodes/integrations/catalog.ts';
import { place, secretFields } from '../../../../src/platform/credentials/vault/placement.ts';

/** Secrets that give tokens, which no service but the provider gets. */
const FOR_PROVIDER: ReadonlySet<string> = new Set(['refresh_token', 'private_key', 'client_secret']);

const namesOf = (schema: object): string[] => {
  const properties = ownValue(schema as never, 'properties');
  return isObject(properties) ? Object.keys(properties) : [];
};

test('names are unique, and in order', () => {
  const names = integrations.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].toSorted());
  expect(findIntegration('slack')?.name).toBe('slack');
  expect(findIntegration('toString')).toBeNull();
});

describe.each(integrations)('$name', (integration) => {
  test('its accounts place every secret, and know which fields are secret', () => {
    // A secret address is placed nowhere: it is where the request goes.
    const isAddress = (field: string): boolean => field === integration.baseUrlField;
    for (const scheme of integration.auth) {
      const fields = namesOf(scheme.schema);
      const data = Object.fromEntries(
        fields.map((field) => [field, field.endsWith('_url') ? 'https://a.test' : `v-${field}`]),
      );
      const placed = place(integration, scheme.type, data);
      const { headers = {}, query = {}, cookies = {}, sentBaseUrl } = placed ?? {};
      const parts = [headers, query, cookies].flatMap((part) => Object.values(part));
      const sent = [...parts, sentBaseUrl].join(' ');
      for (const field of secretFields(scheme)) {
        expect(placed?.secrets).toContain(`v-${field}`);
        // What renews a token is for the provider alone.
        if (FOR_PROVIDER.has(field)) expect(sent).not.toContain(`v-${field}`);
        else if (
          !scheme.placements.some(({ kind }) => kind === 'basic' || kind === 'aws') &&
          !isAddress(field)
        )
          expect(sent).toContain(`v-${field}`);
      }
      expect(secretFields(scheme).some((field) => !isAddress(field))).toBe(scheme.type !== 'none');
      expect(scheme.schema['additionalProperties']).toBe(false);
    }
  });

  test('what looks for the effect of an action reads, of the same service, with parameters that it declares', () => {
    for (const { verify, inputSchema } of integration.actions) {
      if (verify === undefined) continue;
      const read = findAction(integration, verify.action);
      expect(read?.request.method).toBe('GET');
      expect(namesOf(read?.inputSchema ?? {})).toEqual(
        expect.arrayContaining(Object.keys(verify.parameters)),
      );
      const used = [...JSON.stringify(verify).matchAll(/input\.parameters\.(\w+)/g)].map(([, name]) => name);
      expect(namesOf(inputSchema)).toEqual(expect.arrayContaining(used));
    }
  });

  test('its actions use parameters that they declare, each of them once', () => {
    for (const { inputSchema, request } of integration.actions) {
      const inPath = [...request.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const used = [...inPath, ...request.query, ...(request.body ?? [])];
      expect(used.toSorted()).toEqual(namesOf(inputSchema).toSorted());
      expect(inputSchema['required']).toEqual(expect.arrayContaining(inPath));
      expect(integration.baseUrl).not.toBeNull();
    }
  });
});

test.each([
  ['1.0.0', true],
  ['1.0.1', false],
  ['1.1.0', false],
  ['0.9.0', false],
  ['2.0.0', false],
  ['x', false],
])('a definition pinned to %s is served: %s', (version, served) => {
  const slack = findIntegration('slack');
  expect(slack !== null && isServed(slack, version)).toBe(served);
});
