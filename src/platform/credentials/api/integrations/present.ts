/** Integrations as the API returns them; lists omit the schemas of actions. */
import type { JsonObject } from '../../../../language/graph/values/value.ts';
import type { Action, Integration } from '../../../../language/nodes/integrations/integration.ts';

function presentAction(action: Action): JsonObject {
  return {
    name: action.name,
    display_name: action.displayName,
    description: action.description,
    idempotent: action.idempotent,
    requires_auth: action.requiresAuth,
  };
}

function present(entry: Integration, connected: boolean, actions: JsonObject[]): JsonObject {
  return {
    name: entry.name,
    display_name: entry.displayName,
    description: entry.description,
    version: entry.version,
    category: entry.category,
    docs_url: entry.docsUrl,
    tags: [...entry.tags],
    extra_metadata: {},
    base_url: entry.baseUrl,
    auth: entry.auth.map(({ type, required, scopes, schema }) => {
      return { type, required, scopes: [...scopes], schema };
    }),
    actions,
    connected,
  };
}

/** A list item, without the schemas of actions. */
export function presentIntegrationSummary(entry: Integration, connected: boolean): JsonObject {
  return present(entry, connected, entry.actions.map(presentAction));
}

export function presentIntegration(entry: Integration, connected: boolean): JsonObject {
  const actions = entry.actions.map((action) => {
    return { ...presentAction(action), input_schema: action.inputSchema, output_schema: action.outputSchema };
  });
  return present(entry, connected, actions);
}
