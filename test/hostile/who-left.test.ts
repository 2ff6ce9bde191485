/**
 * If this fails, somebody who was removed, downgraded or deactivated still gets in by what outlives a request. A row for each: what a
 * person has or has made, used before and after. A row says which ends it outlives, and why.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isStillAllowed, whileAllowed } from '../../src/platform/access/still-allowed.ts';
import { buildAnswerUrl } from '../../src/features/answers/link.ts';
import { claimMessages } from '../../src/features/answers/queue.ts';
import { AccessWatch } from '../../src/features/canvas/server/access-watch.ts';
import { readHandshake, readRelayedHandshake } from '../../src/features/canvas/server/handshake.ts';
import { readRelayTicket, signRelayTicket } from '../../src/features/canvas/server/relay-ticket.ts';
import type { Session } from '../../src/features/canvas/room/ports.ts';
import { takeStep } from '../../src/features/data/job-runner.ts';
import { readJob } from '../../src/features/data/jobs.ts';
import { buildCallbackUrl } from '../../src/engine/runs/accept/callback-address.ts';
import { addAnswerLinks } from '../../src/engine/runs/ledger/questions/answer-links.ts';
import { createApp } from '../../src/platform/http/app.ts';
import { drain, listen, readPort } from '../../src/platform/http/server.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { deployWorkflow, hello, startApi, type ApiServer, type Tenant } from '../support/api-server.ts';
import { ask } from '../support/questions.ts';

type End = 'removed' | 'downgraded' | 'deactivated';
const ENDS: readonly End[] = ['removed', 'downgraded', 'deactivated'];

let api: ApiServer;
beforeAll(async () => {
  api = await startApi({
    OAUTH_CLIENTS: JSON.stringify({ github: { client_id: 'c', client_secret: 's' } }),
  });
});
afterAll(() => api.close());

/** The organization stays with its owner. */
let owner: Tenant;
/** Its admin, who leaves. */
let admin: Tenant;
let adminId: string;
let email: string;
beforeEach(async () => {
  owner = await api.tenant();
  email = `admin-${randomUUID()}@example.test`;
  admin = { ...(await api.tenant({ email })), org: owner.org };
  adminId = (await api.call('GET', '/auth/me', { token: admin.token })).body.id;
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'admin')`,
    [adminId, owner.org],
  );
});

const as = (token: string, method: string, path: string, body?: unknown) =>
  api.call(method, path, { token, org: owner.org, ...(body === undefined ? {} : { body }) });
const asAdmin = (method: string, path: string, body?: unknown) => as(admin.token, method, path, body);
const asOwner = (method: string, path: string, body?: unknown) => as(owner.token, method, path, body);

async function leave(end: End): Promise<void> {
  const { db } = api.deps;
  if (end === 'removed') {
    const { status } = await asOwner('DELETE', `/organizations/${owner.org}/members/${adminId}`);
    expect(status).toBeLessThan(300);
  } else if (end === 'downgraded')
    await db.query(`UPDATE memberships SET role = 'member' WHERE user_id = $1 AND organization_id = $2`, [
      adminId,
      owner.org,
    ]);
  else await db.query('UPDATE users SET is_active = false WHERE id = $1', [adminId]);
}

const finishJob = async (id: string): Promise<void> => {
  while (await takeStep(api.deps.db, id));
};

async function exportBy(path: string, body: object): Promise<string> {
  const { status, body: job } = await asAdmin('POST', path, body);
  expect(status).toBe(202);
  return job.id;
}

interface Waiting {
  readonly organizationId: string;
  readonly rootRunPk: string;
  readonly interruptId: string;
}

/** A run with a question to which the admin has a link. */
async function askByLink(): Promise<{ readonly place: Waiting; readonly path: string }> {
  const { db, config } = api.deps;
  const started = await asOwner('POST', '/workflows/run', { workflow: hello() });
  const [interruptId = ''] = await ask(db, started.body.run_id, { title: 'Refund?' });
  const [run] = await db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
    started.body.run_id,
  ]);
  const place = { organizationId: owner.org, rootRunPk: run?.id ?? '', interruptId };
  const recipient = { url: null, credentialId: null, afterSeconds: 0, remindSeconds: 60 };
  await addAnswerLinks(db, place, [{ ...recipient, address: email, channel: 'email' }]);
  const key = { secret: config.auth.apiKeySecret, origin: api.url };
  return { place, path: new URL(buildAnswerUrl(key, { ...place, address: email })).pathname };
}

const rpc = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', id: 1, method, params });

interface Row {
  readonly what: string;
  /** Makes it. @returns whether it still lets in, at each use */
  readonly make: () => Promise<() => Promise<boolean>>;
  /** Ends that it outlives. */
  readonly outlives?: readonly End[];
}

const isTaken = async (answer: Promise<{ readonly status: number }>): Promise<boolean> =>
  (await answer).status < 300;

const ROWS: readonly Row[] = [
  {
    what: 'a token, such as that of the command line',
    make: async () => () => isTaken(asAdmin('GET', '/workflows')),
  },
  {
    what: 'a key of the person for all organizations',
    make: async () => {
      const { key } = (await asAdmin('POST', '/api-keys', { name: 'x' })).body;
      return () => isTaken(as(key, 'GET', '/workflows'));
    },
  },
  {
    what: 'a key of the person for this organization',
    make: async () => {
      const { key } = (await asAdmin('POST', '/api-keys', { name: 'x', organization_id: owner.org })).body;
      return () => isTaken(as(key, 'GET', '/workflows'));
    },
  },
  {
    what: 'a key that the person has made for a service account',
    make: async () => {
      const { id } = (await asOwner('POST', '/service-accounts', { name: 'x' })).body;
      const { key } = (await asAdmin('POST', `/service-accounts/${id}/keys`, { name: 'x' })).body;
      return () => isTaken(as(key, 'GET', '/workflows'));
    },
  },
  {
    // The account is the organization's: who is still there has made its key, and whoever left does not know it.
    what: 'a key that somebody else has made for a service account of the person',
    outlives: ENDS,
    make: async () => {
      const { id } = (await asAdmin('POST', '/service-accounts', { name: 'x' })).body;
      const { key } = (await asOwner('POST', `/service-accounts/${id}/keys`, { name: 'x' })).body;
      return () => isTaken(as(key, 'GET', '/workflows'));
    },
  },
  {
    what: 'an open stream of a run',
    make: async () => {
      const caller = {
        userId: adminId,
        subject: '',
        email,
        role: 'USER',
        via: { kind: 'jwt', sessionId: null, isEmailVerified: true },
      } as const;
      const subscription = { plan: 'free', overrides: {}, isSuspended: false };
      const scope = { caller, organizationId: owner.org, role: 'admin', subscription };
      return () => isStillAllowed(api.deps.db, scope, null);
    },
  },
  {
    what: 'an open stream of a run by a key that the person has made for a service account',
    make: async () => {
      const { id } = (await asOwner('POST', '/service-accounts', { name: 'x' })).body;
      const made = (await asAdmin('POST', `/service-accounts/${id}/keys`, { name: 'x' })).body;
      const caller = {
        userId: id,
        subject: '',
        email: '',
        role: 'USER',
        via: {
          kind: 'api_key',
          apiKeyId: made.id,
          keyHint: '',
          organizationId: owner.org,
          expiresAt: null,
          rateLimitPerMinute: 60,
          account: null,
        },
      } as const;
      const subscription = { plan: 'free', overrides: {}, isSuspended: false };
      const scope = { caller, organizationId: owner.org, role: 'admin', subscription };
      return () => isStillAllowed(api.deps.db, scope, null);
    },
  },
  {
    what: 'an open socket of the canvas',
    make: async () => {
      const { db, log } = api.deps;
      const session = { organizationId: owner.org, userId: adminId } as Session;
      let isOpen = true;
      const watch = new AccessWatch({ db, log, onRevoked: () => void (isOpen = false) });
      watch.add(session);
      return async () => {
        await watch.rereadAll();
        return isOpen && watch.mayEdit(session);
      };
    },
  },
  {
    what: 'a handshake of the canvas that another process relays',
    make: async () => {
      const { auth } = api.deps.config;
      const client = await readHandshake(api.deps, { token: admin.token, organizationId: owner.org });
      const ticket = signRelayTicket(auth, client);
      return async () => {
        const relayed = readRelayTicket(auth, ticket);
        if (relayed === null) throw new Error('the ticket is over');
        return readRelayedHandshake(api.deps, relayed).then(
          // A handshake allows users who are deactivated afterwards: the watch of the socket ends them.
          async ({ scope }) => isStillAllowed(api.deps.db, scope, null),
          () => false,
        );
      };
    },
  },
  {
    what: 'the file of an export of the organization',
    make: async () => {
      const id = await exportBy('/data-jobs', { kind: 'export', subject: 'organization' });
      await finishJob(id);
      return () => isTaken(asAdmin('GET', `/data-jobs/${id}/file`));
    },
  },
  {
    what: 'the receipt of an export of the organization',
    make: async () => {
      const id = await exportBy('/data-jobs', { kind: 'export', subject: 'organization' });
      return () => isTaken(asAdmin('GET', `/data-jobs/${id}`));
    },
  },
  {
    // Whoever is in the organization may have what it stores of them, with whatever role.
    what: 'the file of an export of the own data',
    outlives: ['downgraded'],
    make: async () => {
      const own = { kind: 'export', organization_id: owner.org };
      const id = await exportBy('/auth/me/data-jobs', own);
      await finishJob(id);
      return () => isTaken(asAdmin('GET', `/data-jobs/${id}/file`));
    },
  },
  ...(['export', 'erasure'] as const).map((kind): Row => ({
    what: `the steps of an ${kind} of runs`,
    make: async () => {
      const wanted = { kind, subject: 'metadata', metadata: { customer: '42' } };
      const id = await exportBy('/data-jobs', wanted);
      return async () => {
        const goesOn = await takeStep(api.deps.db, id);
        expect((await readJob(api.deps.db, id))?.status).toBe(goesOn ? 'running' : 'cancelled');
        return goesOn;
      };
    },
  })),
  {
    what: 'an answer link',
    make: async () => {
      const { path } = await askByLink();
      return () => isTaken(fetch(api.url + path));
    },
  },
  {
    what: 'the messages with an answer link',
    make: async () => {
      const { place } = await askByLink();
      return async () => {
        // In one transaction, or the sender of this API claims the message in between.
        const due = await api.deps.db.transaction(async (tx) => {
          // Well before now: the column rounds to milliseconds, and up would be after it.
          await tx.query(
            `UPDATE answer_links SET due_at = now() - interval '1 second' WHERE interrupt_id = $1`,
            [place.interruptId],
          );
          return claimMessages(tx, { inFlight: [], limit: 100, retryLimit: 100 });
        });
        return due.some(({ interruptId }) => interruptId === place.interruptId);
      };
    },
  },
  {
    what: 'an invitation that the person has sent, to somebody with an account',
    make: async () => {
      const address = `guest-${randomUUID()}@example.test`;
      const guest = await api.tenant({ email: address });
      const sent = { email: address, role: 'admin' };
      const { id } = (await asAdmin('POST', `/organizations/${owner.org}/invitations`, sent)).body;
      let uses = 0;
      return async () => {
        const { body } = await api.call('GET', '/auth/invitations/my', { token: guest.token });
        const isListed = JSON.stringify(body).includes(id);
        uses += 1;
        // The first use looks only: an accepted invitation has no second.
        if (uses > 1) {
          const accepted = await api.call('POST', `/auth/invitations/${id}/accept`, { token: guest.token });
          expect([accepted.status < 300, isListed]).toEqual([isListed, isListed]);
        }
        return isListed;
      };
    },
  },
  {
    what: 'an invitation that the person has sent, to somebody who signs in for the first time',
    make: async () => {
      const invite = async (): Promise<string> => {
        const address = `guest-${randomUUID()}@example.test`;
        await asAdmin('POST', `/organizations/${owner.org}/invitations`, { email: address, role: 'admin' });
        return address;
      };
      const addresses = [await invite(), await invite()];
      return async () => {
        const guest = await api.tenant({ email: addresses.pop() });
        return isTaken(api.call('GET', '/workflows', { token: guest.token, org: owner.org }));
      };
    },
  },
  {
    what: 'a chat',
    make: async () => {
      const { chat_id: id } = (await asAdmin('POST', '/assistant/chat', { message: 'x' })).body;
      return () => isTaken(asAdmin('GET', `/assistant/chats/${id}/messages`));
    },
  },
  {
    what: 'an authorization of a credential that was begun',
    make: async () => {
      const wanted = { integration: 'github', name: 'x' };
      const { status, body } = await asAdmin('POST', '/credentials/oauth/start', wanted);
      expect(status).toBeLessThan(300);
      const state = new URL(body.authorization_url ?? body.url).searchParams.get('state');
      // The code is nobody's: a caller who is let in is told that (400), one who is not gets 403.
      return async () =>
        (await asAdmin('POST', '/credentials/oauth/callback', { state, error: 'access_denied' })).status !==
        403;
    },
  },
  {
    what: 'a session of MCP with a key of the person',
    make: async () => {
      const { key } = (await asAdmin('POST', '/api-keys', { name: 'x' })).body;
      const initialize = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      };
      const send = (message: object) =>
        api.call('POST', '/mcp', {
          token: key,
          org: owner.org,
          body: message,
          headers: { accept: 'application/json, text/event-stream' },
        });
      expect((await send(rpc('initialize', initialize))).status).toBe(200);
      return () => isTaken(send(rpc('tools/list')));
    },
  },
  {
    what: "the API of OpenAI's clients with a key of the person",
    make: async () => {
      const { key } = (await asAdmin('POST', '/api-keys', { name: 'x' })).body;
      return () => isTaken(as(key, 'GET', '/openai/models'));
    },
  },
  {
    // It answers a run of the organization, for a service that knows nobody here: its event would be lost.
    what: 'the address of a callback of a run that the person has started',
    outlives: ENDS,
    make: async () => {
      const started = await asAdmin('POST', '/workflows/run', { workflow: hello() });
      const [run] = await api.deps.db.query<{ id: string }>('SELECT id FROM runs WHERE run_id = $1', [
        started.body.run_id,
      ]);
      const key = { secret: api.deps.config.auth.apiKeySecret, origin: api.url };
      const place = { organizationId: owner.org, rootRunPk: run?.id ?? '', visit: 1, nodeId: 'hello' };
      const { pathname } = new URL(buildCallbackUrl(key, place));
      return async () => (await fetch(api.url + pathname, { method: 'POST', body: '{}' })).status !== 403;
    },
  },
  {
    // As schedules: it is the organization's, which deletes or rotates it, and its sender is a service.
    what: 'a webhook that the person has made',
    outlives: ENDS,
    make: async () => {
      const workflow = await deployWorkflow(owner, hello(`Hooked ${randomUUID()}`));
      const { body } = await asAdmin('POST', `/workflows/${workflow}/hooks`, { name: 'x' });
      const { pathname } = new URL(body.url);
      return () => isTaken(fetch(api.url + pathname, { method: 'POST', body: '{}' }));
    },
  },
];

describe.each(ROWS)('$what', ({ make, outlives = [] }) => {
  test.each(ENDS)('SEC-T19: is asked for its rights at its use by a person who was %s', async (end) => {
    const use = await make();
    expect(await use()).toBe(true);
    await leave(end);
    expect(await use()).toBe(outlives.includes(end));
  });
});

test('what a removed person has made does not come to life again with a later invitation', async () => {
  const { id } = (await asOwner('POST', '/service-accounts', { name: 'x' })).body;
  const made = (await asAdmin('POST', `/service-accounts/${id}/keys`, { name: 'x' })).body;
  const pinned = (await asAdmin('POST', '/api-keys', { name: 'x', organization_id: owner.org })).body;
  const { path } = await askByLink();
  await leave('removed');
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'admin')`,
    [adminId, owner.org],
  );
  expect((await asAdmin('GET', '/workflows')).status).toBe(200);
  for (const { key } of [made, pinned]) expect((await as(key, 'GET', '/workflows')).status).toBe(401);
  expect((await fetch(api.url + path)).status).toBe(404);
  const { entries } = (await asOwner('GET', '/audit-log?action=api_key.revoked')).body;
  expect(entries.map((entry: { object: { id: string } }) => entry.object.id).toSorted()).toEqual(
    [made.id, pinned.id].toSorted(),
  );
});

