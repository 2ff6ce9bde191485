/**
 * Spans of model calls, searches, agents and tool calls, with the names of OpenTelemetry's semantic conventions for GenAI
 * (github.com/open-telemetry/semantic-conventions-genai, in development). Every name is here, because they still change.
 * Prompts, replies and arguments are never recorded.
 */
import { type Attributes, type Span } from '@opentelemetry/api';
import type { SpanPlan } from './tracing.ts';

const OPERATION = 'gen_ai.operation.name';
const PROVIDER = 'gen_ai.provider.name';
const CONVERSATION_ID = 'gen_ai.conversation.id';
const AGENT_ID = 'gen_ai.agent.id';
const TOOL_NAME = 'gen_ai.tool.name';
const TOOL_TYPE = 'gen_ai.tool.type';
const DATA_SOURCE_ID = 'gen_ai.data_source.id';
const REQUEST_MODEL = 'gen_ai.request.model';
const REQUEST_STREAM = 'gen_ai.request.stream';
const REQUEST_TEMPERATURE = 'gen_ai.request.temperature';
const REQUEST_MAX_TOKENS = 'gen_ai.request.max_tokens';
const REQUEST_REASONING_LEVEL = 'gen_ai.request.reasoning.level';
const OUTPUT_TYPE = 'gen_ai.output.type';
const RESPONSE_MODEL = 'gen_ai.response.model';
const RESPONSE_FINISH_REASONS = 'gen_ai.response.finish_reasons';
const INPUT_TOKENS = 'gen_ai.usage.input_tokens';
const OUTPUT_TOKENS = 'gen_ai.usage.output_tokens';
const CACHE_READ_TOKENS = 'gen_ai.usage.cache_read.input_tokens';
/** Ours: the price of the call in credits, 0 on the organization's own account. */
const CREDITS = 'app.credits';

/** A model call, as a node requests it. */
interface ChatRequest {
  readonly provider: string;
  readonly model: string;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
  readonly reasoningEffort: string | null;
  readonly responseFormat: object | null;
  readonly stream: boolean;
}

const clientSpan = (name: string, attributes: Attributes): SpanPlan => ({
  name,
  kind: 'client',
  traceparent: null,
  attributes,
});

/** Plans the span of one model call. */
export function planChat(request: ChatRequest): SpanPlan {
  const { temperature, maxOutputTokens, reasoningEffort } = request;
  return clientSpan(`chat ${request.model}`, {
    [OPERATION]: 'chat',
    [PROVIDER]: request.provider,
    [REQUEST_MODEL]: request.model,
    [REQUEST_STREAM]: request.stream,
    [OUTPUT_TYPE]: request.responseFormat === null ? 'text' : 'json',
    ...(temperature === null ? {} : { [REQUEST_TEMPERATURE]: temperature }),
    ...(maxOutputTokens === null ? {} : { [REQUEST_MAX_TOKENS]: maxOutputTokens }),
    ...(reasoningEffort === null ? {} : { [REQUEST_REASONING_LEVEL]: reasoningEffort }),
  });
}

/** Adds the reply of a model to its span. */
export function noteReply(
  span: Span,
  reply: { readonly model: string; readonly finishReason: string },
): void {
  span.setAttributes({ [RESPONSE_MODEL]: reply.model, [RESPONSE_FINISH_REASONS]: [reply.finishReason] });
}

/** Adds what a call has used, also when its reply is incomplete. @param credits its price */
export function noteSpanUsage(
  span: Span,
  usage: { readonly input_tokens: number; readonly output_tokens: number; readonly cached_tokens?: number },
  credits: number,
): void {
  span.setAttributes({
    [INPUT_TOKENS]: usage.input_tokens,
    [OUTPUT_TOKENS]: usage.output_tokens,
    [CACHE_READ_TOKENS]: usage.cached_tokens ?? 0,
    [CREDITS]: credits,
  });
}

/** Plans the span of one search in knowledge bases. */
export const planRetrieval = (knowledgeBaseIds: readonly string[]): SpanPlan =>
  clientSpan('retrieval', {
    [OPERATION]: 'retrieval',
    [DATA_SOURCE_ID]: knowledgeBaseIds.join(','),
  });

/** A node as its span describes it. */
interface SpanNode {
  readonly id: string;
  readonly type: string;
  /** The tool that an agent calls; null: the node itself runs. */
  readonly toolName: string | null;
  readonly threadId: string | null;
}

/** Describes a node that is an agent, or a tool call of one; nothing for other nodes. */
export function describeAgentWork(node: SpanNode): {
  readonly name?: string;
  readonly attributes: Attributes;
} {
  const common = {
    [AGENT_ID]: node.id,
    ...(node.threadId === null ? {} : { [CONVERSATION_ID]: node.threadId }),
  };
  if (node.toolName !== null)
    return {
      name: `execute_tool ${node.toolName}`,
      attributes: {
        ...common,
        [OPERATION]: 'execute_tool',
        [TOOL_NAME]: node.toolName,
        [TOOL_TYPE]: node.type === 'knowledge' ? 'datastore' : 'extension',
      },
    };
  return node.type === 'agent'
    ? { attributes: { ...common, [OPERATION]: 'invoke_agent' } }
    : { attributes: {} };
}
