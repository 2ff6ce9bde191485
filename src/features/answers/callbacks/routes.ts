/** The public addresses of callbacks: another service answers a run that waits for it. */
import { z } from 'zod';
import { readWithSecrets } from '../../../platform/access/signed-text.ts';
import { takeApiRequest } from '../../../platform/billing/windows.ts';
import { MAX_HOOK_BODY_BYTES, parseHookRequest } from '../../hooks/hook-request.ts';
import { UNVERIFIED } from '../../hooks/verification.ts';
import { holdBody, readBytes, type BodyDeps } from '../../../platform/http/body.ts';
import { noteRun } from '../../../platform/http/request-facts.ts';
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal } from '../../../platform/http/wire.ts';
import { answerCallback, findCallback } from '../../../engine/runs/accept/callback.ts';
import { readCallbackToken } from '../../../engine/runs/accept/callback-address.ts';
import type { AnswerDeps } from '../../../engine/runs/accept/resume.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Logger } from '../../../base/log.ts';

export type CallbackDeps = AnswerDeps & BodyDeps & { readonly config: Config; readonly log: Logger };

const route = routesFor<CallbackDeps>();

const answered = z
  .looseObject({
    status: z.enum(['delivered', 'kept']).meta({
      description: '`delivered`: the run goes on; `kept`: the run gets the answer when its node waits for it',
    }),
  })
  .meta({ id: 'CallbackAnswered' });

export const callbackRoutes: readonly Route<CallbackDeps>[] = [
  route({
    method: 'POST',
    path: '/callbacks/:token',
    tag: 'runs',
    operationId: 'answerCallback',
    summary: 'Answer a run that waits: the address of a callback, for the service that got it from the run',
    access: 'public',
    isGated: true,
    takesAnyQuery: true,
    rawBody: 'JSON, a form, multipart fields or text, up to 1 MiB: the output of the node',
    replies: { 200: answered, 404: refusal, 410: refusal, 413: refusal },
    params: z.object({ token: z.string().meta({ description: 'The secret part of the address' }) }),
    async handle({ deps, params, ctx }) {
      const place = readWithSecrets(deps.config.auth, (secret) => readCallbackToken(secret, params.token));
      const callback = await findCallback(deps, place);
      noteRun(ctx, { run_pk: callback.rootRunPk });
      await takeApiRequest(deps, callback);
      const { body } = await holdBody(deps, callback.organizationId, async (lease) => {
        const raw = await readBytes(ctx.req, lease, MAX_HOOK_BODY_BYTES);
        const { method, req } = ctx;
        const query = new URLSearchParams();
        return parseHookRequest({ method, headers: req.headers, query, body: raw }, UNVERIFIED);
      });
      return { status: 200, body: { status: await answerCallback(deps, callback, body) } };
    },
  }),
];
