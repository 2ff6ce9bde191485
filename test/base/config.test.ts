/** The service would start with missing or wrong settings, or refuse to start without saying which setting is wrong. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/base/config/config.ts';
import { VARIABLE_GROUPS } from '../../src/base/config/variable-groups.ts';
import { configVariables } from '../support/variables.ts';

const LOCAL = { DATABASE_URL: 'postgresql://user:password@127.0.0.1:5432/database' };
const KEY = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION = {
  ...LOCAL,
  APP_ENV: 'production',
  TEMPORAL_ADDRESS: 'temporal:7233',
  API_KEY_SECRET: 'a'.repeat(32),
  ENCRYPTION_KEYS: `k1:${KEY}`,
};

function listProblems(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

describe('TLS to Temporal', () => {
  const PEM = '-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n';

  test('a part is a PEM text, or the path of a file with one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    try {
      const file = join(folder, 'ca.pem');
      writeFileSync(file, PEM);
      const pair = { TEMPORAL_TLS_CERT: PEM, TEMPORAL_TLS_KEY: PEM };
      const { temporal } = readConfig({ ...LOCAL, ...pair, TEMPORAL_TLS_CA: file });
      expect(temporal.tls).toEqual({ ca: PEM, cert: PEM, key: PEM });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a file that cannot be read is named by its variable', () => {
    expect(listProblems({ ...LOCAL, TEMPORAL_TLS_CA: '/no/such/file' })).toEqual([
      'TEMPORAL_TLS_CA: is neither PEM nor a readable file (ENOENT)',
    ]);
  });
});

describe('half a setting', () => {
  const VALUES: Readonly<Record<string, string>> = {
    AUTH_JWKS_URL: 'https://idp.example/keys',
    AUTH_ISSUER: 'https://idp.example',
    AUTH_CLAIMS: 'email=mail',
    AUTH_USERINFO: '1',
    AUTH_EMAIL_ALWAYS_VERIFIED: '1',
    API_KEY_SECRET: 'a'.repeat(32),
    API_KEY_SECRET_PREVIOUS: 'b'.repeat(32),
    TEMPORAL_TLS_CERT: '-----BEGIN CERTIFICATE-----',
    TEMPORAL_TLS_KEY: '-----BEGIN PRIVATE KEY-----',
    MANAGED_LLM_BASE_URL: 'http://model.example/v1',
    MANAGED_EMBEDDING_BASE_URL: 'http://model.example/v1',
    STRIPE_API_BASE: 'http://stripe.example',
    APP_URL: 'https://app.example',
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'workflows@example.com',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    OAUTH_CLIENTS: '{"github":{"client_id":"c","client_secret":"s"}}',
  };
  const valueOf = (name: string): string => VALUES[name] ?? 'text';
  const rows = VARIABLE_GROUPS.flatMap(({ any, all }) => any.map((name) => ({ name, all })));

  test.each(rows)('$name alone is refused with the names of what it needs', ({ name, all }) => {
    const missing = all.filter((other) => other !== name);
    expect(listProblems({ ...LOCAL, [name]: valueOf(name) })).toEqual(
      missing.map((other) => `${other}: is required with ${name}`),
    );
    const whole = Object.fromEntries([name, ...all].map((member) => [member, valueOf(member)]));
    expect(listProblems({ ...LOCAL, ...whole })).toEqual([]);
  });

  test.each(VARIABLE_GROUPS.flatMap(({ any, all }) => all.map((missing) => ({ missing, any, all }))))(
    'everything but $missing is refused',
    ({ missing, any, all }) => {
      const set = [...new Set([...any, ...all])].filter((name) => name !== missing);
      const given = Object.fromEntries(set.map((name) => [name, valueOf(name)]));
      expect(listProblems({ ...LOCAL, ...given })).toContainEqual(
        expect.stringMatching(new RegExp(`^${missing}: is required with `)),
      );
    },
  );

  test('a flag that is off, and an empty text, ask for nothing', () => {
    expect(listProblems({ ...LOCAL, AUTH_USERINFO: '0', MANAGED_LLM_MODEL: '' })).toEqual([]);
  });
});

describe('readConfig', () => {
  test('development needs a database only and listens on loopback', () => {
    const config = readConfig(LOCAL);
    expect(config).toMatchObject({ env: 'development', host: '127.0.0.1', port: 8000, realtimePort: 3001 });
    expect(config.auth.jwksUrl).toBeUndefined();
    expect(config.managedLlm).toBeNull();
    expect(config.outboundAllow).toEqual([]);
  });

  test('an empty value counts as unset', () => {
    expect(readConfig({ ...LOCAL, PORT: '', AUTH_ISSUER: '' })).toEqual(readConfig(LOCAL));
  });

  test.each(['staging', 'production'])('%s refuses to start without its secrets and servers', (env) => {
    const names = listProblems({ APP_ENV: env }).map((line) => line.split(':')[0]);
    expect(names).toEqual(['API_KEY_SECRET', 'ENCRYPTION_KEYS', 'DATABASE_URL', 'TEMPORAL_ADDRESS']);
  });

  test('production listens on every interface unless told otherwise', () => {
    expect(readConfig(PRODUCTION).host).toBe('0.0.0.0');
    expect(readConfig({ ...PRODUCTION, HOST: '127.0.0.1' }).host).toBe('127.0.0.1');
  });

  test('OAuth clients are read by integration, and a mistake in them is reported without their secrets', () => {
    const github = { client_id: 'c', client_secret: 'CANARY' };
    const APP_URL = 'https://app.example';
    const read = readConfig({ ...LOCAL, APP_URL, OAUTH_CLIENTS: JSON.stringify({ github }) });
    expect(read.oauthClients).toEqual({
      github: { clientId: 'c', clientSecret: 'CANARY', origin: null, baseUrl: null },
    });
    for (const wrong of ['CANARY', '[]', '{"github":"CANARY"}', '{"github":{"client_secret":"CANARY"}}']) {
      const problems = listProblems({ ...LOCAL, OAUTH_CLIENTS: wrong });
      expect(problems).toEqual([expect.stringMatching(/^OAUTH_CLIENTS/)]);
      expect(problems.join()).not.toContain('CANARY');
    }
  });

  test('Stripe is read whole, and a currency without hundredths is refused', () => {
    const whole = {
      ...LOCAL,
      APP_URL: 'https://app.example',
      STRIPE_SECRET_KEY: 'sk',
      STRIPE_WEBHOOK_SECRET: 'wh',
    };
    expect(readConfig({ ...whole, STRIPE_CURRENCY: 'eur' }).stripe).toEqual({
      secretKey: 'sk',
      webhookSecret: 'wh',
      currency: 'eur',
      returnUrl: 'https://app.example',
    });
    expect(readConfig(LOCAL).stripe).toBeNull();
    expect(listProblems({ ...whole, STRIPE_CURRENCY: 'jpy' })[0]).toContain('STRIPE_CURRENCY');
  });

  test('all problems are reported together, by name and without the value', () => {
    const problems = listProblems({ ...LOCAL, PORT: 'eighty', API_KEY_SECRET: 'short', LOG_LEVEL: 'loud' });
    expect(problems.map((line) => line.split(':')[0] ?? '').toSorted()).toEqual([
      'API_KEY_SECRET',
      'LOG_LEVEL',
      'PORT',
    ]);
    expect(problems.join('\n')).not.toMatch(/eighty|short|loud/);
  });

  test.each([
    ['a key that is not 32 bytes', `k1:${Buffer.alloc(31).toString('base64')}`],
    ['two keys of one id', `k1:${KEY},k1:${KEY}`],
    ['a key without an id', KEY],
  ])('ENCRYPTION_KEYS: %s is refused', (_what, keys) => {
    expect(listProblems({ ...LOCAL, ENCRYPTION_KEYS: keys })[0]).toMatch(/^ENCRYPTION_KEYS: /);
  });

  test('the first encryption key is the one that writes', () => {
    const config = readConfig({ ...LOCAL, ENCRYPTION_KEYS: `new:${KEY},old:${KEY}` });
    expect(config.encryptionKeys.map((key) => key.id)).toEqual(['new', 'old']);
  });

  test('an API key secret has at least 32 characters', () => {
    expect(listProblems({ ...LOCAL, API_KEY_SECRET: 'x'.repeat(31) })[0]).toMatch(/^API_KEY_SECRET: /);
    expect(listProblems({ ...LOCAL, API_KEY_SECRET: 'x'.repeat(32) })).toEqual([]);
  });

  test('OUTBOUND_ALLOW is a list of host:port', () => {
    expect(readConfig({ ...LOCAL, OUTBOUND_ALLOW: '127.0.0.1:9, model:80' }).outboundAllow).toEqual([
      '127.0.0.1:9',
      'model:80',
    ]);
    expect(listProblems({ ...LOCAL, OUTBOUND_ALLOW: 'localhost' })[0]).toMatch(/^OUTBOUND_ALLOW: /);
  });

  test('a managed model needs its address and its name', () => {
    const baseUrl = 'http://127.0.0.1:1/v1';
    const config = readConfig({ ...LOCAL, MANAGED_LLM_BASE_URL: baseUrl, MANAGED_LLM_MODEL: 'm' });
    expect(config.managedLlm).toEqual({ baseUrl, apiKey: undefined, model: 'm' });
  });

  test('a secret may come from a file, whose last line break is not part of it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    const path = join(folder, 'secret');
    const { API_KEY_SECRET: _, ...others } = PRODUCTION;
    writeFileSync(path, `${'s'.repeat(32)}\n`);
    expect(readConfig({ ...others, API_KEY_SECRET_FILE: path }).auth.apiKeySecret).toBe('s'.repeat(32));
    expect(readConfig({ ...PRODUCTION, API_KEY_SECRET_FILE: '' }).auth.apiKeySecret).toBe('a'.repeat(32));
    expect(listProblems({ ...PRODUCTION, API_KEY_SECRET_FILE: path })).toEqual([
      'API_KEY_SECRET_FILE: API_KEY_SECRET is set, too',
    ]);
    rmSync(folder, { recursive: true });
    expect(listProblems({ ...others, API_KEY_SECRET_FILE: path })).toEqual([
      'API_KEY_SECRET_FILE: the file cannot be read (ENOENT)',
    ]);
  });

  test('the API waits for proxies in staging and production, unless it is told otherwise', () => {
    expect(readConfig(LOCAL).shutdownDelayMs).toBe(0);
    expect(readConfig(PRODUCTION).shutdownDelayMs).toBe(5_000);
    expect(readConfig({ ...PRODUCTION, SHUTDOWN_DELAY_SECONDS: '0' }).shutdownDelayMs).toBe(0);
    expect(listProblems({ ...LOCAL, SHUTDOWN_DELAY_SECONDS: '21' })[0]).toContain('must be 0 to 20');
  });

  test('the realtime admin API needs both of its variables', () => {
    const both = { ...LOCAL, REALTIME_ADMIN_API_KEY: 'k', REALTIME_ADMIN_EMAIL: 'a@example.com' };
    expect(readConfig(both).realtimeAdmin).toEqual({ apiKeys: ['k'], email: 'a@example.com' });
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
  const entries = text.split('\n').filter((line) => /^[A-Z]/.test(line));

  test('names every variable once and no other', () => {
    const names = entries.map((line) => line.split('=')[0] ?? '');
    expect(names.toSorted()).toEqual(configVariables().toSorted());
  });

  test('holds no secret, and its values are good', () => {
    const values = Object.fromEntries(entries.map((line) => [line.split('=')[0], line.split('=')[1] ?? '']));
    for (const [name, value] of Object.entries(values)) {
      if (/SECRET|_KEYS?$|PASSWORD/.test(name)) expect(value, name).toBe('');
    }
    expect(listProblems({ ...values, ...LOCAL })).toEqual([]);
  });
});
