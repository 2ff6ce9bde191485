/** Routes of /subscriptions: administrative, for owners and admins. */
import { requirePaid } from '../wallet.ts';
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

const common = { tag: 'subscriptions', access: 'organization', isAdministrative: true } as const;

export const subscriptionRoutes: readonly Route<SubscriptionDeps>[] = [
  route({
    ...common,
    method: 'GET',
    path: '/subscriptions',
    operationId: 'getSubscription',
    summary: "Retrieve the organization's plan, credits and wallet",
    replies: { 200: subscriptionReply },
    handle: async ({ deps, scope }) => ({ status: 200, body: await getSubscription(deps, scope) }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/subscriptions/usage/daily',
    operationId: 'getDailyUsage',
    summary: 'List the usage of the last days, oldest first; days without usage have zeros',
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
    summary: 'List the ledger entries of the wallet, newest first',
    query: ledgerQuery,
    replies: { 200: ledgerReply },
    handle: async ({ deps, scope, query }) => ({ status: 200, body: await listLedger(deps, scope, query) }),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/subscriptions/wallet/extra-usage',
    operationId: 'setExtraUsage',
    summary: 'Enable or disable usage beyond the monthly credits, charged to the wallet',
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
    summary: 'Create a checkout session for a wallet top-up',
    guard: requirePaid,
    body: topupBody,
    replies: { 200: topupReply, 400: refusal, 402: paidGate, 503: refusal },
    handle: async ({ deps, scope, body }) => ({
      status: 200,
      body: await beginTopup(deps, scope, body.amount),
    }),
  }),
];
