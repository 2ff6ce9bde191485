/** The schemas of what actions return, fetched for the actions of the open workflow and read when completion needs them. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Reply } from '../../client/client.ts';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import type { FindActionSchema } from '../text/known-shapes.ts';

/** The query of one integration with the schemas of its actions. */
export const integrationQuery = (
  { client, organizationId }: ReturnType<typeof useEditing>,
  name: string,
) => ({
  queryKey: [organizationId, 'integration', name],
  queryFn: () => client.request('GET', '/integrations/{name}', { path: { name } }),
  retry: false,
});

/** Without observers: a field of a form must not render for an answer that only its completion reads. */
export function useActionSchemas(): FindActionSchema {
  const editing = useEditing();
  const queries = useQueryClient();
  useEffect(() => {
    const { byKey } = editing.connection.view.nodes;
    const configs = [...byKey.values()].map((node) => ownValue(node, 'config')).filter(isObject);
    for (const name of new Set(configs.map((config) => readText(config, 'integration')))) {
      if (name !== '')
        void queries.prefetchQuery({ ...integrationQuery(editing, name), staleTime: Infinity });
    }
  }, [editing, queries]);
  return (integration, action) => {
    const { queryKey } = integrationQuery(editing, integration);
    const found = queries
      .getQueryData<Reply<'getIntegration'>>(queryKey)
      ?.actions.find(({ name }) => name === action);
    return found?.output_schema as JsonObject | undefined;
  };
}
