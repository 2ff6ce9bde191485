/** Routes of /subscriptions: administrative, for owners and admins. */
import { requirePaid } from '../../billing/wallet.ts';
import { routesFor, type Route } from '../../http/route.ts';
import { refusal } from '../../http/wire.ts';
import {
  dailyUsageQuery,
  dailyUsageReply,
  extraUsageBody,
  ledgerQuery,
  ledgerReply,
  paidGate,
  subscriptionReply,
  topupBody,
  topupReply,
} from './schema.ts';
import {
  beginTopup,
  getDailyUsage,
  getSubscription,
  listLedger,
  setExtraUsage,
  type SubscriptionDeps,
} from './service.ts';

const route = routesFor<SubscriptionDeps>();

const common = { tag: 'subscriptions', access: 'owner_or_admin', isAdministrative: true } as const;

export const subscriptionRoutes: readonly Route<SubscriptionDeps>[] = [
  route({
    ...common,
    method: 'GET',
    path: '/subscriptions',
    operationId: 'getSubscription',
    summary: "Read the organization's plan, credits and wallet",
    replies: { 200: subscriptionReply },
    handle: async ({ deps, scope }) => ({ status: 200, body: await getSubscription(deps, scope) }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/subscriptions/usage/daily',
    operationId: 'getDailyUsage',
    summary: 'Read what each of the last days has used, oldest first; a day without use is there with zeros',
    query: dailyUsageQuery,
    replies: { 200: dailyUsageReply },
    handle: async ({ deps, scope, query }) => ({
      status: 200,
      body: await getDailyUsage(deps, scope, query.days),
    }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/subscriptions/wallet/ledger',
    operationId: 'listWalletLedger',
    summary: 'List what moved the wallet, newest first',
    query: ledgerQuery,
    replies: { 200: ledgerReply },
    handle: async ({ deps, scope, query }) => ({ status: 200, body: await listLedger(deps, scope, query) }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/subscriptions/wallet/extra-usage',
    operationId: 'setExtraUsage',
    summary: "Turn the use of the wallet beyond the month's allowance on or off",
    guard: requirePaid,
    body: extraUsageBody,
    replies: { 200: subscriptionReply, 402: paidGate },
    handle: async ({ deps, scope, body }) => ({
      status: 200,
      body: await setExtraUsage(deps, scope, body.enabled),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/subscriptions/wallet/topup',
    operationId: 'startTopup',
    summary: 'Begin a payment into the wallet',
    guard: requirePaid,
    body: topupBody,
    replies: { 200: topupReply, 400: refusal, 402: paidGate, 503: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 200,
      body: await beginTopup(deps, scope, body.amount),
    }),
  }),
];
