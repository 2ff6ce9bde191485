/** The model port: one call of a model provider, its stream read to the end, its failures made NodeErrors. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { InvalidResponseDataError } from 'ai';
import type { Config } from '../config/config.ts';
import { storable, storableCount } from '../graph/storable.ts';
import { abortFailure } from '../nodes/failure.ts';
import type { Usage, ModelPort, ModelReply, ModelRequest, ModelToolCall } from '../nodes/tools.ts';
import { NodeError } from '../nodes/kind.ts';
import type { JsonObject } from '../graph/value.ts';
import { createAnswerEdit } from './chat-answers.ts';
import { portOf } from './destinations.ts';
import { guardedAgent } from './guarded-agent.ts';
import type { GuardedAgent } from './guarded-agent.ts';
import type { ByteLease } from '../shares/byte-budget.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { isMalformed, modelFailure } from './model-failure.ts';
import { promptOf, toolCallOf, toolsOf } from './model-prompt.ts';
import type { CallOptions, LanguageModel } from './model-prompt.ts';
import { StreamedText } from './streamed-text.ts';

/** What a credential of a model provider holds. */
export interface ModelCredential {
  readonly apiKey: string;
  readonly baseUrl: string | null;
}
/** Credentials of an organization; null when there is none of that id, `managed` for the one of the managed model. */
export interface CredentialPort {
  /** @throws NodeError when the credential may not be used for this provider */
  modelCredential(
    organizationId: string,
    credentialId: string,
    provider: string,
  ): Promise<ModelCredential | 'managed' | null>;
}

/** The side that a call is made for: its credentials, and what counts the bytes of the answer (null: nobody does). */
interface ModelCaller {
  readonly credentials: CredentialPort;
  readonly lease: ByteLease | null;
}

type TokenUsage = Awaited<ReturnType<LanguageModel['doGenerate']>>['usage'];
type FinishReason = Awaited<ReturnType<LanguageModel['doGenerate']>>['finishReason'];

/** The provider name under which the managed model is asked for (its endpoint speaks the OpenAI protocol). */
const MANAGED_PROVIDER = 'openai';
const OPENAI_URL = 'https://api.openai.com/v1';

interface Endpoint {
  readonly provider: string;
  readonly baseUrl: string | null;
  readonly apiKey: string | undefined;
  readonly agent: GuardedAgent;
  readonly lease: ByteLease | null;
  /** An account of the organization's own: what is used there is not metered (SPEC API-credits). */
  readonly isOwn: boolean;
}

function languageModel(endpoint: Endpoint, { model, stream }: ModelRequest): LanguageModel {
  const { apiKey } = endpoint;
  const { agent, lease } = endpoint;
  const fetch = guardedFetch(agent, { lease, editOf: createAnswerEdit(endpoint.provider, stream) });
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

function responseFormatOf(format: ModelRequest['responseFormat']): Pick<CallOptions, 'responseFormat'> {
  const type = format?.['type'];
  if (type !== 'json_schema' && type !== 'json_object') return {};
  const schema = format?.['schema'];
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return { responseFormat: { type: 'json' } };
  return { responseFormat: { type: 'json', schema, name: 'answer' } };
}

/** Settings that the SDK hands to one provider by its name; null: none. */
function specialOf(request: ModelRequest): Record<string, JsonObject> | null {
  const { reasoningEffort, provider, offer } = request;
  const strict = request.responseFormat?.['strict'];
  const serial = offer !== undefined && offer.tools.length > 0 && !offer.parallel && !offer.isClosed;
  const special: JsonObject =
    provider === 'anthropic'
      ? serial
        ? { disableParallelToolUse: true }
        : {}
      : {
          ...(reasoningEffort === null ? {} : { reasoningEffort }),
          ...(typeof strict === 'boolean' ? { strictJsonSchema: strict } : {}),
          ...(serial ? { parallel_tool_calls: false } : {}),
        };
  return Object.keys(special).length === 0 ? null : { [provider]: special };
}

function optionsOf(request: ModelRequest): CallOptions {
  const { temperature, maxOutputTokens } = request;
  const special = specialOf(request);
  return {
    prompt: promptOf(request.messages, request.turns ?? []),
    ...toolsOf(request),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...responseFormatOf(request.responseFormat),
    ...(special === null ? {} : { providerOptions: special }),
    abortSignal: request.signal,
  };
}

function usageOf(usage: TokenUsage): Usage {
  const input = storableCount(usage.inputTokens.total);
  const output = storableCount(usage.outputTokens.total);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    cached_tokens: storableCount(usage.inputTokens.cacheRead),
  };
}

/** Of a stream that was cut, or damaged on its way. */
const brokenOff = (): NodeError =>
  new NodeError('model_error', 'The answer of the model ended before it was complete', { retryable: true });

