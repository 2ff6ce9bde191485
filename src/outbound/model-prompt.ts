/** Puts messages, tools and an agent's turns into the shapes of the providers' SDK. */
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { readForeignJson } from '../graph/storable.ts';
import { isObject } from '../graph/value.ts';
import type { JsonObject } from '../graph/value.ts';
import type { ModelMessage, ModelRequest, ModelToolCall, ModelTurn, ToolOffer } from '../nodes/tools.ts';

export type LanguageModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];

/** The arguments as the provider wants to hear them again: always an object, whatever the model had written. */
function argumentsOf(text: string): JsonObject {
  try {
    const parsed = readForeignJson(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function turnOf({ content, calls, correction }: ModelTurn): CallOptions['prompt'] {
  const text = content === '' && calls.length > 0 ? [] : [{ type: 'text' as const, text: content }];
  const called = calls.map((call) => ({
    type: 'tool-call' as const,
    toolCallId: call.id,
    toolName: call.name,
    input: argumentsOf(call.arguments),
  }));
  const results = calls.map((call) => ({
    type: 'tool-result' as const,
    toolCallId: call.id,
    toolName: call.name,
    output: { type: call.isError ? ('error-text' as const) : ('text' as const), value: call.result },
  }));
  return [
    { role: 'assistant', content: [...text, ...called] },
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(correction === null
      ? []
      : [{ role: 'user' as const, content: [{ type: 'text' as const, text: correction }] }]),
  ];
}

/** The conversation: the messages, and the turns that followed them. */
export function promptOf(
  messages: readonly ModelMessage[],
  turns: readonly ModelTurn[],
): CallOptions['prompt'] {
  const opening: CallOptions['prompt'] = messages.map(({ role, content }) => {
    return role === 'system'
      ? { role, content }
      : { role, content: [{ type: 'text' as const, text: content }] };
  });
  return [...opening, ...turns.flatMap(turnOf)];
}

/** The tools of a call, and whether the model has to use one, or may. */
export function toolsOf({ offer, provider }: ModelRequest): Pick<CallOptions, 'tools' | 'toolChoice'> {
  if (offer === undefined || offer.tools.length === 0) return {};
  // Anthropic refuses turns with calls of tools that a request does not have.
  if (offer.isClosed && provider !== 'anthropic') return {};
  return {
    tools: offer.tools.map(({ name, description, schema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: schema,
    })),
    toolChoice: choiceIn(offer),
  };
}

function choiceIn({ force, isClosed }: ToolOffer): NonNullable<CallOptions['toolChoice']> {
  if (isClosed) return { type: 'none' };
  return force === null ? { type: 'auto' } : { type: 'tool', toolName: force };
}

/** A call as the model wrote it. */
export function toolCallOf(part: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}): ModelToolCall {
  return { id: part.toolCallId, name: part.toolName, arguments: part.input };
}
