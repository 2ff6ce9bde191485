/** A deploy would break the runs that are under way: the current interpreter replays every recorded history. */
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Worker, bundleWorkflowCode } from '@temporalio/worker';
import { beforeAll, expect, test } from 'vitest';
import { INTERPRETER_SOURCE } from '../../temporal/worker/interpreter-source.ts';
import { chooseWorkflowThreads } from '../../temporal/worker/workflow-threads.ts';
import { installRuntime, throwHungThread } from '../support/engine.ts';
import { readHistories, recordHistories } from './record-histories.ts';
import type { Recorded } from './record-histories.ts';

const logger = new DefaultLogger('ERROR');

let recorded: Recorded[];
beforeAll(async () => {
  installRuntime();
  const record = process.env['RECORD_HISTORIES'];
  if (record !== undefined) await recordHistories(record === '1' ? null : record);
  recorded = await readHistories();
}, 300_000);

/** An option of the SDK that its types leave out: replays run in threads, not in this one. */
const inThreads: object = { debugMode: false };

/** Replays the corpus. @returns what went wrong, by name */
async function replay(workflows: string, options: object = {}): Promise<Record<string, string>> {
  const workflowsPath = fileURLToPath(new URL(workflows, import.meta.url));
  const workflowBundle = await bundleWorkflowCode({ ...INTERPRETER_SOURCE, workflowsPath, logger });
  const histories = recorded.map(({ name, history }) => ({ workflowId: name, history }));
  const problems: Record<string, string> = {};
  let replayed = 0;
  for await (const result of Worker.runReplayHistories({ workflowBundle, ...options }, histories)) {
    replayed += 1;
    if (result.error !== undefined) problems[result.workflowId] = result.error.name;
  }
  expect(replayed).toBe(recorded.length);
  return problems;
}

test('every feature has its history; the long loop has several', () => {
  const names = recorded.map(({ name }) => name);
  expect(new Set(names.map((name) => name.split('#')[0])).size).toBeGreaterThanOrEqual(23);
  expect(names.filter((name) => name.startsWith('continue-as-new')).length).toBeGreaterThan(1);
});

test('the current interpreter replays them all', async () => {
  expect(await replay('../../temporal/interpreter/interpret.ts')).toEqual({});
});

test('they replay in the threads of a worker, too', async () => {
  chooseWorkflowThreads(throwHungThread);
  expect(await replay('../../temporal/interpreter/interpret.ts', inThreads)).toEqual({});
});

test('an interpreter that does something else is found out', async () => {
  const problems = await replay('./extra-activity.ts');
  expect(Object.keys(problems)).toHaveLength(recorded.length);
  expect(new Set(Object.values(problems))).toEqual(new Set(['DeterminismViolationError']));
});
