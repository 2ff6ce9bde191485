/** The credentials to which the nodes of a definition refer. */
import { listReferences } from './references.ts';
import type { JsonObject } from './value.ts';

interface CredentialReference {
  readonly nodeId: string;
  readonly credentialId: string;
}

/** Lists the references in the order of the nodes. Never throws. */
export const listCredentialReferences = (definition: JsonObject): CredentialReference[] =>
  listReferences(definition).flatMap(({ kind, nodeId, id }) =>
    kind === 'credential' ? [{ nodeId, credentialId: id }] : [],
  );