test('a person who is active and has the role again uses again what was not revoked', async () => {
  const { id } = (await asOwner('POST', '/service-accounts', { name: 'x' })).body;
  const { key } = (await asAdmin('POST', `/service-accounts/${id}/keys`, { name: 'x' })).body;
  const { path } = await askByLink();
  await leave('downgraded');
  expect((await as(key, 'GET', '/workflows')).status).toBe(401);
  await api.deps.db.query(`UPDATE memberships SET role = 'admin' WHERE user_id = $1`, [adminId]);
  expect((await as(key, 'GET', '/workflows')).status).toBe(200);
  expect((await fetch(api.url + path)).status).toBe(200);
});

test('a key of an owner account ends when its maker is no owner any more', async () => {
  await api.deps.db.query(`UPDATE memberships SET role = 'owner' WHERE user_id = $1`, [adminId]);
  const { id } = (await asAdmin('POST', '/service-accounts', { name: 'x', role: 'owner' })).body;
  const { key } = (await asAdmin('POST', `/service-accounts/${id}/keys`, { name: 'x' })).body;
  expect((await as(key, 'GET', '/workflows')).status).toBe(200);
  await asOwner('PATCH', `/organizations/${owner.org}/members/${adminId}`, { role: 'admin' });
  expect((await as(key, 'GET', '/workflows')).status).toBe(401);
});

