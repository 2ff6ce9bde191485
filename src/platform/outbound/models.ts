/** The model port: calls a model provider, reads its stream to the end and converts its errors to NodeErrors. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { InvalidResponseDataError } from 'ai';
import type { Config } from '../../base/config/config.ts';
import { toStorable, toStorableCount } from '../../language/graph/values/storable.ts';
import { toAbortError } from '../../language/nodes/failure.ts';
import type {
  Usage,
  ModelPort,
  ModelReply,
  ModelRequest,
  ModelToolCall,
} from '../../language/nodes/tools.ts';
import { NodeError } from '../../language/nodes/kind.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { createAnswerEdit } from './chat-answers.ts';
import { toHostPort } from './destinations.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import type { GuardedAgent } from './guarded-agent.ts';
import type { ByteLease } from '../../base/shares/byte-budget.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { isMalformed, toModelFailure } from './model-failure.ts';
import { toPrompt, toToolCall, toTools } from './model-prompt.ts';
import type { CallOptions, LanguageModel } from './model-prompt.ts';
import { StreamedText } from './streamed-text.ts';

export interface ModelCredential {
  readonly apiKey: string;
  readonly baseUrl: string | null;
}
/** Opens credentials of an organization. */
export interface CredentialPort {
  /**
   * @returns null when the credential does not exist; `managed` for the managed model
   * @throws NodeError when the credential may not be used for this provider
   */
  modelCredential(
    organizationId: string,
    credentialId: string,
    provider: string,
  ): Promise<ModelCredential | 'managed' | null>;
}

interface ModelCaller {
  readonly credentials: CredentialPort;
  /** Counts the bytes of responses; null: not counted. */
  readonly lease: ByteLease | null;
}

type TokenUsage = Awaited<ReturnType<LanguageModel['doGenerate']>>['usage'];
type FinishReason = Awaited<ReturnType<LanguageModel['doGenerate']>>['finishReason'];

/** Provider name of the managed model, whose endpoint speaks OpenAI's protocol. */
const MANAGED_PROVIDER = 'openai';
export const OPENAI_URL = 'https://api.openai.com/v1';

interface Endpoint {
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | undefined;
  readonly agent: GuardedAgent;
  readonly lease: ByteLease | null;
  /** The organization's own account, whose use is not metered (SPEC API-credits). */
  readonly isOwn: boolean;
}

function createLanguageModel(endpoint: Endpoint, { model, stream }: ModelRequest): LanguageModel {
  const { apiKey, agent, lease } = endpoint;
  const fetch = guardedFetch(agent, { lease, createEdit: createAnswerEdit(endpoint.provider, stream) });
  if (endpoint.provider === 'anthropic') {
    const baseURL = endpoint.baseUrl === null ? {} : { baseURL: endpoint.baseUrl };
    return createAnthropic({ ...baseURL, apiKey: apiKey ?? '', fetch })(model);
  }
  return createOpenAICompatible({
    name: endpoint.provider,
    baseURL: endpoint.baseUrl ?? OPENAI_URL,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
  }).chatModel(model);
}

function toResponseFormat(format: ModelRequest['responseFormat']): Pick<CallOptions, 'responseFormat'> {
  const type = format?.['type'];
  if (type !== 'json_schema' && type !== 'json_object') return {};
  const schema = format?.['schema'];
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return { responseFormat: { type: 'json' } };
  return { responseFormat: { type: 'json', schema, name: 'answer' } };
}

/** @returns settings that the SDK passes to one provider by its name; null for none */
function toProviderOptions(request: ModelRequest): Record<string, JsonObject> | null {
  const { reasoningEffort, provider, offer } = request;
  const strict = request.responseFormat?.['strict'];
  const serial = offer !== undefined && offer.tools.length > 0 && !offer.parallel && !offer.isClosed;
  const options: JsonObject =
    provider === 'anthropic'
      ? serial
        ? { disableParallelToolUse: true }
        : {}
      : {
          ...(reasoningEffort === null ? {} : { reasoningEffort }),
          ...(typeof strict === 'boolean' ? { strictJsonSchema: strict } : {}),
          ...(serial ? { parallel_tool_calls: false } : {}),
        };
  return Object.keys(options).length === 0 ? null : { [provider]: options };
}

function toCallOptions(request: ModelRequest): CallOptions {
  const { temperature, maxOutputTokens } = request;
  const providerOptions = toProviderOptions(request);
  return {
    prompt: toPrompt(request.messages, request.turns ?? []),
    ...toTools(request),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...toResponseFormat(request.responseFormat),
    ...(providerOptions === null ? {} : { providerOptions }),
    abortSignal: request.signal,
  };
}

function toUsage(usage: TokenUsage): Usage {
  const input = toStorableCount(usage.inputTokens.total);
  const output = toStorableCount(usage.outputTokens.total);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    cached_tokens: toStorableCount(usage.inputTokens.cacheRead),
  };
}

/** The stream was cut or damaged. */
const incompleteAnswer = (): NodeError =>
  new NodeError('model_error', "The model's answer ended before it was complete", { retryable: true });

/** Reasons of servers whose name for a limit is their own: Anthropic, Gemini, Mistral and those that copy them. */
const LIMITS: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'model_context_window_exceeded',
]);

/** @throws NodeError without a finish reason: only that proves a complete response (SPEC SEC-L05) */
function toFinishReason(finish: FinishReason | null): string {
  if (finish === null || finish.unified === 'error' || finish.raw === undefined) throw incompleteAnswer();
  if (finish.raw === 'error') throw incompleteAnswer();
  // Anthropic's own reason, which the SDK merges into content-filter.
  if (finish.raw === 'refusal') return 'refusal';
  if (LIMITS.has(finish.raw.toLowerCase())) return 'length';
  return finish.unified === 'other' ? finish.raw : finish.unified.replaceAll('-', '_');
}

