/** Top-ups with Stripe: creates Checkout Sessions, and reads the signed events of paid ones. */
import Stripe from 'stripe';
import type { Config } from '../../base/config/config.ts';
import { badRequest, unavailable } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { Payment, StartedTopup, TopupPort, TopupRequest } from './topup.ts';

/** A client's request waits for the call. */
const TIMEOUT_MS = 8_000;
const RETRY_AFTER_SECONDS = 10;
/** Marks our sessions among others of the same Stripe account. */
const PURPOSE = 'wallet_topup';
type StripeSettings = NonNullable<Config['stripe']>;

/** Splits an address into the options of Stripe's client. */
function parseAddress(apiBase: string | undefined): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (apiBase === undefined) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : port,
    protocol: isPlain ? 'http' : 'https',
  };
}

export class StripeTopups implements TopupPort {
  readonly #stripe: Stripe;
  readonly #settings: StripeSettings;
  readonly #log: Logger;

  constructor(settings: StripeSettings, log: Logger) {
    this.#settings = settings;
    this.#log = log;
    // A retry carries the same idempotency key.
    const limits = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false };
    this.#stripe = new Stripe(settings.secretKey, { ...limits, ...parseAddress(settings.apiBase) });
  }

  async begin({ organizationId, customerId, credits }: TopupRequest): Promise<StartedTopup> {
    const { currency, returnUrl } = this.#settings;
    try {
      const session = await this.#stripe.checkout.sessions.create({
        mode: 'payment',
        client_reference_id: organizationId,
        ...(customerId === null ? { customer_creation: 'always' } : { customer: customerId }),
        line_items: [
          {
            quantity: 1,
            // A credit is one hundredth of the currency unit, the unit of Stripe's amounts.
            price_data: { currency, unit_amount: credits, product_data: { name: `${credits} credits` } },
          },
        ],
        metadata: { purpose: PURPOSE, organization_id: organizationId, credits: String(credits) },
        success_url: new URL('?topup=completed', returnUrl).href,
        cancel_url: new URL('?topup=cancelled', returnUrl).href,
      });
      if (session.url === null) throw new Error('the session has no address');
      return { checkoutUrl: session.url };
    } catch (error) {
      throw this.#toApiError(error);
    }
  }

  confirm(message: Buffer, signature: string): Payment | null {
    const event = this.#parseEvent(message, signature);
    // A session with a slow payment method completes unpaid; a second event follows when it is paid.
    if (
      event.type !== 'checkout.session.completed' &&
      event.type !== 'checkout.session.async_payment_succeeded'
    )
      return null;
    const session = event.data.object;
    const { purpose, organization_id: organizationId, credits: given } = session.metadata ?? {};
    if (purpose !== PURPOSE || organizationId === undefined || session.payment_status !== 'paid') return null;
    const credits = Number(given);
    if (session.currency !== this.#settings.currency || session.amount_subtotal !== credits) {
      this.#log.error(
        { payment: session.id },
        'a payment does not match its session metadata and was not credited',
      );
      return null;
    }
    const customer = session.customer;
    const customerId = typeof customer === 'string' ? customer : (customer?.id ?? null);
    return { reference: session.id, organizationId, customerId, credits };
  }

  #parseEvent(message: Buffer, signature: string): Stripe.Event {
    try {
      return this.#stripe.webhooks.constructEvent(message, signature, this.#settings.webhookSecret);
    } catch {
      // The answer does not tell an invalid signature from an old one or a malformed event.
      throw badRequest('signature_invalid', 'Invalid signature');
    }
  }

  /** Converts an error of Stripe: clients see only what they can change. */
  #toApiError(error: unknown): Error {
    const code = error instanceof Stripe.errors.StripeError ? (error.code ?? error.type) : 'unknown';
    if (code === 'amount_too_small' || code === 'amount_too_large') {
      return badRequest('payment_amount_refused', 'The payment provider rejects this amount');
    }
    this.#log.error({ err: error, code }, 'Stripe did not create a checkout session');
    return unavailable('payments_unavailable', 'The payment provider is not available', RETRY_AFTER_SECONDS);
  }
}