test('a person without an account uses a link that names an address of nobody', async () => {
  email = `outside-${randomUUID()}@example.test`;
  const { path } = await askByLink();
  await leave('removed');
  expect((await fetch(api.url + path)).status).toBe(200);
});

test('the receipt of an erasure that has ended the own access can be read, and no other', async () => {
  const other = await exportBy('/data-jobs', { kind: 'erasure', subject: 'metadata', metadata: { a: '1' } });
  const own = await exportBy('/auth/me/data-jobs', {
    kind: 'erasure',
    organization_id: owner.org,
    confirm: email,
  });
  await finishJob(own);
  expect((await asAdmin('GET', '/workflows')).status).toBe(403);
  expect((await asAdmin('GET', `/data-jobs/${own}`)).body.status).toBe('completed');
  expect((await asAdmin('GET', `/data-jobs/${other}`)).status).toBe(404);
});

test('SEC-A31: a request whose user or membership is erased while it is handled is refused, and is no fault of the service', async () => {
  const { db } = api.deps;
  /** The routes, each with an erasure just before it is handled. */
  const erasing = (statement: string, id: string) =>
    allRoutes().map((row) => ({
      ...row,
      async handle(request: Parameters<typeof row.handle>[0]) {
        await db.query(statement, [id]);
        return row.handle(request);
      },
    }));
  const call = async (
    statement: string,
    { token, id, path }: { readonly token: string; readonly id: string; readonly path: string },
  ): Promise<unknown> => {
    const server = await listen(createApp(api.deps, erasing(statement, id)), '127.0.0.1', 0);
    const headers = { authorization: `Bearer ${token}`, 'x-organization-id': owner.org };
    const answer = await fetch(`http://127.0.0.1:${readPort(server)}${path}`, { headers });
    await drain(server, 1_000);
    return [answer.status, answer.headers.get('x-error-code')];
  };
  const path = `/organizations/${owner.org}`;
  const close = 'DELETE FROM organizations WHERE id = $1';
  const erase = 'DELETE FROM users WHERE id = $1';
  const { key } = (await asAdmin('POST', '/api-keys', { name: 'x' })).body;
  const id = adminId;
  expect(await call(erase, { token: key, id, path: '/auth/me' })).toEqual([401, 'api_key_invalid']);
  const again = (await api.call('GET', '/auth/me', { token: admin.token })).body.id;
  expect(await call(erase, { token: admin.token, id: again, path: '/auth/me' })).toEqual([
    401,
    'token_invalid',
  ]);
  expect(await call(close, { token: owner.token, id: owner.org, path })).toEqual([403, 'not_a_member']);
});

test('a download ends at the next piece once its reader has lost the access', async () => {
  async function* pieces() {
    for (let n = 0; n < 3; n += 1) yield n;
    await sleep(0);
  }
  const read: number[] = [];
  const work = (async () => {
    for await (const piece of whileAllowed(pieces(), async () => read.length < 2)) read.push(piece);
  })();
  await expect(work).rejects.toThrow('has lost its access');
  expect(read).toEqual([0, 1]);
});

test('no address hands out what it names to whoever has it, but for these', () => {
  const open = allRoutes().filter(({ access, path }) => access === 'public' && path.includes(':'));
  expect([...new Set(open.map(({ path }) => path))].toSorted()).toEqual([
    '/answers/:token',
    '/callbacks/:token',
    '/hooks/:token',
  ]);
});
