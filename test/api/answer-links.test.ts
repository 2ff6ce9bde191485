/** If this fails, a stranger answers a question, a person without an account cannot, or a link is sent to nobody or for ever. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildAnswerUrl } from '../../src/features/answers/link.ts';
import { claimMessages } from '../../src/features/answers/queue.ts';
import { AnswerLinkSender } from '../../src/features/answers/sender.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { MAX_FORM_FIELDS } from '../../src/platform/http/form.ts';
import type { AnswerRecipient, Question } from '../../src/language/nodes/kind.ts';
import { addAnswerLinks } from '../../src/engine/runs/ledger/questions/answer-links.ts';
import { hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { startHttpRecorder, type HttpRecorder } from '../support/http-recorder.ts';
import { setTerms } from '../support/money.ts';
import { ask } from '../support/questions.ts';
import { startSmtpServer, type SmtpServer } from '../support/smtp-server.ts';

/** A message is tried again for a day. */
const GIVE_UP_SECONDS = 24 * 3_600;

const lines: string[] = [];
let api: ApiServer;
let smtp: SmtpServer;
let recorder: HttpRecorder;
let sender: AnswerLinkSender;
let tenant: Tenant;
beforeAll(async () => {
  [smtp, recorder] = await Promise.all([startSmtpServer(), startHttpRecorder()]);
  const environment = {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Flows <flows@example.com>',
    OUTBOUND_ALLOW: recorder.hostPort,
  };
  api = await startApi(environment, { write: (line) => void lines.push(line) });
  sender = new AnswerLinkSender(api.deps);
});
afterAll(async () => {
  await sender.stop();
  await Promise.all([api.close(), smtp.close(), recorder.close()]);
});
beforeEach(async () => {
  tenant = await api.tenant();
});

const byMail = (address: string, more: Partial<AnswerRecipient> = {}): AnswerRecipient => ({
  address,
  channel: 'email',
  url: null,
  credentialId: null,
  afterSeconds: 0,
  remindSeconds: null,
  ...more,
});

interface Linked {
  readonly runId: string;
  readonly runPk: string;
  readonly interruptId: string;
  /** Path of the link of an address. */
  path(address: string): string;
}

/** A run whose question was given to these recipients. */
async function start(
  question: Partial<Question>,
  ...recipients: readonly AnswerRecipient[]
): Promise<Linked> {
  const { db, config } = api.deps;
  const started = await tenant.call('POST', '/workflows/run', { body: { workflow: hello() } });
  const runId: string = started.body.run_id;
  const [interruptId = ''] = await ask(db, runId, question);
  const [run] = await db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [runId]);
  const place = { organizationId: tenant.org, rootRunPk: run?.id ?? '', interruptId };
  await addAnswerLinks(db, place, recipients);
  const key = { secret: config.auth.apiKeySecret, origin: api.url };
  return {
    runId,
    runPk: place.rootRunPk,
    interruptId,
    path: (address) => new URL(buildAnswerUrl(key, { ...place, address })).pathname,
  };
}

interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}
async function visit(path: string, form?: Readonly<Record<string, string>>): Promise<Shown> {
  const answer = await fetch(
    api.url + path,
    form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) },
  );
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}
async function readQuestion({ runPk }: Linked): Promise<Record<string, unknown>> {
  const [row] = await api.deps.db.query(
    'SELECT status, response, responded_by, responded_email FROM run_interrupts WHERE root_run_pk = $1',
    [runPk],
  );
  return row ?? {};
}

