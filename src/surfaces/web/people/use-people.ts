/** The members of the organization by user_id, to show a person where the API has an id. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { WorkflowClient } from '../../client/client.ts';

/** Returns e-mail addresses by user_id; empty until they are read. */
export function usePeople(client: WorkflowClient, organizationId: string): ReadonlyMap<string, string> {
  const members = useQuery({
    queryKey: [organizationId, 'members'],
    queryFn: () => client.organizations.members(organizationId).page(),
  });
  return useMemo(
    () => new Map((members.data?.members ?? []).map(({ user_id: id, email }) => [id, email])),
    [members.data],
  );
}
