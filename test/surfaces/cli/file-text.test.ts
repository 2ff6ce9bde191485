/** A pull or a merge would lose the comments, the order or the style of a file that a person wrote. */
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readWorkflowFile } from '../../../src/surfaces/cli/definition-files.ts';
import { showValues } from '../../../src/surfaces/cli/differences.ts';
import { toFileForm, type FileForm } from '../../../src/surfaces/cli/file-form.ts';
import { mergeForms } from '../../../src/surfaces/cli/file-merge.ts';
import { updateFile } from '../../../src/surfaces/cli/file-text.ts';
import { replaceFile } from '../../../src/surfaces/cli/replace-file.ts';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';

const folder = mkdtempSync(join(tmpdir(), 'workflow-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GREETING = `# Says hello.
slug: greeting
name: "Greeting" # for customers
workflow_schema:
  nodes:
    # The first word.
    - id: hello
      type: transformer
      config: {mode: map, fields: {text: 'Hello'}} # short
    - {id: bye, type: transformer, config: {mode: map, fields: {text: Bye}}}
  edges:
    - {source: __start__, target: hello}
    - {source: hello, target: bye}
`;

/** Writes a file, changes its form and writes it again. @returns the new text */
async function update(text: string, change: (form: FileForm) => FileForm, name = 'a.yaml'): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, text);
  const file = await readWorkflowFile(path);
  await updateFile(file, change(toFileForm(file.fields)));
  return readFileSync(path, 'utf8');
}

const withNodes = (form: FileForm, change: (nodes: JsonObject[]) => JsonObject[]): FileForm => ({
  ...form,
  workflow_schema: {
    ...form.workflow_schema,
    nodes: change(structuredClone(form.workflow_schema['nodes']) as JsonObject[]),
  },
});

test('a changed text changes one line; comments, quotes, order and flow style stay', async () => {
  const text = await update(GREETING, (form) =>
    withNodes(form, ([hello, bye]) => [
      { ...hello, config: { mode: 'map', fields: { text: 'Good day' } } },
      bye ?? {},
    ]),
  );
  expect(text).toBe(GREETING.replace("{text: 'Hello'}", "{text: 'Good day'}"));
  for (const comment of ['# Says hello.', '# for customers', '# The first word.'])
    expect(text).toContain(comment);
});

test('nodes keep their comments when another is added before them or removed', async () => {
  const added = await update(GREETING, (form) =>
    withNodes(form, (nodes) => [{ id: 'first', type: 'transformer' }, ...nodes]),
  );
  expect(added).toMatch(/- id: first\n\s+type: transformer\n\s+# The first word\.\n\s+- id: hello/);
  const removed = await update(GREETING, (form) => withNodes(form, (nodes) => nodes.slice(0, 1)));
  expect(removed).toContain('# The first word.');
  expect(removed).not.toContain('bye, type');
});

test('a file that contains only a graph becomes a whole one, with its comments', async () => {
  const graph =
    '# A graph.\nmetadata: {name: Graph}\nnodes:\n  # One.\n  - {id: a, type: transformer}\nedges: []\n';
  const text = await update(graph, (form) => ({ ...form, category: 'x' }), 'graph.yaml');
  expect(text).toContain('# One.');
  const { fields, slug } = await readWorkflowFile(join(folder, 'graph.yaml'));
  expect([slug, fields['name'], fields['category']]).toEqual(['graph', 'Graph', 'x']);
});

const SHARED = `slug: shared
name: Shared
workflow_schema:
  nodes:
    - {id: a, type: transformer, config: &shared {mode: map, fields: {n: 1}}}
    - {id: b, type: transformer, config: *shared}
  edges: []
`;

test('a change of an anchored value leaves the places that use its alias as they were', async () => {
  const text = await update(
    SHARED,
    (form) => withNodes(form, ([a, b]) => [{ ...a, config: { mode: 'map', fields: { n: 2 } } }, b ?? {}]),
    'shared.yaml',
  );
  expect(text).toMatch(/id: a.*n: 2\D/);
  expect(text).toMatch(/id: b.*n: 1\D/);
});

test('the removal of an anchor that is still used is refused, and leaves the file', async () => {
  const change = update(SHARED, (form) => withNodes(form, (nodes) => nodes.slice(1)), 'shared.yaml');
  await expect(change).rejects.toThrow(/cannot be changed/);
  expect(readFileSync(join(folder, 'shared.yaml'), 'utf8')).toBe(SHARED);
});

const value = fc.jsonValue({ maxDepth: 2 });
const nodeList = fc.uniqueArray(
  fc.record({ id: fc.stringMatching(/^[a-z]{1,3}$/), config: value }) as fc.Arbitrary<JsonObject>,
  { selector: (node) => node['id'], maxLength: 5 },
);

test('any change of nodes is written exactly, in YAML and JSON', async () => {
  const makeForm = (nodes: JsonObject[]): FileForm => ({ name: 'n', workflow_schema: { nodes, edges: [] } });
  await fc.assert(
    fc.asyncProperty(nodeList, nodeList, async (before, after) => {
      const from = JSON.parse(JSON.stringify({ slug: 's', ...makeForm(before) })) as JsonObject;
      const to = JSON.parse(JSON.stringify(makeForm(after))) as FileForm;
      await update(stringify(from), () => to, 'any.yaml');
      await update(JSON.stringify(from), () => to, 'any.json');
      const [yaml, json] = await Promise.all(
        ['any.yaml', 'any.json'].map((name) => readWorkflowFile(join(folder, name))),
      );
      expect(toFileForm(yaml?.fields ?? {})).toEqual(toFileForm(json?.fields ?? {}));
      expect(json?.fields['workflow_schema']).toMatchObject({ edges: [] });
    }),
    { numRuns: 60 },
  );
});

test('edges without ids are merged by what they connect, and positions are no conflict', () => {
  const form = (edges: JsonObject[], x: number): FileForm => ({
    name: 'n',
    workflow_schema: { nodes: [{ id: 'a', position: { x } }], edges },
  });
  const [start, end, error] = [
    { source: '__start__', target: 'a' },
    { source: 'a', target: '__end__' },
    { source: 'a', source_handle: 'error', target: 'b' },
  ];
  const merged = mergeForms({
    base: form([start, end], 0),
    ours: form([start, end, error], 1),
    theirs: form([start], 2),
  });
  expect(merged.conflicts).toEqual([]);
  expect(merged.form.workflow_schema['edges']).toEqual([start, error]);
  const versions = {
    base: form([start], 0),
    ours: form([{ ...start, when: { left: 1 } } as JsonObject], 0),
    theirs: form([{ ...start, when: { left: 2 } } as JsonObject], 3),
  };
  expect(mergeForms(versions).conflicts).toEqual([
    {
      path: ['workflow_schema', 'edges', 0, 'when', 'left'],
      place: 'edges/__start__ -> a/when/left',
      ours: 1,
      theirs: 2,
    },
  ]);
  // The position has no question, so the side is that of the first conflict that has one.
  expect(mergeForms(versions, ['ours']).form).toEqual(
    form([{ ...start, when: { left: 1 } } as JsonObject], 3),
  );
});

test('each conflict gets the side that was chosen for it, also where a side removed the node', () => {
  const form = (texts: Readonly<Record<string, string>>): FileForm => ({
    name: 'n',
    workflow_schema: { nodes: Object.entries(texts).map(([id, text]) => ({ id, text })) },
  });
  const versions = {
    base: form({ a: 'x', b: 'x', c: 'x' }),
    ours: form({ a: 'ours', b: 'ours', c: 'x', d: 'mine' }),
    theirs: form({ a: 'theirs', c: 'theirs' }),
  };
  expect(mergeForms(versions).conflicts.map(({ place, ours, theirs }) => [place, ours, theirs])).toEqual([
    ['nodes/a/text', 'ours', 'theirs'],
    ['nodes/b', { id: 'b', text: 'ours' }, undefined],
  ]);
  expect(mergeForms(versions, ['theirs', 'ours']).form).toEqual(
    form({ a: 'theirs', c: 'theirs', b: 'ours', d: 'mine' }),
  );
  expect(mergeForms(versions, ['ours', 'theirs']).form).toEqual(form({ a: 'ours', c: 'theirs', d: 'mine' }));
});

test('two values are shown where they differ, in one line', () => {
  const long = 'a'.repeat(200);
  const [one, other] = showValues(`${long}one${long}`, `${long}other${long}`);
  expect([one, other].every((text) => /^…a+(?:one|other)a+…$/.test(text))).toBe(true);
  expect(showValues('a\nb', undefined)).toEqual(['"a\\nb"', '(none)']);
});

test('a file that changes while a question waits is not overwritten', async () => {
  const path = join(folder, 'meanwhile.yaml');
  writeFileSync(path, GREETING);
  const file = await readWorkflowFile(path);
  const edited = GREETING.replace('Bye', 'See you');
  writeFileSync(path, edited);
  await expect(updateFile(file, { ...toFileForm(file.fields), name: 'Other' })).rejects.toThrow(
    /was changed/,
  );
  expect(readFileSync(path, 'utf8')).toBe(edited);
});

test('a file that is replaced keeps its mode, and its link', async () => {
  const path = join(folder, 'kept.yaml');
  writeFileSync(path, 'one', { mode: 0o640 });
  symlinkSync(path, join(folder, 'link.yaml'));
  await replaceFile(join(folder, 'link.yaml'), 'two');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['two', 0o640]);
  expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true);
});
