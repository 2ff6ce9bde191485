/** An effect that waits for approval, as text: restored, it is the very effect that was prepared, or it is refused. */
import type { Json } from '../../graph/values/value.ts';
import { computeDigest, makeEffect, type AnyEffect, type AnySender } from '../effect.ts';
import { NodeError, type NodeIdentity, type PrepareCall } from '../kind.ts';

/** With bytes of files. A guess: people do not read more, and a question waits for days. */
const MAX_STORED_CHARS = 4 * 1024 * 1024;

export interface StoredEffect {
  readonly digest: string;
  /** JSON. It has the secrets that stand in the definition, so it is sealed wherever it is kept. */
  readonly text: string;
}

/** The parts of an effect, without its digest. */
export type EffectParts = Omit<AnyEffect, 'digest'>;

/** A body of bytes has no JSON, so it stands beside its request. */
function writeParts({ request, ...parts }: EffectParts): string {
  const { body } = request as { readonly body?: unknown };
  const isBytes = body instanceof Uint8Array;
  const bytes = isBytes ? Buffer.from(body).toString('base64') : null;
  return JSON.stringify({ ...parts, request: isBytes ? { ...request, body: null } : request, bytes });
}

/** Reads the parts of a stored effect. */
export function readParts(text: string): EffectParts {
  const { bytes, request, ...parts } = JSON.parse(text) as EffectParts & { readonly bytes: string | null };
  if (bytes === null) return { ...parts, request };
  return { ...parts, request: { ...request, body: new Uint8Array(Buffer.from(bytes, 'base64')) } };
}

/** Stores parts of an effect under their digest. @throws NodeError `effect_too_large` */
export async function storeParts(
  identity: Pick<NodeIdentity, 'organizationId'>,
  parts: EffectParts,
): Promise<StoredEffect> {
  const text = writeParts(parts);
  if (text.length > MAX_STORED_CHARS)
    throw new NodeError('effect_too_large', 'The request is too large to be approved before it is sent');
  return { digest: await computeDigest(identity, parts), text };
}

/**
 * Restores a stored effect. The rules of the organization hold again.
 * @param digest the one that was approved
 * @throws NodeError `effect_changed` when the stored effect is another one, or this build would send it elsewhere; `effect_refused`
 */
export async function restoreEffect(
  call: PrepareCall<unknown>,
  sender: AnySender,
  { text, digest }: StoredEffect,
): Promise<AnyEffect> {
  const changed = new NodeError('effect_changed', 'The stored request is not the one that was approved');
  const parts = readParts(text);
  if ((await computeDigest(call.identity, parts)) !== digest) throw changed;
  const pattern = sender.describe(call.config);
  if (pattern.door !== parts.door) throw changed;
  const { target, request, shown, hidden } = parts;
  const effect: AnyEffect = makeEffect(
    call,
    pattern as never,
    {
      target,
      request,
      shown,
      hidden,
    } as never,
  );
  if ((await effect.digest()) !== digest) throw changed;
  return effect;
}

/** The request in the step record. */
export const getShown = ({ shown }: Pick<AnyEffect, 'shown'>): Json => shown as Json;
