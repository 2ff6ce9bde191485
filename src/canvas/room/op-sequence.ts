/** Where an operation stands among those of its client, by its opId. */

export interface OpSequence {
  readonly clientId: string;
  readonly seq: number;
}

/** The client and sequence number of an opId that follows the recommended form `${clientId}:${seq}`. */
export function sequenceOf(opId: string): OpSequence | null {
  const [, clientId, digits] = /^(.+):(\d{1,15})$/s.exec(opId) ?? [];
  return clientId === undefined || digits === undefined ? null : { clientId, seq: Number(digits) };
}
