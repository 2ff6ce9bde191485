/** A person would have to guess whether a request had its effect, or a look would settle it, send it again, or read with another account. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { readSettled } from '../../src/engine/runs/ledger/questions/settled-outcomes.ts';
import { lookForEffect } from '../../src/engine/runs/rerun/look.ts';
import { sink, type Sink } from '../platform/outbound/support.ts';
import { chain, http, node } from '../support/definitions.ts';
import { startEngine, type Played, type TestEngine } from '../support/engine.ts';
import { cancel, owner, runBy } from '../support/journeys.ts';
import { stepsOf } from '../support/records.ts';
import { storeCredential } from '../support/stored-credential.ts';

const TITLE = 'Broken {{pipe}}';
let github: Sink;
let engine: TestEngine;
let credentialId: string;
let issues: JsonObject[] = [];
beforeAll(async () => {
  github = await sink();
  engine = await startEngine({
    OUTBOUND_ALLOW: `127.0.0.1:${github.port}`,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  });
  const data = { access_token: 'token', base_url: github.base };
  credentialId = await storeCredential(engine, 'github', 'bearer', data, {});
});
beforeEach(() => {
  github.answer = (request, response) => {
    // The issue is opened, and its answer is lost.
    if (request.method === 'POST') return void request.socket.destroy();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(issues));
  };
});
afterAll(async () => {
  await engine.close();
  await github.close();
});

const open = (envelope: JsonObject): JsonObject => {
  const parameters = { owner: 'acme', repo: 'app', title: '{{input.title}}' };
  const action = { integration: 'github', action: 'create_issue', credential_id: credentialId };
  return chain(node('open', 'tool', { kind: 'integration', ...action, parameters }, envelope));
};
const play = (envelope: JsonObject): Promise<Played> => engine.play(open(envelope), { title: TITLE });
const idOf = async ({ accepted }: Played): Promise<string> =>
  (await stepsOf(engine.db, accepted.runPk, 'open'))[0]?.step_id ?? '';

async function look(stepId: string) {
  const started = await lookForEffect(engine, owner(engine), stepId);
  const played = await engine.follow(await runBy(engine, 'run_id', String(started['run_id'])));
  return { about: started['about'], end: played.end };
}

test.each([
  ['waits for an answer', { on_unknown: 'ask' }],
  ['has failed its run', { on_unknown: 'fail' }],
])(
  'what was opened since, with its title, is found for a request that %s, with its account; nothing is settled or sent',
  async (_, envelope) => {
    const before = new Date(Date.now() - 3_600_000).toISOString();
    const played = await play(envelope);
    const stepId = await idOf(played);
    const sent = github.heard.length;
    const opened = { number: 41, title: TITLE, created_at: new Date().toISOString() };
    issues = [
      opened,
      { number: 40, title: 'Another', created_at: opened.created_at },
      { ...opened, number: 39, pull_request: {} },
      { ...opened, number: 38, created_at: before },
    ];
    const { about, end } = await look(stepId);
    expect(about).toContain('newest 100');
    expect(end).toMatchObject({ type: 'run_completed', output: { items: [opened], count: 1 } });
    expect(github.heard.slice(sent)).toHaveLength(1);
    const [call] = github.heard.slice(sent);
    expect(call?.headers.authorization).toBe('Bearer token');
    expect(call?.url).toMatch(
      /^\/repos\/acme\/app\/issues\?state=all&sort=created&direction=desc&since=\S+&per_page=100$/,
    );
    expect(await readSettled(engine.db, engine.organizationId, stepId)).toBeNull();

    issues = [];
    expect((await look(stepId)).end).toMatchObject({ output: { items: [], count: 0 } });
    if (envelope.on_unknown === 'ask') await cancel(engine, played.accepted);
  },
);

test('is refused where no action reads it, for a known outcome, and to another organization', async () => {
  const played = await play({ on_unknown: 'fail' });
  const stepId = await idOf(played);
  const other = { ...owner(engine), organizationId: '6f1d3f0c-95a5-4e0c-8f43-7b1f3a0c0001' };
  await expect(lookForEffect(engine, other, stepId)).rejects.toMatchObject({ failure: { status: 404 } });
  const plain = await engine.play(chain(http('open', `${github.base}/x`, {}, { on_unknown: 'fail' })));
  await expect(lookForEffect(engine, owner(engine), await idOf(plain))).rejects.toMatchObject({
    failure: { status: 409, code: 'outcome_not_verifiable' },
  });
  github.answer = (_, response) => response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
  const done = await play({});
  await expect(lookForEffect(engine, owner(engine), await idOf(done))).rejects.toMatchObject({
    failure: { status: 404 },
  });
});
