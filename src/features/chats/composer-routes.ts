/** Route of the Composer: takes a message and returns the address of a stream; the run saves the workflow. */
import { routesFor, type Route } from '../../platform/http/route.ts';
import { refusal } from '../../platform/http/wire.ts';
import { composeBody, composeReply } from './composer-schema.ts';
import { compose } from './composer-service.ts';
import type { StartDeps } from '../../engine/runs/accept/start.ts';

const route = routesFor<StartDeps>();

export const composerRoutes: readonly Route<StartDeps>[] = [
  route({
    method: 'POST',
    path: '/composer/chat',
    tag: 'composer',
    operationId: 'sendComposerMessage',
    summary: 'Ask the Composer to create or edit a workflow; its answer is streamed at stream_url',
    access: 'organization',
    isGated: true,
    body: composeBody,
    replies: { 200: composeReply, 404: refusal, 503: refusal },
    async handle({ deps, scope, body }) {
      const { started, workflowId, editVersion } = await compose(deps, scope, body);
      return {
        status: 200,
        body: {
          ...started,
          // Relative, as for the Assistant.
          stream_url: `/workflows/listen/${started['run_id'] as string}`,
          workflow_id: workflowId,
          edit_version: editVersion,
        },
      };
    },
  }),
];
