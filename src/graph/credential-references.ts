/** Which credentials the nodes of a definition name. Only where configs have them: a `credential_id` in a body is data. */
import { isObject, ownValue, type Json, type JsonObject } from './value.ts';

export interface CredentialReference {
  readonly nodeId: string;
  readonly credentialId: string;
}

/** Lists of a config whose entries may have credentials of their own (SPEC DEF-2.3, DEF-2.8). */
const NESTED = ['tools', 'checks'] as const;

const idOf = (config: Json): string[] => {
  const credentialId = ownValue(config, 'credential_id');
  return typeof credentialId === 'string' && credentialId !== '' ? [credentialId.toLowerCase()] : [];
};

/** The references of a definition, in the order of its nodes. Never throws. */
export function credentialReferences(definition: JsonObject): CredentialReference[] {
  const nodes = ownValue(definition, 'nodes');
  return (Array.isArray(nodes) ? nodes : []).flatMap((node) => {
    const id = ownValue(node, 'id');
    const nodeId = typeof id === 'string' ? id : '';
    // Without a `config` the keys of the node itself are the config (SPEC DEF-2.0).
    const config = ownValue(node, 'config') ?? node;
    const nested = NESTED.flatMap((key) => {
      const list = ownValue(config, key);
      return Array.isArray(list) ? list.filter(isObject) : [];
    });
    return [config, ...nested].flatMap(idOf).map((credentialId) => ({ nodeId, credentialId }));
  });
}
