/** An organization could lose its last owner, keep a removed member, or let somebody in whom nobody has invited. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hello, startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

interface Person extends Tenant {
  readonly userId: string;
  readonly email: string;
}

let people = 0;
/** A user with a verified address and a personal organization. */
async function person(claims: Record<string, unknown> = {}): Promise<Person> {
  people += 1;
  const tenant = await api.tenant({ email: `person-${people}@example.test`, ...claims });
  const { body } = await tenant.call('GET', '/auth/me');
  return { ...tenant, userId: body.id, email: body.email };
}

/** The person acting in somebody's organization. */
const inside = (who: Person, org: string) => {
  return (method: string, path: string, body?: unknown): Promise<Answer> =>
    who.call(method, `/organizations/${org}${path}`, { org, ...(body === undefined ? {} : { body }) });
};

const invite = (owner: Person, email: string) =>
  inside(owner, owner.org)('POST', '/invitations', { email, role: 'admin' });
const decline = (who: Person, invitationId: string, more: object = {}) =>
  who.call('POST', `/auth/invitations/${invitationId}/decline`, { org: undefined, ...more });
const accept = (who: Person, invitationId: string, more: object = {}) =>
  who.call('POST', `/auth/invitations/${invitationId}/accept`, { org: undefined, ...more });

/** Joins as an admin, the way people do. */
async function join(owner: Person, who: Person): Promise<void> {
  const { body } = await invite(owner, who.email);
  expect((await accept(who, body.id)).status).toBe(200);
}

const roles = async (owner: Person): Promise<Record<string, string>> => {
  const { body } = await inside(owner, owner.org)('GET', '/members');
  return Object.fromEntries(
    body.members.map((row: { user_id: string; role: string }) => [row.user_id, row.role]),
  );
};

test('settings are read and changed field by field', async () => {
  const owner = await person();
  const call = inside(owner, owner.org);
  const before = (await call('GET', '')).body;
  expect(before).toMatchObject({ id: owner.org, domain: '', settings: {}, has_ever_trialed: false });
  const changed = await call('PATCH', '', { domain: 'Example.TEST ', settings: { theme: 'dark' } });
  const after = { ...before, domain: 'example.test', settings: { theme: 'dark' } };
  expect([changed.status, changed.body]).toEqual([200, after]);
  expect((await call('PATCH', '', { name: 'New name' })).body).toEqual({ ...after, name: 'New name' });
  expect((await call('PATCH', '', { settings: {} })).body.settings).toEqual({});
  expect((await call('PATCH', '', {})).body.name).toBe('New name');
});

test.each([
  ['an empty name', { name: '' }, 'name'],
  ['a blank name', { name: ' ' }, 'name'],
  ['a long name', { name: 'x'.repeat(256) }, 'name'],
  ['a sentence as domain', { domain: 'not a domain' }, 'domain'],
  ['an address as domain', { domain: 'https://example.test' }, 'domain'],
  ['a list of settings', { settings: [] }, 'settings'],
  ['no settings at all', { settings: null }, 'settings'],
  ['settings beyond 16 kB', { settings: { text: 'x'.repeat(17_000) } }, 'settings'],
])('settings refuse %s', async (_, body, field) => {
  const owner = await person();
  const answer = await inside(owner, owner.org)('PATCH', '', body);
  expect([answer.status, answer.body.detail?.[0]?.loc]).toEqual([422, ['body', field]]);
});

test('API-organization-trial: the mark of a past trial cannot be cleared', async () => {
  const { org } = await person();
  const mark = (isSet: boolean): Promise<unknown> =>
    api.deps.db.query(
      'UPDATE organizations SET has_ever_trialed = $2 WHERE id = $1 RETURNING has_ever_trialed',
      [org, isSet],
    );
  expect(await mark(false)).toEqual([{ has_ever_trialed: false }]);
  expect(await mark(true)).toEqual([{ has_ever_trialed: true }]);
  expect(await mark(true)).toEqual([{ has_ever_trialed: true }]);
  await expect(mark(false)).rejects.toThrow('cannot be cleared');
});

test('what is not a setting cannot be set', async () => {
  const owner = await person();
  const call = inside(owner, owner.org);
  const before = (await call('GET', '')).body;
  const sly = {
    id: crypto.randomUUID(),
    slug: 'x',
    plan: 'max',
    is_active: false,
    has_ever_trialed: true,
  };
  const { warnings, ...after } = (await call('PATCH', '', sly)).body;
  expect(after).toEqual(before);
  // What a detail says may be sent back; a plan is no field of it.
  expect(warnings.map(({ loc }: { loc: string[] }) => loc)).toEqual([['body', 'plan']]);
  const rows = await api.deps.db.query(`SELECT 1 FROM organizations WHERE id = $1 AND plan = 'max'`, [
    owner.org,
  ]);
  expect(rows).toEqual([]);
});