describe('the page of a link', () => {
  test('shows one question, and looking at it changes nothing', async () => {
    const linked = await start(
      { title: 'Refund 5?', message: 'Of Ada', payload: { n: 1 } },
      byMail('bob@example.com'),
    );
    const path = linked.path('bob@example.com');
    for (let time = 0; time < 3; time += 1) expect((await visit(path)).status).toBe(200);
    const { html, headers } = await visit(path);
    for (const text of ['Refund 5?', 'Of Ada', '&quot;n&quot;: 1', 'Approve', 'Reject', 'bob@example.com'])
      expect(html).toContain(text);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(await readQuestion(linked)).toMatchObject({ status: 'pending' });
  });

  test('SEC-P05: a field of JSON that nests by the thousands is refused by its schema', async () => {
    const form = { type: 'object', properties: { x: { type: 'array' } } };
    const linked = await start({ form }, byMail('bob@example.com'));
    const path = linked.path('bob@example.com');
    const deep = await visit(path, {
      action: 'approve',
      'data.x': '['.repeat(40_000) + ']'.repeat(40_000),
    });
    expect([deep.status, deep.html.includes('x: Must be of type array')]).toEqual([422, true]);
    expect((await visit(path, { action: 'approve', 'data.x': '[[1]]' })).status).toBe(200);
    expect(await readQuestion(linked)).toMatchObject({ response: { data: { x: [[1]] } } });
  });

  test('SEC-H09: an answer counts before its form is parsed', async () => {
    const linked = await start({}, byMail('bob@example.com'));
    const path = linked.path('bob@example.com');
    await setTerms(api.deps.db, tenant.org, { plan: 'free', entitlements: { api: 1 } });
    const many = Object.fromEntries(Array.from({ length: MAX_FORM_FIELDS + 1 }, (_, at) => [`f${at}`, '']));
    expect((await visit(path, many)).status).toBe(422);
    expect((await visit(path, many)).status).toBe(429);
  });

  test('takes the answer once, and the question names the address', async () => {
    const linked = await start({}, byMail('bob@example.com'));
    const path = linked.path('bob@example.com');
    const twenty = await Promise.all(Array.from({ length: 20 }, () => visit(path, { action: 'approve' })));
    expect(twenty.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 410),
    ]);
    expect(await readQuestion(linked)).toEqual({
      status: 'claimed',
      response: { action: 'approve', data: {} },
      responded_by: null,
      responded_email: 'bob@example.com',
    });
    const { body } = await tenant.call('GET', `/workflow-runs/${linked.runPk}`);
    expect(body.interrupts[0]).toMatchObject({ responded_by: null, responded_email: 'bob@example.com' });
    expect((await visit(path)).status).toBe(410);
    expect((await visit(path, { action: 'reject' })).status).toBe(410);
    const told = await api.deps.db.query(`SELECT 1 FROM outbox WHERE subject_id = $1 AND kind = 'resume'`, [
      linked.runPk,
    ]);
    expect(told).toHaveLength(1);
  });

  test('a form is filled in; what does not fit is shown again with its problem', async () => {
    const form = {
      type: 'object',
      properties: {
        amount: { type: 'number', title: 'Amount' },
        sure: { type: 'boolean' },
        size: { type: 'string', enum: ['s', 'm'] },
        note: { type: 'string' },
      },
      required: ['amount'],
    };
    const linked = await start({ kind: 'input', actions: [], form }, byMail('bob@example.com'));
    const path = linked.path('bob@example.com');
    const wrong = await visit(path, { 'data.amount': 'many', 'data.note': '<b>', 'data.size': 'm' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('role="alert"');
    expect(wrong.html).toContain('&lt;b&gt;');
    expect(wrong.html).not.toContain('<b>');
    expect((await visit(path, { 'data.amount': '1', 'data.note': 'a\u0000b' })).status).toBe(422);
    expect(
      (await visit(path, { 'data.amount': '2.5', 'data.sure': 'true', 'data.size': 'm', 'data.note': '' }))
        .status,
    ).toBe(200);
    expect(await readQuestion(linked)).toMatchObject({
      response: { action: null, data: { amount: 2.5, sure: true, size: 'm' } },
    });
  });

  test('no text of a run is markup', async () => {
    const bad = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const question = {
      title: bad,
      message: bad,
      payload: bad,
      actions: [{ id: bad, label: bad }],
      form: { type: 'object', properties: { [bad]: { title: bad, enum: [bad] } } },
    };
    const linked = await start(question, byMail('bob@example.com'));
    const { html } = await visit(linked.path('bob@example.com'));
    expect(html).not.toMatch(/<script|<img/);
  });

  test('a forged link is not found, nor one for another address, question, run or organization', async () => {
    const linked = await start({}, byMail('bob@example.com'));
    const path = linked.path('bob@example.com');
    const flipped = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`;
    const { config } = api.deps;
    const key = { secret: config.auth.apiKeySecret, origin: api.url };
    const own = {
      organizationId: tenant.org,
      rootRunPk: linked.runPk,
      interruptId: linked.interruptId,
      address: 'bob@example.com',
    };
    const others = [
      { address: 'eve@example.com' },
      { interruptId: 'int_1' },
      { rootRunPk: crypto.randomUUID() },
      { organizationId: crypto.randomUUID() },
    ];
    const paths = others.map((other) => new URL(buildAnswerUrl(key, { ...own, ...other })).pathname);
    for (const each of ['/answers/x', flipped, ...paths]) {
      expect((await visit(each)).status, each).toBe(404);
      expect((await visit(each, { action: 'approve' })).status, each).toBe(404);
    }
    expect(await readQuestion(linked)).toMatchObject({ status: 'pending' });
  });

  test('its page says until when it can be answered, in UTC, which it names', async () => {
    const linked = await start({}, byMail('bob@example.com'));
    await api.deps.db.query(
      `UPDATE run_interrupts SET expires_at = '2999-02-03T04:05:06Z' WHERE root_run_pk = $1`,
      [linked.runPk],
    );
    const { html } = await visit(linked.path('bob@example.com'));
    expect(html).toContain('Answer by 3 February 2999, 04:05 UTC');
  });

  test('answers that wait for the lock of one run leave connections to other organizations', async () => {
    const linked = await start({}, byMail('bob@example.com'));
    const other = await api.tenant();
    const { db } = api.deps;
    const sent = await db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [linked.runPk]);
      const answers = Array.from({ length: 30 }, () =>
        visit(linked.path('bob@example.com'), { action: 'approve' }),
      );
      await expect.poll(() => db.readPool().used).toBeGreaterThan(8);
      for (let time = 0; time < 5; time += 1)
        expect((await other.call('GET', '/workflows')).status).toBe(200);
      expect(db.readPool().queued).toBe(0);
      return answers;
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(29).fill(410)]);
  });

  test('an expired or cancelled question is closed', async () => {
    const linked = await start({}, byMail('bob@example.com'));
    await api.deps.db.query('UPDATE run_interrupts SET expires_at = now() WHERE root_run_pk = $1', [
      linked.runPk,
    ]);
    expect((await visit(linked.path('bob@example.com'))).status).toBe(410);
    const other = await start({}, byMail('bob@example.com'));
    await tenant.call('POST', `/workflows/cancel/${other.runId}`);
    expect((await visit(other.path('bob@example.com'), { action: 'approve' })).status).toBe(410);
  });

  test('several people count: by link or as a member, an address counts once', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    tenant = await api.tenant({ email });
    const linked = await start({ requiredResponses: 2 }, byMail(email), byMail('bob@example.com'));
    expect((await visit(linked.path(email), { action: 'approve' })).html).toContain('was saved');
    const body = { interrupt_id: linked.interruptId, action: 'approve' };
    expect((await tenant.call('POST', `/workflows/resume/${linked.runId}`, { body })).status).toBe(409);
    expect((await visit(linked.path(email), { action: 'approve' })).status).toBe(409);
    expect((await visit(linked.path('bob@example.com'), { action: 'approve' })).status).toBe(200);
    expect(await readQuestion(linked)).toMatchObject({
      status: 'claimed',
      response: { responses: [{ responded_email: email }, { responded_email: 'bob@example.com' }] },
    });
  });

  test('several people who block each other reject; while they agree, others may join them', async () => {
    const actions = [
      { id: 'approve', label: 'Approve', requiredResponses: 3 },
      { id: 'reject', label: 'Reject', requiredResponses: 2 },
    ];
    const [ada, bob] = [byMail('ada@example.com'), byMail('bob@example.com')];
    // Of the member of the organization and the two links three people may approve, and after one rejection no longer.
    const blocked = await start({ actions }, ada, bob);
    expect((await visit(blocked.path('ada@example.com'), { action: 'approve' })).html).toContain('was saved');
    expect((await visit(blocked.path('bob@example.com'), { action: 'reject' })).status).toBe(200);
    expect(await readQuestion(blocked)).toMatchObject({
      status: 'claimed',
      response: { action: 'reject', responses: [{ action: 'approve' }, { action: 'reject' }] },
    });
    const few = await start({ actions: [{ ...actions[0]!, requiredResponses: 9 }, actions[1]!] }, ada);
    await visit(few.path('ada@example.com'), { action: 'approve' });
    expect(await readQuestion(few)).toMatchObject({ status: 'pending' });
  });

  test('the record of the question says to whom its links went, and why one did not', async () => {
    const linked = await start(
      {},
      byMail('refuse@example.com'),
      byMail('zoe@example.com', { afterSeconds: 60 }),
    );
    await sender.sendDue();
    const { interrupts } = (await tenant.call('GET', '/interrupts')).body;
    const own = interrupts.find((each: { interrupt_id: string }) => each.interrupt_id === linked.interruptId);
    const none = { channel: 'email', sent_at: null, sent_count: 0, next_at: expect.any(String) };
    expect(own.links).toEqual([
      { ...none, address: 'r***@example.com', error: 'mail_failed' },
      { ...none, address: 'z***@example.com', error: null },
    ]);
  });

  test('its token is in no line of the log', async () => {
    const linked = await start({}, byMail('bob@example.com'));
    await visit(linked.path('bob@example.com'), { action: 'approve' });
    expect(lines.some((line) => line.includes('/answers/:token'))).toBe(true);
    expect(lines.join('\n')).not.toContain(linked.path('bob@example.com').slice('/answers/'.length));
  });
});

describe('a message with a link', () => {
  const sentTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));
  const newAddress = (): string => `${crypto.randomUUID()}@example.com`;
  /** Lets a time pass for the links of a question. */
  const age = (linked: Linked, seconds: number): Promise<unknown> =>
    api.deps.db.query(
      `UPDATE answer_links SET due_at = due_at - span, created_at = created_at - span, first_attempt_at = first_attempt_at - span
       FROM make_interval(secs => $2) AS span WHERE interrupt_id = $1`,
      [linked.interruptId, seconds],
    );
  const readLink = async ({ interruptId }: Linked): Promise<Record<string, unknown>> => {
    const [row] = await api.deps.db.query(
      `SELECT error, sent_count, due_at = 'infinity' AS is_done FROM answer_links WHERE interrupt_id = $1`,
      [interruptId],
    );
    return row ?? {};
  };

  test('comes by e-mail, once, and its link works', async () => {
    const address = newAddress();
    const linked = await start(
      { title: 'Refund\r\nBcc: eve@example.com', message: 'Of Ada' },
      byMail(address),
    );
    await sender.sendDue();
    await sender.sendDue();
    const [mail, ...more] = sentTo(address);
    expect(more).toEqual([]);
    expect(mail?.to).toEqual([address]);
    expect(mail?.subject).toBe('Refund Bcc: eve@example.com');
    expect(mail?.text).toContain('Of Ada');
    const link = /https?:\S+\/answers\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(new URL(link).pathname).toBe(linked.path(address));
    expect(await readLink(linked)).toEqual({ error: null, sent_count: 1, is_done: true });
  });

  test('comes again after a crash between sending and recording, under the same Message-ID', async () => {
    const address = newAddress();
    const linked = await start({ title: 'Refund?' }, byMail(address, { remindSeconds: 3_600 }));
    await sender.sendDue();
    await api.deps.db.query(
      `UPDATE answer_links SET sent_count = 0, due_at = now() - interval '1 second' WHERE interrupt_id = $1`,
      [linked.interruptId],
    );
    await sender.sendDue();
    await age(linked, 3_600);
    await sender.sendDue();
    const [first, again, reminder] = sentTo(address).map(({ messageId }) => messageId);
    expect(first).toMatch(/^<[0-9a-f]{40}@[\w.-]+>$/);
    expect(again).toBe(first);
    expect(reminder).not.toBe(first);
  });

  test('says until when its link works, in UTC, which it names', async () => {
    const address = newAddress();
    const { runPk } = await start({}, byMail(address));
    await api.deps.db.query(
      `UPDATE run_interrupts SET expires_at = '2999-02-03T14:05:06Z' WHERE root_run_pk = $1`,
      [runPk],
    );
    await sender.sendDue();
    expect(sentTo(address)[0]?.text).toContain('The link works until 3 February 2999, 14:05 UTC.');
  });

  test('is repeated as a reminder until the question is answered', async () => {
    const address = newAddress();
    const linked = await start({ title: 'Refund?' }, byMail(address, { remindSeconds: 3_600 }));
    await sender.sendDue();
    await sender.sendDue();
    expect(sentTo(address)).toHaveLength(1);
    await age(linked, 3_600);
    await sender.sendDue();
    expect(sentTo(address).map(({ subject }) => subject)).toEqual(['Refund?', 'Reminder: Refund?']);
    await visit(linked.path(address), { action: 'approve' });
    await age(linked, 3_600);
    await sender.sendDue();
    expect(sentTo(address)).toHaveLength(2);
    expect(await readLink(linked)).toMatchObject({ is_done: true });
  });

  test('goes to those whom a question escalates to when nobody has answered', async () => {
    const address = newAddress();
    const linked = await start({}, byMail(address, { afterSeconds: 86_400 }));
    await sender.sendDue();
    expect(sentTo(address)).toEqual([]);
    await age(linked, 86_400);
    await sender.sendDue();
    expect(sentTo(address)).toHaveLength(1);
    expect((await visit(linked.path(address), { action: 'approve' })).status).toBe(200);
  });

  test('that cannot be sent is tried again for a day', async () => {
    const linked = await start({}, byMail('refuse@example.com'));
    await sender.sendDue();
    expect(await readLink(linked)).toEqual({ error: 'mail_failed', sent_count: 0, is_done: false });
    await age(linked, GIVE_UP_SECONDS);
    await sender.sendDue();
    expect(await readLink(linked)).toEqual({ error: 'mail_failed', sent_count: 0, is_done: true });
  });

  test.each([
    ['an escalation', { afterSeconds: GIVE_UP_SECONDS }],
    ['a late reminder', { remindSeconds: 2 * GIVE_UP_SECONDS }],
  ])('%s has a day of its own: refused once, it is tried again', async (_, times) => {
    const address = newAddress();
    const linked = await start({}, byMail(address, times));
    await sender.sendDue();
    const before = sentTo(address).length;
    await age(linked, 2 * GIVE_UP_SECONDS);
    smtp.refused.add(address);
    await sender.sendDue();
    expect(await readLink(linked)).toEqual({ error: 'mail_failed', sent_count: before, is_done: false });
    smtp.refused.delete(address);
    await age(linked, 60);
    await sender.sendDue();
    expect(sentTo(address)).toHaveLength(before + 1);
    expect(await readLink(linked)).toMatchObject({ error: null, sent_count: before + 1 });
  });

  test('a message that is given up is followed by the next reminder', async () => {
    const address = newAddress();
    const linked = await start({ title: 'Refund?' }, byMail(address, { remindSeconds: 3_600 }));
    smtp.refused.add(address);
    await sender.sendDue();
    await age(linked, GIVE_UP_SECONDS);
    await sender.sendDue();
    smtp.refused.delete(address);
    await sender.sendDue();
    expect(sentTo(address)).toEqual([]);
    await age(linked, 3_600);
    await sender.sendDue();
    expect(sentTo(address)).toHaveLength(1);
  });

  test.each([
    ['follows the 19th message', 18, false],
    ['does not follow the 20th', 19, true],
  ])('a reminder %s, given up or sent', async (_, ended, isDone) => {
    const linked = await start({}, byMail('refuse@example.com', { remindSeconds: 3_600 }));
    await sender.sendDue();
    await age(linked, GIVE_UP_SECONDS);
    await api.deps.db.query(
      'UPDATE answer_links SET sent_count = $2, unsent_count = 1 WHERE interrupt_id = $1',
      [linked.interruptId, ended - 1],
    );
    await sender.sendDue();
    expect(await readLink(linked)).toMatchObject({ sent_count: ended - 1, is_done: isDone });
  });

  test.each(['slack', 'teams', 'discord'] as const)('comes to %s in its own shape', async (channel) => {
    const tag = crypto.randomUUID();
    const recipient = {
      address: channel,
      channel,
      url: recorder.url(tag),
      credentialId: null,
      afterSeconds: 0,
      remindSeconds: null,
    };
    const linked = await start({ title: 'Refund <!channel>?', message: '@everyone' }, recipient);
    await sender.sendDue();
    const [call] = recorder.calls(tag);
    const text = JSON.stringify(call?.body);
    expect(text).toContain(linked.path(channel));
    expect(call?.body).toMatchObject(
      {
        slack: { blocks: [{ type: 'section' }, { type: 'section' }] },
        teams: { type: 'message', attachments: [{ content: { type: 'AdaptiveCard' } }] },
        discord: { allowed_mentions: { parse: [] } },
      }[channel],
    );
    expect(channel === 'slack' && /"text":"\*[^"]*<!channel>/.test(text)).toBe(false);
    await visit(linked.path(channel), { action: 'approve' });
    expect(await readQuestion(linked)).toMatchObject({ responded_email: channel });
  });

  test('comes to the second channel of a kind, whose link answers as itself', async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    const toSlack = (address: string, tag: string): AnswerRecipient => ({
      ...byMail(address),
      channel: 'slack',
      url: recorder.url(tag),
    });
    const linked = await start({ requiredResponses: 2 }, toSlack('slack', first), toSlack('slack-2', second));
    await sender.sendDue();
    expect(JSON.stringify(recorder.calls(first)[0]?.body)).toContain(linked.path('slack'));
    expect(JSON.stringify(recorder.calls(second)[0]?.body)).toContain(linked.path('slack-2'));
    await visit(linked.path('slack'), { action: 'approve' });
    expect((await visit(linked.path('slack'), { action: 'approve' })).status).toBe(409);
    expect((await visit(linked.path('slack-2'), { action: 'approve' })).status).toBe(200);
    expect(await readQuestion(linked)).toMatchObject({
      response: { responses: [{ responded_email: 'slack' }, { responded_email: 'slack-2' }] },
    });
  });

  test('does not reach private addresses', async () => {
    const recipient = {
      address: 'slack',
      channel: 'slack',
      url: 'http://127.0.0.1:9/x',
      credentialId: null,
      afterSeconds: 0,
      remindSeconds: null,
    } as const;
    const linked = await start({}, recipient);
    await sender.sendDue();
    expect(await readLink(linked)).toMatchObject({ error: 'destination_not_allowed' });
  });

  test('a chat that hangs holds four messages of its own organization, and no other', async () => {
    const tag = crypto.randomUUID();
    const url = recorder.url(tag, { hold: 4 });
    const hanging = await Promise.all(
      Array.from({ length: 5 }, () => start({}, { ...byMail('slack'), channel: 'slack', url })),
    );
    const running = new AnswerLinkSender(api.deps);
    running.start();
    await recorder.waitFor(tag, 4);
    tenant = await api.tenant();
    const [first, second] = [newAddress(), newAddress()];
    await start({}, byMail(first));
    await smtp.waitFor(first);
    // A second mail: the round that sent the first has not waited for the chat.
    await start({}, byMail(second));
    await smtp.waitFor(second);
    expect(recorder.calls(tag).map(({ endedAtMs }) => endedAtMs)).toEqual([null, null, null, null]);
    recorder.release(({ tag: held }) => held === tag);
    await recorder.waitFor(tag, 5);
    await running.stop();
    for (const linked of hanging)
      expect(await readLink(linked)).toEqual({ error: null, sent_count: 1, is_done: true });
  });

  test('claims go to first messages before those that have failed, which have a limit of their own', async () => {
    const { db } = api.deps;
    // The messages of other tests are out of the way.
    await db.query(`UPDATE answer_links SET due_at = 'infinity'`);
    const failed = await Promise.all([1, 2, 3].map(() => start({}, byMail('refuse@example.com'))));
    await sender.sendDue();
    for (const linked of failed) await age(linked, 60);
    const fresh = await start({}, byMail(newAddress()));
    const claim = async (limits: { limit: number; retryLimit: number }, inFlightHere = 0) => {
      const inFlight = Array.from({ length: inFlightHere }, () => ({ organizationId: tenant.org }));
      const claimed = await claimMessages(db, { inFlight, ...limits });
      const ids = claimed.map(({ interruptId }) => interruptId);
      await db.query(
        `UPDATE answer_links SET due_at = now() - interval '1 hour', attempts = attempts - 1
                      WHERE interrupt_id = ANY ($1)`,
        [ids],
      );
      return {
        fresh: ids.filter((id) => id === fresh.interruptId).length,
        retries: ids.filter((id) => id !== fresh.interruptId).length,
      };
    };
    expect(await claim({ limit: 32, retryLimit: 8 })).toEqual({ fresh: 1, retries: 3 });
    expect(await claim({ limit: 32, retryLimit: 2 })).toEqual({ fresh: 1, retries: 2 });
    expect(await claim({ limit: 32, retryLimit: 0 })).toEqual({ fresh: 1, retries: 0 });
    expect(await claim({ limit: 1, retryLimit: 8 })).toEqual({ fresh: 1, retries: 0 });
    expect(await claim({ limit: 32, retryLimit: 8 }, 2)).toEqual({ fresh: 1, retries: 1 });
    expect(await claim({ limit: 32, retryLimit: 8 }, 3)).toEqual({ fresh: 1, retries: 0 });
    expect(await claim({ limit: 32, retryLimit: 8 }, 4)).toEqual({ fresh: 0, retries: 0 });
  });

  /** Stores the webhook of a channel, whose address is the secret. */
  const storeWebhook = async (data: JsonObject, integration = 'chat_webhook', authType = 'none') => {
    const body = { name: 'On call', integration, auth_type: authType, data };
    const { status, body: stored } = await tenant.call('POST', '/credentials', { body });
    expect(status).toBe(201);
    return stored;
  };
  const toChat = (credentialId: string): AnswerRecipient => ({
    address: 'slack',
    channel: 'slack',
    url: null,
    credentialId,
    afterSeconds: 0,
    remindSeconds: null,
  });

  test('reaches a chat by a credential, whose address stands in no log, answer or row', async () => {
    const tag = `secret-${crypto.randomUUID()}`;
    const stored = await storeWebhook({ url: recorder.url(tag) });
    expect(stored.masked.url).not.toContain(tag);
    const linked = await start({ title: 'Refund?' }, toChat(stored.credential_id));
    await sender.sendDue();
    expect(JSON.stringify(recorder.calls(tag)[0]?.body)).toContain(linked.path('slack'));
    const rows = await api.deps.db.query(
      'SELECT to_jsonb(l) AS link FROM answer_links l WHERE interrupt_id = $1',
      [linked.interruptId],
    );
    const shown = await tenant.call('GET', `/credentials/${stored.credential_id}`);
    expect(lines.join('\n') + JSON.stringify([rows, stored, shown.body])).not.toContain(tag);
  });

  test.each([
    [
      'of another kind',
      () => storeWebhook({ api_key: 'sk-12345678' }, 'openai', 'api_key'),
      'credential_not_usable',
    ],
    ['that is gone', async () => ({ credential_id: crypto.randomUUID() }), 'credential_not_found'],
  ])('tells of a credential %s', async (_, store, error) => {
    const linked = await start({}, toChat((await store()).credential_id));
    await sender.sendDue();
    expect(await readLink(linked)).toMatchObject({ error, sent_count: 0 });
  });

  test('is not sent by a credential of another organization', async () => {
    const foreign = (await storeWebhook({ url: recorder.url(crypto.randomUUID()) })).credential_id;
    tenant = await api.tenant();
    const linked = await start({}, toChat(foreign));
    await sender.sendDue();
    expect(await readLink(linked)).toMatchObject({ error: 'credential_not_found' });
    const ask = {
      id: 'ask',
      type: 'interrupt',
      config: { kind: 'input', notify: [{ kind: 'slack', credential_id: foreign }] },
    };
    const edges = [
      { id: 'a', source: '__start__', target: 'ask' },
      { id: 'b', source: 'ask', target: '__end__' },
    ];
    const workflow = { ...hello(), nodes: [ask], edges };
    const saved = await tenant.call('POST', '/workflows/run', { body: { workflow } });
    expect([saved.status, saved.body.detail]).toEqual([
      400,
      expect.stringContaining('Node "ask": credential_id'),
    ]);
  });
});
