/** The server of a credential, named when its request is shown: by the time of the approval the credential may have another one. */
import { makeEffect, type AnyEffect, type AnySender } from '../effect.ts';
import type { PrepareCall } from '../kind.ts';

/** @returns the effect with the server that it goes to. @throws NodeError of a credential that cannot be opened; `effect_refused` */
export async function pinTarget(
  call: PrepareCall<unknown>,
  sender: AnySender,
  effect: AnyEffect,
): Promise<AnyEffect> {
  const { door, target, credential_id: credentialId } = effect;
  if (door !== 'mcp' || credentialId === null || (target as { server: string | null }).server !== null)
    return effect;
  const { organizationId } = call.identity;
  const { baseUrl: server } = await call.tools.credentials.find({ organizationId, credentialId });
  const pinned = { ...effect, target: { ...target, server } };
  return makeEffect(call, sender.describe(call.config) as never, pinned as never);
}