test('the path names the organization of the header, or none', async () => {
  const owner = await person();
  const other = await person();
  await join(other, owner);
  // The owner belongs to both; only the one in the header is there.
  const mixed = await owner.call('GET', `/organizations/${other.org}`, { org: owner.org });
  expect([mixed.status, mixed.body]).toEqual([404, { detail: 'Organization not found' }]);
  const headless = await owner.call('GET', `/organizations/${owner.org}`, { org: undefined });
  expect(headless.body).toEqual({ detail: 'X-Organization-ID header is required' });
  expect((await owner.call('GET', `/organizations/${owner.org.toUpperCase()}`)).status).toBe(200);
});

test('an invitation goes to an address with up to 64 characters before the @', async () => {
  const owner = await person();
  expect((await invite(owner, `${'a'.repeat(64)}@example.com`)).status).toBe(201);
  const longer = await invite(owner, `${'a'.repeat(65)}@example.com`);
  expect([longer.status, longer.body.detail]).toEqual([
    422,
    [
      expect.objectContaining({
        loc: ['body', 'email'],
        msg: 'Must have at most 64 characters before the @',
      }),
    ],
  ]);
});

test('an invitation is accepted by its address, once, and again without effect', async () => {
  const [owner, guest, other] = [await person(), await person(), await person()];
  const { status, body: invited } = await invite(owner, ` ${guest.email.toUpperCase()}`.trim());
  expect([status, invited.status]).toEqual([201, 'pending']);
  const again = await invite(owner, guest.email);
  expect([again.status, again.body]).toEqual([200, invited]);
  const mine = (await guest.call('GET', '/auth/invitations/my')).body.invitations;
  expect(mine).toEqual([invited]);
  expect((await inside(owner, owner.org)('GET', '/invitations')).body.invitations).toEqual([invited]);

  const stolen = await accept(other, invited.id);
  expect([stolen.status, stolen.body]).toEqual([404, { detail: 'Invitation not found' }]);
  for (let times = 0; times < 2; times += 1) {
    const accepted = await accept(guest, invited.id);
    expect([accepted.status, accepted.body]).toEqual([200, { ...invited, status: 'accepted' }]);
  }
  expect(await roles(owner)).toEqual({ [owner.userId]: 'owner', [guest.userId]: 'admin' });
  expect((await guest.call('GET', '/auth/invitations/my')).body.invitations).toEqual([]);
  expect((await inside(owner, owner.org)('GET', '/invitations')).body.invitations).toEqual([]);
  const member = await invite(owner, guest.email);
  expect([member.status, member.body.detail]).toEqual([
    409,
    'The user is already a member of the organization',
  ]);
});

test('twenty acceptances at once make one membership', async () => {
  const [owner, guest] = [await person(), await person()];
  const { body } = await invite(owner, guest.email);
  const answers = await Promise.all(Array.from({ length: 20 }, () => accept(guest, body.id)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(await roles(owner)).toMatchObject({ [guest.userId]: 'admin' });
});

test('twenty invitations at once are one', async () => {
  const owner = await person();
  const answers = await Promise.all(Array.from({ length: 20 }, () => invite(owner, 'crowd@example.test')));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
});

test('an unverified address sees, accepts and declines no invitation', async () => {
  const [owner, guest] = [await person(), await person()];
  const { body } = await invite(owner, guest.email);
  const { key } = (await guest.call('POST', '/api-keys', { body: { name: 'x' } })).body;
  const unverified = await api.identity.mint({ email: guest.email, email_verified: false });
  for (const token of [key, unverified]) {
    expect((await guest.call('GET', '/auth/invitations/my', { token })).body.invitations).toEqual([]);
    const refused = await accept(guest, body.id, { token });
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'Accepting an invitation requires a verified email address',
    ]);
    const kept = await decline(guest, body.id, { token });
    expect([kept.status, kept.body.detail]).toEqual([
      403,
      'Declining an invitation requires a verified email address',
    ]);
  }
});

test('a withdrawn invitation is gone, also for its address; a stranger cannot withdraw one', async () => {
  const [owner, guest, stranger] = [await person(), await person(), await person()];
  const { body } = await invite(owner, guest.email);
  const foreign = await inside(stranger, stranger.org)('DELETE', `/invitations/${body.id}`);
  expect([foreign.status, foreign.body]).toEqual([404, { detail: 'Invitation not found' }]);
  expect((await inside(owner, owner.org)('DELETE', `/invitations/${body.id}`)).status).toBe(200);
  expect((await inside(owner, owner.org)('DELETE', `/invitations/${body.id}`)).status).toBe(404);
  expect((await accept(guest, body.id)).status).toBe(404);
});

