/** Which credentials the nodes of a definition name. */
import { listReferences } from './references.ts';
import type { JsonObject } from './value.ts';

export interface CredentialReference {
  readonly nodeId: string;
  readonly credentialId: string;
}

/** The references of a definition, in the order of its nodes. Never throws. */
export const credentialReferences = (definition: JsonObject): CredentialReference[] =>
  listReferences(definition).flatMap(({ kind, nodeId, id }) =>
    kind === 'credential' ? [{ nodeId, credentialId: id }] : [],
  );