/** A reply counts as whole only when the provider said why it ended (SPEC SEC-L05). */
function finishOf(finish: FinishReason | null): string {
  if (finish === null || finish.unified === 'error' || finish.raw === undefined) throw brokenOff();
  if (finish.raw === 'error') throw brokenOff();
  // Anthropic's word, which the SDK counts among those of content filters.
  if (finish.raw === 'refusal') return 'refusal';
  return finish.unified === 'other' ? finish.raw : finish.unified.replaceAll('-', '_');
}

const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0, cached_tokens: 0 };

const called = (toolCalls: readonly ModelToolCall[]): Pick<ModelReply, 'toolCalls'> =>
  toolCalls.length === 0 ? {} : { toolCalls };

async function readStream(endpoint: Endpoint, request: ModelRequest): Promise<ModelReply> {
  const content = new StreamedText((text) => request.onToken(text, 'content'));
  const reasoning = new StreamedText((text) => request.onToken(text, 'reasoning'));
  const model = languageModel(endpoint, request);
  const { stream } = await model.doStream(optionsOf(request));
  let usage = NO_USAGE;
  let finish: FinishReason | null = null;
  let begun = false;
  const toolCalls: ModelToolCall[] = [];
  let answeredBy = request.model;
  for await (const part of stream) {
    if (part.type === 'error') {
      // A stream that had begun and was cut says so again in its finish part, which is judged below.
      if (begun && InvalidResponseDataError.isInstance(part.error)) continue;
      throw begun && isMalformed(part.error) ? brokenOff() : part.error;
    }
    if (part.type === 'text-delta') {
      content.add(part.delta);
    } else if (part.type === 'reasoning-delta') {
      reasoning.add(part.delta);
    } else if (part.type === 'tool-call') {
      toolCalls.push(toolCallOf(part));
    } else if (part.type === 'response-metadata') {
      begun = true;
      answeredBy = part.modelId ?? answeredBy;
    } else if (part.type === 'finish') {
      finish = part.finishReason;
      usage = usageOf(part.usage);
      request.onUsage?.(usage);
    }
  }
  const finishReason = finishOf(finish);
  content.end();
  reasoning.end();
  return {
    content: content.text,
    ...called(toolCalls),
    reasoning: reasoning.text || null,
    model: answeredBy,
    finishReason,
    usage,
  };
}

async function readWhole(endpoint: Endpoint, request: ModelRequest): Promise<ModelReply> {
  const model = languageModel(endpoint, request);
  const result = await model.doGenerate(optionsOf(request));
  const usage = usageOf(result.usage);
  request.onUsage?.(usage);
  const textOf = (type: 'text' | 'reasoning'): string =>
    result.content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  return {
    content: textOf('text'),
    ...called(result.content.flatMap((part) => (part.type === 'tool-call' ? [toolCallOf(part)] : []))),
    reasoning: textOf('reasoning') || null,
    model: result.response?.modelId ?? request.model,
    finishReason: finishOf(result.finishReason),
    usage,
  };
}

const hostPort = (url: string): string => `${new URL(url).hostname}:${portOf(new URL(url))}`;

/**
 * The model port.
 * @throws NodeError `model_not_configured`, `credential_not_found`, `model_error` (with the provider's status),
 *   `provider_response_invalid`, `response_too_large`, `timeout`
 */
export function models(
  config: Pick<Config, 'managedLlm' | 'outboundAllow'>,
  credentials: CredentialPort,
): ModelPort & { with(caller: ModelCaller): ModelPort; close(): Promise<void> } {
  const tenants = guardedAgent(config.outboundAllow, true);
  // The operator chose the managed endpoint: its own address is exempt from the private-address block, no other is.
  const managed = guardedAgent(config.managedLlm === null ? [] : [hostPort(config.managedLlm.baseUrl)], true);

  const endpointFor = async (request: ModelRequest, caller: ModelCaller): Promise<Endpoint> => {
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
        `No managed model of the provider ${provider} is configured`,
      );
    }
    const { baseUrl, apiKey } = config.managedLlm;
    return { provider, baseUrl, apiKey, agent: managed, lease, isOwn: false };
  };

  const complete = async (request: ModelRequest, caller: ModelCaller): Promise<ModelReply> => {
    const endpoint = await endpointFor(request, caller);
    const told = (usage: Usage): Usage => (endpoint.isOwn ? { ...usage, byok: true } : usage);
    const noted = { ...request, onUsage: (usage: Usage) => request.onUsage?.(told(usage)) };
    try {
      const reply = storable(await (request.stream ? readStream : readWhole)(endpoint, noted));
      return { ...reply, usage: told(reply.usage) };
    } catch (error) {
      if (request.signal.aborted) throw abortFailure(request.signal);
      throw modelFailure(error, endpoint.apiKey === undefined ? [] : [endpoint.apiKey]);
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