test('an invitation is declined by its address alone, while it is pending; the address may be invited again', async () => {
  const [owner, guest, other] = [await person(), await person(), await person()];
  const { body: first } = await invite(owner, guest.email);
  for (const who of [other, owner]) {
    const stolen = await decline(who, first.id);
    expect([stolen.status, stolen.body]).toEqual([404, { detail: 'Invitation not found' }]);
  }
  const declined = await decline(guest, first.id);
  expect([declined.status, declined.body]).toEqual([200, { success: true, message: 'Invitation declined' }]);
  expect((await guest.call('GET', '/auth/invitations/my')).body.invitations).toEqual([]);
  expect((await inside(owner, owner.org)('GET', '/invitations')).body.invitations).toEqual([]);
  expect((await accept(guest, first.id)).status).toBe(404);
  expect((await decline(guest, first.id)).status).toBe(404);
  const { status, body: second } = await invite(owner, guest.email);
  expect(status).toBe(201);
  expect((await accept(guest, second.id)).status).toBe(200);
  expect((await decline(guest, second.id)).status).toBe(404);
  expect(await roles(owner)).toMatchObject({ [guest.userId]: 'admin' });
});

test('an accepted invitation lets nobody back in', async () => {
  const [owner, guest] = [await person(), await person()];
  const { body } = await invite(owner, guest.email);
  await accept(guest, body.id);
  await inside(owner, owner.org)('DELETE', `/members/${guest.userId}`);
  const again = await accept(guest, body.id);
  expect([again.status, again.body]).toEqual([409, { detail: 'The invitation was already used' }]);
  expect(await roles(owner)).toEqual({ [owner.userId]: 'owner' });
});

test('an invitation gives a retired member a live role, and takes no owner down', async () => {
  const [owner, old] = [await person(), await person()];
  await api.deps.db.query(
    `INSERT INTO memberships (user_id, organization_id, role) VALUES ($1, $2, 'member')`,
    [old.userId, owner.org],
  );
  await join(owner, old);
  expect(await roles(owner)).toMatchObject({ [old.userId]: 'admin' });
  const { body } = await invite(owner, 'late@example.test');
  await api.deps.db.query('UPDATE invitations SET email = $2 WHERE id = $1', [body.id, owner.email]);
  expect((await accept(owner, body.id)).status).toBe(200);
  expect(await roles(owner)).toMatchObject({ [owner.userId]: 'owner' });
});

test('owners are made and unmade by owners only', async () => {
  const [owner, first, second] = [await person(), await person(), await person()];
  await join(owner, first);
  await join(owner, second);
  const byAdmin = inside(first, owner.org);
  const refused = { detail: 'The owner role is required' };
  expect((await byAdmin('PATCH', `/members/${first.userId}`, { role: 'owner' })).body).toEqual(refused);
  expect((await byAdmin('PATCH', `/members/${owner.userId}`, { role: 'admin' })).body).toEqual(refused);
  expect((await byAdmin('DELETE', `/members/${owner.userId}`)).body).toEqual(refused);
  expect(await roles(owner)).toEqual({
    [owner.userId]: 'owner',
    [first.userId]: 'admin',
    [second.userId]: 'admin',
  });
  const made = await inside(owner, owner.org)('PATCH', `/members/${first.userId}`, { role: 'owner' });
  expect([made.status, made.body.role]).toEqual([200, 'owner']);
  expect((await byAdmin('PATCH', `/members/${owner.userId}`, { role: 'admin' })).body.role).toBe('admin');
});

test('roles that are not live cannot be given', async () => {
  const [owner, guest] = [await person(), await person()];
  await join(owner, guest);
  for (const role of ['member', 'OWNER', '', null]) {
    const answer = await inside(owner, owner.org)('PATCH', `/members/${guest.userId}`, { role });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'role']]);
  }
});

test('the last owner stays, and a deactivated one does not count', async () => {
  const [owner, second] = [await person(), await person()];
  await join(owner, second);
  const call = inside(owner, owner.org);
  const last = [409, { detail: 'An organization must keep at least one owner' }];
  const demote = () => call('PATCH', `/members/${owner.userId}`, { role: 'admin' });
  const leave = () => call('DELETE', `/members/${owner.userId}`);
  for (const attempt of [demote, leave]) {
    const answer = await attempt();
    expect([answer.status, answer.body]).toEqual(last);
  }
  await call('PATCH', `/members/${second.userId}`, { role: 'owner' });
  await api.deps.db.query('UPDATE users SET is_active = false WHERE id = $1', [second.userId]);
  const answer = await leave();
  expect([answer.status, answer.body]).toEqual(last);
  await api.deps.db.query('UPDATE users SET is_active = true WHERE id = $1', [second.userId]);
  expect((await leave()).status).toBe(200);
  expect((await call('GET', '')).status).toBe(403);
});

