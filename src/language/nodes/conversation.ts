/**
 * The form of a conversation that every provider takes: no blank message (Anthropic refuses a request with one), a user's message
 * first, and roles in turn (the templates of many open models demand it).
 */
import type { ModelMessage } from './tools.ts';

/** True for a text without a visible character, which says nothing. */
export const isBlank = (text: string): boolean => text.trim() === '';

/**
 * Brings the remembered part of a conversation, and what follows it, into turns: blank messages are left out, messages of one role
 * in sequence are joined, and what an assistant said before the first user is dropped.
 */
export function toTurns(messages: readonly ModelMessage[]): ModelMessage[] {
  const turns: ModelMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (isBlank(message.content) || (last === undefined && message.role !== 'user')) continue;
    if (last?.role !== message.role) turns.push(message);
    else turns[turns.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
  }
  return turns;
}

interface OwnMessages {
  readonly system: readonly ModelMessage[];
  /** Turns that the definition shows the model as a pattern. */
  readonly examples: readonly ModelMessage[];
  /** The words of the user in this run, and the beginning of the answer if the definition gives one. */
  readonly question: readonly ModelMessage[];
}

/** Splits the messages of a node: those before an answer that the definition itself gives are examples. */
export function splitMessages(own: readonly ModelMessage[]): OwnMessages {
  const system = own.filter(({ role }) => role === 'system');
  const others = own.filter(({ role }) => role !== 'system');
  const lastUser = others.findLastIndex(({ role }) => role === 'user');
  const lastAnswer = others.slice(0, lastUser + 1).findLastIndex(({ role }) => role === 'assistant');
  return { system, examples: others.slice(0, lastAnswer + 1), question: others.slice(lastAnswer + 1) };
}
