/** The tools of the MCP server of a credential. */
import { useQuery } from '@tanstack/react-query';
import { useEditing } from '../canvas/context.ts';

/** @param credentialId empty: none is chosen */
export function useCredentialTools(credentialId: string) {
  const { client, organizationId } = useEditing();
  const list = useQuery({
    queryKey: [organizationId, 'credential-tools', credentialId],
    queryFn: () => client.credentials.tools(credentialId),
    enabled: credentialId !== '',
    retry: false,
  });
  return list.data?.tools ?? [];
}
