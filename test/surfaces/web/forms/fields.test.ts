/** If this fails, a form lacks a field, offers an option that no run takes, or shows a default that no run uses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import { CONFIRM } from '../../../../src/language/nodes/confirm/fields.ts';
import { findFace, NODE_TYPES } from '../../../../src/language/nodes/faces.ts';
import { kindRules, nodeKinds } from '../../../../src/language/nodes/registry.ts';
import { listHandles } from '../../../../src/surfaces/web/canvas/kinds.ts';
import { CHECK } from '../../../../src/language/nodes/guardrails/face.ts';
import { filterFields, listFields } from '../../../../src/surfaces/web/forms/fields.ts';
import { AGENT_TOOL } from '../../../../src/language/nodes/agent/tool-fields.ts';
import { describeNumberProblem } from '../../../../src/surfaces/web/forms/formats.ts';
import { ROOT } from '../../../docs/readmes.ts';
import { SCHEMA_FACTS, schemaFacts } from '../../../docs/schema-facts.ts';

test('the facts of the forms are those of the schemas: npm run docs', () => {
  expect(readFileSync(join(ROOT, SCHEMA_FACTS), 'utf8')).toBe(schemaFacts());
});

const labels = (fields: ReturnType<typeof listFields>): string[] => fields.map(({ label }) => label);

test('a form shows the fields of its kind, with the options and defaults of the schema', () => {
  expect(labels(listFields('interrupt', {}))).toEqual(['Type']);
  expect(listFields('interrupt', {})[0]?.options).toEqual(['approval', 'input', 'callback', 'wait']);
  expect(labels(listFields('interrupt', { kind: 'wait' }))).toEqual([
    'Type',
    'Duration (seconds)',
    'Wait until',
  ]);
  // Without a mode it is decided by rules.
  expect(labels(listFields('conditional', {}))).toEqual(['Decided by', 'Cases', 'Default']);
  const byModel = listFields('conditional', { mode: 'llm' });
  expect(labels(byModel)).toEqual([
    'Decided by',
    'Cases',
    'Provider',
    'Model',
    'Credential',
    'Input',
    'Default',
  ]);
  expect(listFields('conditional', {}).find(({ ptr }) => ptr === '/default')?.fallback).toBe('else');
  expect(listFields('unheard_of', {})).toEqual([]);
  for (const type of NODE_TYPES) expect(listFields(type, {}).length, type).toBeGreaterThan(0);
});

test('a check that replaces nothing cannot mask; an agent waits for its tools and has no switch for it', () => {
  const actions = (type: string) =>
    filterFields('check', CHECK, { type }).find(({ ptr }) => ptr === '/action')?.options;
  expect(actions('pii')).toEqual(['block', 'mask', 'flag']);
  expect(actions('topic')).toEqual(['block', 'flag']);
  const shown = filterFields('agent_tool', AGENT_TOOL, { kind: 'workflow' }).map(({ ptr }) => ptr);
  expect(shown).toEqual([
    '/kind',
    '/name',
    '/description',
    '/workflow_id',
    '/deployment',
    '/input',
    '/approval',
  ]);
});

test('the canvas draws the handles that a node of each kind selects', () => {
  for (const { type, examples } of nodeKinds)
    for (const node of examples) {
      const { on_timeout: onTimeout } = node['config'] as JsonObject;
      const { handles } = kindRules.policy(type, node['config'] as JsonObject);
      // A question that fails or has a default at its end takes no edge then.
      const selected = handles.filter((handle) => handle !== 'timeout' || onTimeout === 'branch');
      const drawn = listHandles({ ...node, on_error: 'fail' }, []).map(({ id }) => id);
      expect(
        drawn.filter((handle) => handle !== 'default'),
        String(node['id']),
      ).toEqual(selected);
    }
});

test('people may approve the request of each kind that sends one, and of no other', () => {
  const inForms = NODE_TYPES.filter((type) => findFace(type)?.canConfirm === true);
  const sending = nodeKinds.filter((kind) => 'sender' in kind).map(({ type }) => type);
  expect(inForms.toSorted()).toEqual(sending.toSorted());
  const shown = filterFields('node', CONFIRM, {});
  expect(shown).toHaveLength(CONFIRM.length);
});

test('a text that is no number is told apart from one of too many digits', () => {
  expect(['0.40.9', '007', 'ten', '1e'].map(describeNumberProblem)).toEqual(
    Array.from({ length: 4 }, () => 'Enter a number.'),
  );
  expect(describeNumberProblem('12345678901234567890')).toBe('Enter a number with at most 15 digits.');
});
