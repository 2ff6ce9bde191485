/**
 * A client that works today would break: the API, the stream or the canvas would answer in other bytes.
 * `WIRE_RECORD=1` records the corpus anew, for a change that is meant.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canvas } from './canvas-session.ts';
import { startProcesses, type Processes } from './processes.ts';
import {
  accounts,
  knowledge,
  publicPages,
  schedules,
  subscriptions,
  workflows,
} from './resource-sessions.ts';
import { chats, questions, runs } from './run-sessions.ts';

let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses();
});
afterAll(() => processes?.close());

test.each([
  ['public pages, the OpenAPI document and what is no route', publicPages],
  ['accounts, organizations, invitations and API keys', accounts],
  ['workflows, deployments and credentials', workflows],
  ['schedules', schedules],
  ['knowledge bases', knowledge],
  ['subscriptions and the billing gate', subscriptions],
  ['runs, their streams and their history', runs],
  ['questions, answers and cancellation', questions],
  ['chats', chats],
  ['the canvas', canvas],
])('the wire forms are as recorded: %s', (_, session) => session(processes), 120_000);

test("the worker serves the metrics of Temporal's SDK at TEMPORAL_METRICS_ADDRESS", async () => {
  const text = await (await fetch(processes.sdkMetricsUrl)).text();
  for (const poller of ['workflow_task', 'activity_task'])
    expect(text).toMatch(new RegExp(`^temporal_num_pollers\\{.*poller_type="${poller}"`, 'm'));
  expect(text).toMatch(/^temporal_workflow_completed_total\{.*\} [1-9]/m);
});
