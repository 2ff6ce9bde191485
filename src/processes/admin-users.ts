/** The operator's commands about users: create one, and create keys. */
import { parseArgs } from 'node:util';
import {
  CommandRefused,
  createCommandLog,
  JSON_OPTION,
  readOrganizationId,
  UsageError,
  type Command,
} from './admin-command.ts';
import { DEFAULT_KEY_LIMIT, createKey } from '../platform/access/api-key.ts';
import { normalizeEmail } from '../platform/access/email.ts';
import { findOrCreateUser } from '../platform/access/provision.ts';
import { createAccountSeeder } from '../features/accounts/seed-account.ts';

/** Prefix of the subject of a user without an account at the provider; no token has such a subject. */
const OPERATOR_SUBJECT_PREFIX = 'created-by-operator:';
const EMAIL = /^[^\s@]+@[^\s@]+$/;

export const userCreate: Command = {
  summary:
    'Create a user with an organization, without an identity provider: the user works by the API key, which is printed once. ' +
    'With --subject, tokens of that subject of the provider are of this user, too',
  usage: 'user:create --email EMAIL [--subject SUBJECT] [--json]',
  async run(args, config, db) {
    const { values } = parseArgs({
      args,
      options: { ...JSON_OPTION, email: { type: 'string' }, subject: { type: 'string' } },
    });
    const email = normalizeEmail(values.email ?? '');
    if (values.email === undefined) throw new UsageError('--email EMAIL is needed');
    if (!EMAIL.test(email)) throw new UsageError(`--email ${values.email}: an email address is needed`);
    const known = await db.query('SELECT 1 FROM users WHERE lower(email) = $1', [email]);
    if (known.length > 0) throw new CommandRefused(`there is a user ${email}: create a key with key:create`);
    const log = createCommandLog(config);
    const { userId } = await findOrCreateUser(
      { db, seedAccount: createAccountSeeder({ db, config, log }) },
      {
        subject: values.subject ?? `${OPERATOR_SUBJECT_PREFIX}${email}`,
        email,
        isEmailVerified: true,
        sessionId: null,
        role: null,
      },
    );
    const [membership] = await db.query<{ organization_id: string }>(
      'SELECT organization_id FROM memberships WHERE user_id = $1 ORDER BY created_at LIMIT 1',
      [userId],
    );
    const apiKey = await createKey(db, config.auth.apiKeySecret, {
      userId,
      name: 'Created by the operator',
      organizationId: null,
      rateLimitPerMinute: DEFAULT_KEY_LIMIT,
    });
    console.log(
      JSON.stringify({
        user_id: userId,
        email,
        organization_id: membership?.organization_id ?? null,
        api_key: apiKey,
      }),
    );
  },
};

export const keyCreate: Command = {
  summary: 'Create an API key for a user; the key is printed once',
  usage: 'key:create --user EMAIL|USER_ID [--name NAME] [--org ORG_ID] [--json]',
  async run(args, config, db) {
    const { values } = parseArgs({
      args,
      options: {
        ...JSON_OPTION,
        user: { type: 'string' },
        name: { type: 'string' },
        org: { type: 'string' },
      },
    });
    if (values.user === undefined) throw new UsageError('--user EMAIL|USER_ID is needed');
    const organizationId = readOrganizationId(values.org);
    const users = await db.query<{ id: string }>(
      `SELECT u.id FROM users u
       WHERE (lower(u.email) = lower($1) OR u.id::text = lower($1) OR u.subject = $1) AND u.is_active
         AND ($2::uuid IS NULL OR EXISTS (
           SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.organization_id = $2 AND m.is_active))`,
      [values.user, organizationId],
    );
    const [user] = users;
    if (user === undefined)
      throw new CommandRefused(`there is no active user ${values.user} (in that organization)`);
    if (users.length > 1)
      throw new CommandRefused(`${users.length} users have the address ${values.user}: pass a user id`);
    const owner = {
      userId: user.id,
      name: values.name ?? 'Created by the operator',
      organizationId,
      rateLimitPerMinute: DEFAULT_KEY_LIMIT,
    };
    const apiKey = await createKey(db, config.auth.apiKeySecret, owner);
    console.log(values.json ? JSON.stringify({ user_id: user.id, api_key: apiKey }) : apiKey);
  },
};
