/** The names in a payload that nobody has checked yet: its workflow, its operation, and the operation's place among its client's. */

/** Longer texts are not echoed: a refusal must not become larger than what it refuses. */
const MAX_LENGTH = 96;

/** @returns the text under `name`; undefined when there is none, or it is longer than 96 characters */
export function shortText(payload: unknown, name: string): string | undefined {
  const value: unknown =
    typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined;
  return typeof value === 'string' && value.length <= MAX_LENGTH ? value : undefined;
}

export const opIdOf = (payload: unknown): string | undefined => shortText(payload, 'opId');

/** `workflowId` as it was sent; '' when there is none. */
export const workflowIdOf = (payload: unknown): string => shortText(payload, 'workflowId') ?? '';

/** An operation's place among those of its client. */
export interface OpSequence {
  readonly clientId: string;
  readonly seq: number;
}

/** The client and sequence number of an opId of the recommended form `${clientId}:${seq}`; null for other forms. */
export function sequenceOf(opId: string): OpSequence | null {
  const [, clientId, digits] = /^(.+):(\d{1,15})$/s.exec(opId) ?? [];
  return clientId === undefined || digits === undefined ? null : { clientId, seq: Number(digits) };
}
