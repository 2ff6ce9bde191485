/**
 * The wire forms of API, stream and canvas, byte for byte: fixed sessions of clients against the three processes, whose
 * answers and frames are compared with the recorded corpus. `WIRE_RECORD=1` records it anew, for a change that is meant.
 */
import { afterAll, beforeAll, test } from 'vitest';
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
}, 180_000);
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
