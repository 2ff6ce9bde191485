/** Reads ids of an unchecked payload: workflowId, opId, and the client and sequence number in the opId. */

/** Longer texts are not echoed: a rejection must not be larger than its request. */
const MAX_LENGTH = 96;

/** Returns the text under `name`; undefined when it is missing or longer than 96 characters. */
export function peekText(payload: unknown, name: string): string | undefined {
  const value: unknown =
    typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined;
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined;
}

export const peekOpId = (payload: unknown): string | undefined => peekText(payload, 'opId');

/** Returns the `workflowId` as it was sent; '' when it is missing. */
export const peekWorkflowId = (payload: unknown): string => peekText(payload, 'workflowId') ?? '';

/** An operation's place in the order of its client's operations. */
export interface OpSequence {
  readonly clientId: string;
  readonly seq: number;
}

/** Parses an opId of the recommended form `${clientId}:${seq}`; null for other forms. */
export function parseOpId(opId: string): OpSequence | null {
  const [, clientId, digits] = /^(.+):(\d{1,15})$/s.exec(opId) ?? [];
  return clientId === undefined || digits === undefined ? null : { clientId, seq: Number(digits) };
}