test('owners who unmake each other at once leave one owner', async () => {
  const [owner, second] = [await person(), await person()];
  await join(owner, second);
  for (let round = 0; round < 10; round += 1) {
    await api.deps.db.query(`UPDATE memberships SET role = 'owner' WHERE organization_id = $1`, [owner.org]);
    const answers = await Promise.all([
      inside(owner, owner.org)('PATCH', `/members/${second.userId}`, { role: 'admin' }),
      inside(second, owner.org)('PATCH', `/members/${owner.userId}`, { role: 'admin' }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403]);
    expect(Object.values(await roles(owner)).sort()).toEqual(['admin', 'owner']);
  }
});

test('a removed member is out at once, by token and by key; its pinned keys never come back', async () => {
  const [owner, guest] = [await person(), await person()];
  await join(owner, guest);
  const create = async (organization: string | null): Promise<string> =>
    (await guest.call('POST', '/api-keys', { body: { name: 'x', organization_id: organization } })).body.key;
  const [pinned, free, elsewhere] = [await create(owner.org), await create(null), await create(guest.org)];
  const workflows = (token: string, org: string) => guest.call('GET', '/workflows', { token, org });
  for (const token of [guest.token, pinned, free])
    expect((await workflows(token, owner.org)).status).toBe(200);

  expect((await inside(owner, owner.org)('DELETE', `/members/${guest.userId}`)).status).toBe(200);
  expect((await workflows(guest.token, owner.org)).status).toBe(403);
  expect((await workflows(free, owner.org)).status).toBe(403);
  expect((await workflows(pinned, owner.org)).status).toBe(401);
  expect((await workflows(free, guest.org)).status).toBe(200);
  expect((await workflows(elsewhere, guest.org)).status).toBe(200);

  await join(owner, guest);
  expect((await workflows(free, owner.org)).status).toBe(200);
  expect((await workflows(pinned, owner.org)).status).toBe(401);
});

test('a member of another organization is not found, as one that does not exist', async () => {
  const [owner, stranger] = [await person(), await person()];
  for (const userId of [stranger.userId, crypto.randomUUID()]) {
    for (const answer of [
      await inside(owner, owner.org)('PATCH', `/members/${userId}`, { role: 'admin' }),
      await inside(owner, owner.org)('DELETE', `/members/${userId}`),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Member not found' }]);
    }
  }
  expect((await stranger.call('GET', '/workflows')).status).toBe(200);
});

/** Every resource whose owner the body may name; `needs` is made there first. */
const NAMING: Readonly<Record<string, (who: Person, org: string) => Promise<object>>> = {
  '/workflows': async () => ({ name: 'x', workflow_schema: hello() }),
  '/knowledge-bases': async (who, org) => {
    const body = {
      name: 'x',
      integration: 'openai',
      auth_type: 'api_key',
      data: { api_key: 'sk-0123456789' },
    };
    const made = await who.call('POST', '/credentials', { org, body });
    return { name: 'x', credential_id: made.body.credential_id, embedding_config: { model: 'm' } };
  },
  '/credentials': async () => ({
    name: 'x',
    integration: 'openai',
    auth_type: 'api_key',
    data: { api_key: 'sk-0123456789' },
  }),
  '/schedules': async (who, org) => {
    const made = await who.call('POST', '/workflows', { org, body: { name: 'x', workflow_schema: hello() } });
    return { workflow_id: made.body.id, name: 'x', cron_expression: '0 6 * * *' };
  },
  '/requests': async () => ({ subject: 'x', message: 'y' }),
  '/support': async () => ({ subject: 'x', message: 'y' }),
};

test.each(Object.keys(NAMING))(
  'the body of POST %s names the owner, whatever the header says, where the caller is at home',
  async (path) => {
    const [owner, stranger] = await Promise.all([person(), person()]);
    const second: string = (await owner.call('POST', '/organizations', { body: { name: 'Second' } })).body.id;
    const given = await NAMING[path]?.(owner, second);
    const ask = (organizationId: string | null): Promise<Answer> =>
      owner.call('POST', path, { body: { ...given, organization_id: organizationId } });
    const made = await ask(second);
    expect([made.status, made.body.organization_id]).toEqual([201, second]);
    const refused = await ask(stranger.org);
    expect([refused.status, refused.body]).toEqual([
      403,
      { detail: `User is not a member of organization ${stranger.org}` },
    ]);
    const key = await owner.call('POST', '/api-keys', { body: { name: 'k', organization_id: owner.org } });
    const pinned = await api.call('POST', path, {
      token: key.body.key,
      headers: { 'x-organization-id': owner.org },
      body: { ...given, organization_id: second },
    });
    expect([pinned.status, pinned.body]).toEqual([
      403,
      { detail: 'API key is scoped to a different organization' },
    ]);
    if (path === '/requests') expect((await ask(null)).body.organization_id).toBe(owner.org);
  },
);
