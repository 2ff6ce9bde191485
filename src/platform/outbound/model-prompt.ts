/** Converts messages, tools and an agent's turns to the types of the AI SDK. */
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { parseUntrustedJson } from '../../language/graph/values/storable.ts';
import { isObject } from '../../language/graph/values/value.ts';
import type { JsonObject } from '../../language/graph/values/value.ts';
import { isBlank } from '../../language/nodes/conversation.ts';
import type {
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ModelTurn,
  ToolOffer,
} from '../../language/nodes/tools.ts';

export type LanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];

/** Providers accept only an object, whatever the model had written. */
function parseArguments(text: string): JsonObject {
  try {
    const parsed = parseUntrustedJson(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function toTurnMessages({ content, calls, correction }: ModelTurn): CallOptions['prompt'] {
  const text = isBlank(content) ? [] : [{ type: 'text' as const, text: content }];
  const called = calls.map((call) => ({
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    input: parseArguments(call.arguments),
  }));
  const results = calls.map((call) => ({
    type: 'tool-result' as const,
    toolCallId: call.id,
    toolName: call.name,
    output: { type: call.isError ? ('error-text' as const) : ('text' as const), value: call.result },
  }));
  const said = [...text, ...called];
  return [
    ...(said.length === 0 ? [] : [{ role: 'assistant' as const, content: said }]),
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(correction === null
      ? []
      : [{ role: 'user' as const, content: [{ type: 'text' as const, text: correction }] }]),
  ];
}

/** Leaves out blank messages, which Anthropic refuses; a blank question alone is kept, so that the provider says what is wrong. */
function leaveOutBlank(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const shown = messages.filter(({ content }) => !isBlank(content));
  if (shown.some(({ role }) => role !== 'system')) return shown;
  return [...shown, ...messages.filter(({ role }) => role === 'user').slice(-1)];
}

/** Builds the conversation: the messages and the turns after them. */
export function toPrompt(
  messages: readonly ModelMessage[],
  turns: readonly ModelTurn[],
): CallOptions['prompt'] {
  const opening: CallOptions['prompt'] = leaveOutBlank(messages).map(({ role, content }) => {
    return role === 'system'
      ? { role, content }
      : { role, content: [{ type: 'text' as const, text: content }] };
  });
  return [...opening, ...turns.flatMap(toTurnMessages)];
}

/** Converts the offered tools and whether the model must use one. */
export function toTools({ offer, provider }: ModelRequest): Pick<CallOptions, 'tools' | 'toolChoice'> {
  if (offer === undefined || offer.tools.length === 0) return {};
  // Anthropic rejects turns with calls of tools that the request does not offer.
  if (offer.isClosed && provider !== 'anthropic') return {};
  return {
    tools: offer.tools.map(({ name, description, schema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: schema,
    })),
    toolChoice: toToolChoice(offer),
  };
}

function toToolChoice({ force, isClosed }: ToolOffer): NonNullable<CallOptions['toolChoice']> {
  if (isClosed) return { type: 'none' };
  return force === null ? { type: 'auto' } : { type: 'tool', toolName: force };
}

export function toToolCall(part: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}): ModelToolCall {
  return { id: part.toolCallId, name: part.toolName, arguments: part.input };
}
