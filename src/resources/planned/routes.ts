/**
 * Routes that the specification names and this version does not serve yet. They keep their guards, so that a client
 * learns first what is wrong with its request, and then answer 501.
 */
import { z } from 'zod';
import { notImplemented, type ApiError } from '../../errors.ts';
import { route, type Route } from '../../http/route.ts';
import { uuidParams } from '../../http/wire.ts';

const absent = (what: string): ApiError => notImplemented(`${what} is not available in this version`);
const detail = z.looseObject({ detail: z.string() });
const common = { method: 'POST', access: 'owner_or_admin', replies: { 501: detail } } as const;

export const plannedRoutes: readonly Route[] = [
  route({
    ...common,
    path: '/knowledge-bases',
    tag: 'knowledge-bases',
    summary: 'Create a knowledge base (not available in this version)',
    async handle() {
      throw absent('Creating knowledge bases');
    },
  }),
  route({
    ...common,
    path: '/knowledge-bases/:knowledge_id/search',
    tag: 'knowledge-bases',
    summary: 'Search a knowledge base (not available in this version)',
    params: uuidParams('knowledge_id'),
    async handle() {
      throw absent('Searching knowledge bases');
    },
  }),
];
