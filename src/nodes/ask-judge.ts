/** A question to a model whose answer decides something: always the same answer, nothing streamed, nothing reasoned aloud. */
import type { NodeCall } from './kind.ts';
import type { ModelMessage, ModelReply } from './tools.ts';

/** Which model judges. */
export interface Judge {
  readonly provider: string;
  readonly model: string;
  /** Null: the managed model of the deployment. */
  readonly credentialId: string | null;
}

/** @throws what the model port throws */
export function askJudge(
  call: NodeCall<unknown>,
  judge: Judge,
  messages: readonly ModelMessage[],
): Promise<ModelReply> {
  return call.tools.models.complete({
    organizationId: call.identity.organizationId,
    ...judge,
    messages,
    temperature: 0,
    maxOutputTokens: null,
    reasoningEffort: null,
    responseFormat: null,
    stream: false,
    signal: call.signal,
    onToken: () => undefined,
  });
}
