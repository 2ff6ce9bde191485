/** The organizations of the signed-in person, and the invitations to others. */
import { useQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';

export type Membership = Reply<'listMyOrganizations'>['organizations'][number];
export type Invitation = Reply<'listMyInvitations'>['invitations'][number];

export const useMyOrganizations = (client: WorkflowClient) =>
  useQuery({
    queryKey: ['organizations'],
    queryFn: () => client.request('GET', '/auth/me/organizations'),
  });

export const useMyInvitations = (client: WorkflowClient) =>
  useQuery({
    queryKey: ['my-invitations'],
    queryFn: () => client.request('GET', '/auth/invitations/my'),
  });
