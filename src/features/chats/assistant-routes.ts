/** Route of the Assistant: takes a message and returns the address of a stream. A chat is a thread of private runs of a system workflow. */
import { z } from 'zod';
import { routesFor, type Route } from '../../platform/http/route.ts';
import { refusal } from '../../platform/http/wire.ts';
import { runStart } from '../../engine/runs/api/schema.ts';
import { startSystemRun, type StartDeps } from '../../engine/runs/accept/start.ts';
import { chatThreadId, chosenModel } from './fields.ts';

const route = routesFor<StartDeps>();

/** Characters (SPEC SEC-L01). */
export const MAX_MESSAGE = 100_000;

const chatBody = z
  .object({
    message: z.string().min(1).max(MAX_MESSAGE).meta({ description: 'Message of the user' }),
    llm: chosenModel,
    thread_id: chatThreadId,
  })
  .meta({ id: 'AssistantMessage' });

/** The run start response, and where its stream is. */
const chatReply = z
  .looseObject({
    ...runStart,
    stream_url: z.string().meta({ description: 'Path of the event stream of the run' }),
  })
  .meta({ id: 'AssistantAnswer' });

export const assistantRoutes: readonly Route<StartDeps>[] = [
  route({
    method: 'POST',
    path: '/assistant/chat',
    tag: 'assistant',
    operationId: 'sendAssistantMessage',
    summary: 'Send a message to the Assistant; its answer is streamed at stream_url',
    access: 'organization',
    isGated: true,
    body: chatBody,
    replies: { 200: chatReply, 404: refusal, 503: refusal },
    async handle({ deps, scope, body }) {
      const started = await startSystemRun(deps, scope, {
        name: 'assistant',
        input: { message: body.message },
        threadId: body.thread_id,
        llm: body.llm,
      });
      // Relative to the API's own address: the Host header cannot be trusted (SPEC SEC-P25).
      return {
        status: 200,
        body: { ...started, stream_url: `/workflows/listen/${started['run_id'] as string}` },
      };
    },
  }),
];