const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cached_tokens: 0 };

const pickToolCalls = (toolCalls: readonly ModelToolCall[]): Pick<ModelReply, 'toolCalls'> =>
  toolCalls.length === 0 ? {} : { toolCalls };

async function readStream(endpoint: Endpoint, request: ModelRequest): Promise<ModelReply> {
  const content = new StreamedText((text) => request.onToken(text, 'content'));
  const reasoning = new StreamedText((text) => request.onToken(text, 'reasoning'));
  const model = createLanguageModel(endpoint, request);
  const { stream } = await model.doStream(toCallOptions(request));
  let usage = NO_USAGE;
  let finish: FinishReason | null = null;
  let isStarted = false;
  const toolCalls: ModelToolCall[] = [];
  let modelName = request.model;
  for await (const part of stream) {
    if (part.type === 'error') {
      // A started stream that was cut also reports it in its finish part, which is checked below.
      if (isStarted && InvalidResponseDataError.isInstance(part.error)) continue;
      throw isStarted && isMalformed(part.error) ? incompleteAnswer() : part.error;
    }
    if (part.type === 'text-delta') {
      content.add(part.delta);
    } else if (part.type === 'reasoning-delta') {
      reasoning.add(part.delta);
    } else if (part.type === 'tool-call') {
      toolCalls.push(toToolCall(part));
    } else if (part.type === 'response-metadata') {
      isStarted = true;
      modelName = part.modelId ?? modelName;
    } else if (part.type === 'finish') {
      finish = part.finishReason;
      usage = toUsage(part.usage);
      request.onUsage?.(usage);
    }
  }
  const finishReason = toFinishReason(finish);
  content.end();
  reasoning.end();
  return {
    content: content.text,
    ...pickToolCalls(toolCalls),
    reasoning: reasoning.text || null,
    model: modelName,
    finishReason,
    usage,
  };
}

async function readWhole(endpoint: Endpoint, request: ModelRequest): Promise<ModelReply> {
  const model = createLanguageModel(endpoint, request);
  const result = await model.doGenerate(toCallOptions(request));
  const usage = toUsage(result.usage);
  request.onUsage?.(usage);
  const joinText = (type: 'text' | 'reasoning'): string =>
    result.content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  return {
    content: joinText('text'),
    ...pickToolCalls(result.content.flatMap((part) => (part.type === 'tool-call' ? [toToolCall(part)] : []))),
    reasoning: joinText('reasoning') || null,
    model: result.response?.modelId ?? request.model,
    finishReason: toFinishReason(result.finishReason),
    usage,
  };
}

/**
 * Creates the model port.
 * @throws NodeError `model_not_configured`, `credential_not_found`, `model_error` (with the provider's status),
 *   `provider_response_invalid`, `response_too_large`, `timeout`
 */
export function models(
  config: Pick<Config, 'managedLlm' | 'outboundAllow'>,
  credentials: CredentialPort,
): ModelPort & { with(caller: ModelCaller): ModelPort; close(): Promise<void> } {
  const tenants = createGuardedAgent(config.outboundAllow, { keepAlive: true });
  // The operator chose the managed endpoint, so its address alone is exempt from the private-address block.
  const managed = createGuardedAgent(
    config.managedLlm === null ? [] : [toHostPort(config.managedLlm.baseUrl)],
    { keepAlive: true },
  );

  const findEndpoint = async (request: ModelRequest, caller: ModelCaller): Promise<Endpoint> => {
    const { provider, credentialId, organizationId } = request;
    const { lease } = caller;
    if (credentialId !== null) {
      const found = await caller.credentials.modelCredential(organizationId, credentialId, provider);
      if (found === null) throw new NodeError('credential_not_found', 'The credential does not exist');
      if (found !== 'managed') {
        const { baseUrl, apiKey } = found;
        return { provider, baseUrl, apiKey, agent: tenants, lease, isOwn: true };
      }
    }
    if (config.managedLlm === null || provider !== MANAGED_PROVIDER) {
      throw new NodeError(
        'model_not_configured',
        `No managed model is configured for the provider ${provider}`,
      );
    }
    const { baseUrl, apiKey } = config.managedLlm;
    return { provider, baseUrl, apiKey, agent: managed, lease, isOwn: false };
  };

  const complete = async (request: ModelRequest, caller: ModelCaller): Promise<ModelReply> => {
    const endpoint = await findEndpoint(request, caller);
    const markOwn = (usage: Usage): Usage => (endpoint.isOwn ? { ...usage, byok: true } : usage);
    const marked = { ...request, onUsage: (usage: Usage) => request.onUsage?.(markOwn(usage)) };
    try {
      const reply = toStorable(await (request.stream ? readStream : readWhole)(endpoint, marked));
      return { ...reply, usage: markOwn(reply.usage) };
    } catch (error) {
      if (request.signal.aborted) throw toAbortError(request.signal);
      throw toModelFailure(error, endpoint.apiKey === undefined ? [] : [endpoint.apiKey], endpoint.isOwn);
    }
  };

  return {
    complete: (request) => complete(request, { credentials, lease: null }),
    with: (caller) => ({ complete: (request) => complete(request, caller) }),
    async close() {
      await Promise.all([tenants.agent.destroy(), managed.agent.destroy()]);
    },
  };
}
