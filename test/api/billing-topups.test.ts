/** A payment that Stripe confirms would be credited twice or never. */
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StripeTopups } from '../../src/platform/billing/stripe-topups.ts';
import { createLog } from '../../src/base/log.ts';
import { startApi, type Answer, type ApiServer, type Tenant } from '../support/api-server.ts';
import { booksOf, setTerms } from '../support/money.ts';
import { startStripeServer, type StripeServer } from '../support/stripe-server.ts';

const SETTINGS = {
  secretKey: 'sk_test_of_the_tests',
  webhookSecret: 'whsec_of_the_tests',
  currency: 'usd',
  returnUrl: 'https://app.example/billing',
};

const logged: string[] = [];
let stripe: StripeServer;
let api: ApiServer;
let tenant: Tenant;
beforeAll(async () => {
  stripe = await startStripeServer();
  const settings = { ...SETTINGS, apiBase: stripe.apiBase };
  const topups = new StripeTopups(settings, createLog('silent', 'test'));
  api = await startApi({}, { write: (line) => void logged.push(line) }, { topups });
});
beforeEach(async () => {
  tenant = await api.tenant();
  await setTerms(api.deps.db, tenant.org, { plan: 'pro' });
  stripe.calls.length = 0;
});
afterAll(async () => {
  await api.close();
  await stripe.close();
});

const topup = (amount: number): Promise<Answer> =>
  tenant.call('POST', '/subscriptions/wallet/topup', { body: { amount } });

describe('POST /subscriptions/wallet/topup', () => {
  test('begins a Checkout Session for the credits and answers with its address', async () => {
    const { status, body } = await topup(2_500);
    expect([status, body]).toEqual([200, { checkout_url: 'https://pay.example/cs_test_1' }]);
    const [call] = stripe.calls;
    expect([call?.path, call?.headers.authorization]).toEqual([
      '/v1/checkout/sessions',
      `Bearer ${SETTINGS.secretKey}`,
    ]);
    expect(call?.form).toMatchObject({
      mode: 'payment',
      customer_creation: 'always',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '2500',
      'metadata[organization_id]': tenant.org,
      'metadata[credits]': '2500',
      success_url: 'https://app.example/billing?topup=completed',
    });
    expect(await booksOf(api.deps.db, tenant.org)).toMatchObject({ wallet: 0 });
  });

  test('an amount that Stripe does not take is 400', async () => {
    const error = { type: 'invalid_request_error', code: 'amount_too_small', message: 'sk_live in words' };
    stripe.next.push({ status: 400, body: { error } });
    const { status, body } = await topup(1);
    expect([status, body]).toEqual([400, { detail: 'The payment provider rejects this amount' }]);
  });

  test('a Stripe that fails twice, or refuses our key, is 503 with Retry-After', async () => {
    const failure = { status: 500, body: { error: { type: 'api_error', message: 'down' } } };
    stripe.next.push(failure, failure);
    const down = await topup(100);
    expect([down.status, down.body.detail]).toEqual([503, 'The payment provider is not available']);
    expect(down.headers.get('retry-after')).toBe('10');
    // The repetition is the same payment.
    expect(new Set(stripe.calls.map((call) => call.headers['idempotency-key'])).size).toBe(1);
    stripe.next.push({ status: 401, body: { error: { type: 'invalid_request_error', message: 'no' } } });
    expect((await topup(100)).status).toBe(503);
  });
});

interface Session {
  readonly type?: string;
  readonly id?: string;
  readonly metadata?: object;
  readonly [field: string]: unknown;
}

/** An event as Stripe sends it, for a session that the tenant has paid. */
function event({ type = 'checkout.session.completed', ...session }: Session): string {
  const metadata = { purpose: 'wallet_topup', organization_id: tenant.org, credits: '300' };
  const paid = { payment_status: 'paid', currency: 'usd', amount_subtotal: 300, customer: 'cus_1', metadata };
  const object = { id: `cs_${tenant.org}`, object: 'checkout.session', ...paid, ...session };
  return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
}

function tell(
  payload: string,
  more: { secret?: string; timestamp?: number; raw?: string } = {},
): Promise<Answer> {
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: more.secret ?? SETTINGS.webhookSecret,
    ...(more.timestamp === undefined ? {} : { timestamp: more.timestamp }),
  });
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
  return api.call('POST', '/webhooks/stripe', { raw: more.raw ?? payload, headers });
}

const wallet = async (): Promise<number> => (await booksOf(api.deps.db, tenant.org)).wallet;

describe('POST /webhooks/stripe', () => {
  test('credits a payment once, although it is reported many times concurrently', async () => {
    const paid = event({});
    const answers = await Promise.all(Array.from({ length: 8 }, () => tell(paid)));
    answers.push(await tell(event({ type: 'checkout.session.async_payment_succeeded' })));
    expect(new Set(answers.map((answer) => answer.text))).toEqual(new Set(['{"received":true}']));
    const books = await booksOf(api.deps.db, tenant.org);
    expect([books.wallet, books.ledger]).toEqual([300_000, 300_000]);
    const { body } = await tenant.call('GET', '/subscriptions/wallet/ledger');
    expect(body.items).toMatchObject([{ kind: 'topup', amount: 300, balance: 300 }]);
    // The next payment is the same customer's.
    await topup(100);
    expect(stripe.calls[0]?.form).toMatchObject({ customer: 'cus_1' });
    expect(stripe.calls[0]?.form).not.toHaveProperty('customer_creation');
  });

  test.each<[string, () => Session]>([
    ['is not paid yet', () => ({ payment_status: 'unpaid' })],
    ['is of another amount', () => ({ amount_subtotal: 299 })],
    ['is of another currency', () => ({ currency: 'eur' })],
    ['was made by somebody else', () => ({ metadata: {} })],
    ['is another event', () => ({ type: 'checkout.session.expired' })],
    [
      'is of an organization that is gone',
      () => ({ metadata: { purpose: 'wallet_topup', organization_id: crypto.randomUUID(), credits: '300' } }),
    ],
  ])('takes note of a session that %s, and moves nothing', async (_, session) => {
    const { status, body } = await tell(event(session()));
    expect([status, body]).toEqual([200, { received: true }]);
    expect(await wallet()).toBe(0);
  });

  test('a payment for an organization that is gone is an error in the log', async () => {
    const organizationId = crypto.randomUUID();
    const metadata = { purpose: 'wallet_topup', organization_id: organizationId, credits: '300' };
    await tell(event({ metadata }));
    const told = logged.filter((line) => line.includes(organizationId));
    expect(told.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, payment: `cs_${tenant.org}` }]);
  });

  test('accepts only what Stripe has signed', async () => {
    const paid = event({});
    const now = Math.floor(Date.now() / 1000);
    const answers = [
      await tell(paid, { secret: 'whsec_of_somebody' }),
      await tell(paid, { timestamp: now - 3_600 }),
      await tell(paid, { raw: paid.replace('300', '900') }),
      await tell(paid, { raw: '' }),
      await tell('no event'),
      await api.call('POST', '/webhooks/stripe', { raw: paid }),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([400, { detail: 'Invalid signature' }]);
    const large = await tell(paid, { raw: 'x'.repeat(300_000) });
    expect(large.status).toBe(413);
    expect(await wallet()).toBe(0);
  });

  test('is not there where no provider is configured', async () => {
    const plain = await startApi();
    try {
      const { status, body } = await plain.call('POST', '/webhooks/stripe', { raw: event({}) });
      expect([status, body]).toEqual([404, { detail: 'Not Found' }]);
    } finally {
      await plain.close();
    }
  });
});
