/** Webhook of the payment provider; 404 unless a provider is configured. */
import { z } from 'zod';
import { creditTopup, type TopupPort } from '../topup.ts';
import type { Db } from '../../../base/db/client.ts';
import { unrouted } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { holdBody, readBytes, type BodyDeps } from '../../http/body.ts';
import { routesFor, type Route } from '../../http/route.ts';
import { refusal } from '../../http/wire.ts';

interface PaymentDeps extends BodyDeps {
  readonly db: Db;
  readonly log: Logger;
  /** Payments into wallets; null: this deployment has no payment provider. */
  readonly topups: TopupPort | null;
}
const route = routesFor<PaymentDeps>();

/** An event contains one object; Stripe's largest are far smaller. */
const MAX_BYTES = 256 * 1024;

export const paymentRoutes: readonly Route<PaymentDeps>[] = [
  route({
    method: 'POST',
    path: '/webhooks/stripe',
    tag: 'subscriptions',
    operationId: 'receiveStripeEvent',
    summary: 'Receive an event of Stripe, signed with the webhook secret',
    access: 'public',
    headers: { 'Stripe-Signature': 'The signature of the body; a wrong one is 400' },
    rawBody: "One of Stripe's events; those that are no payment into a wallet change nothing",
    replies: {
      200: z
        .looseObject({ received: z.literal(true).meta({ description: 'The event was accepted' }) })
        .meta({ id: 'StripeEventReceived' }),
      400: refusal,
      404: refusal,
      413: refusal,
    },
    async handle({ deps, ctx }) {
      if (deps.topups === null) throw unrouted();
      // The signature covers the raw bytes.
      const message = await holdBody(deps, ctx.ip, (lease) => readBytes(ctx.req, lease, MAX_BYTES));
      const payment = deps.topups.confirm(message, ctx.get('Stripe-Signature'));
      if (payment !== null) {
        const outcome = await deps.db.transaction((tx) => creditTopup(tx, payment));
        const facts = { payment: payment.reference, organization_id: payment.organizationId };
        // Still 200: a retry by the provider would not bring the organization back.
        if (outcome === 'gone')
          deps.log.error(facts, 'a payment is for an organization that is gone; refund it');
        else deps.log.info({ ...facts, credited: outcome === 'credited' }, 'paid');
      }
      return { status: 200, body: { received: true } };
    },
  }),
];
