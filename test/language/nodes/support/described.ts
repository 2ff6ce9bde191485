/** Compares what leaves by the ports of a node with what its config describes. */
import { isDeepStrictEqual } from 'node:util';
import type { EffectPattern } from '../../../../src/language/nodes/effect.ts';
import type { NodeTools } from '../../../../src/language/nodes/tools.ts';

/** Tells whether a part of a target is as it was described, or is left to the run. */
const admitsPart = (described: unknown, exact: unknown): boolean =>
  isDeepStrictEqual(described, exact) ||
  (typeof described === 'object' && described !== null && 'from' in described);

/** Tells whether a target is as it was described. */
export const admitsTarget = (described: object, exact: object): boolean => {
  const parts = new Map<string, unknown>(Object.entries(exact));
  return (
    Object.keys(described).length === parts.size &&
    Object.entries(described).every(([key, part]) => admitsPart(part, parts.get(key)))
  );
};

/** Wraps the ports by which effects leave. @returns them, and what has left that no pattern describes */
export function watchPorts(
  tools: NodeTools,
  patterns: readonly EffectPattern[],
): { readonly tools: NodeTools; readonly unforeseen: readonly unknown[] } {
  const unforeseen: unknown[] = [];
  const note = (sent: Pick<EffectPattern, 'door' | 'credential_id'> & { readonly target: object }): void => {
    const isForeseen = patterns.some(
      ({ door, credential_id, target }) =>
        door === sent.door && credential_id === sent.credential_id && admitsTarget(target, sent.target),
    );
    if (!isForeseen) unforeseen.push(sent);
  };
  const watched: NodeTools = {
    ...tools,
    http: {
      send(request) {
        const target = { method: request.method, host: new URL(request.url).host };
        note({ door: 'http', target, credential_id: request.credential?.credentialId ?? null });
        return tools.http.send(request);
      },
    },
    models: {
      complete(request) {
        const { provider, model, credentialId } = request;
        note({ door: 'model', target: { provider, model }, credential_id: credentialId });
        return tools.models.complete(request);
      },
    },
    mcp: {
      ...tools.mcp,
      call(request) {
        const target = { server: request.serverUrl, tool: request.tool };
        note({ door: 'mcp', target, credential_id: request.credential?.credentialId ?? null });
        return tools.mcp.call(request);
      },
    },
    knowledge: {
      search(request) {
        const target = { knowledge_base_ids: request.knowledgeBaseIds };
        note({ door: 'search', target, credential_id: null });
        return tools.knowledge.search(request);
      },
    },
  };
  return { tools: watched, unforeseen };
}
