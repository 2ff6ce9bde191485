/** Routes of invitations: those of an organization, and those to the caller's address. */
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import { requireScoped } from '../organizations/service.ts';
import { invitation, invitationList, newInvitation } from './schema.ts';
import {
  acceptInvitation,
  declineInvitation,
  inviteAdmin,
  listMine,
  listPending,
  withdrawInvitation,
  type InvitationRow,
  type InvitationDeps,
} from './service.ts';

const route = routesFor<InvitationDeps>();

const managed = { tag: 'organizations', access: 'organization', isAdministrative: true } as const;
const ofOrganization = uuidParams('organization_id');
const invitations = '/organizations/:organization_id/invitations';

const present = (row: InvitationRow): object => ({
  id: row.id,
  organization_id: row.organizationId,
  organization_name: row.organization.name,
  email: row.email,
  role: row.role,
  status: row.status,
  created_at: row.createdAt.toISOString(),
});

export const invitationRoutes: readonly Route<InvitationDeps>[] = [
  route({
    ...managed,
    method: 'POST',
    path: invitations,
    operationId: 'createInvitation',
    summary: 'Invite an email address as an admin; 200 when it was already invited',
    params: ofOrganization,
    body: newInvitation,
    find: ({ scope, params }) => requireScoped(scope, params.organization_id),
    replies: { 200: invitation, 201: invitation, 409: refusal },
    async handle({ deps, scope, params: { organization_id: organizationId }, body }) {
      requireScoped(scope, organizationId);
      const { row, isNew } = await inviteAdmin(deps, scope, body.email);
      return { status: isNew ? 201 : 200, body: present(row) };
    },
  }),
  route({
    ...managed,
    method: 'GET',
    path: invitations,
    operationId: 'listInvitations',
    summary: 'List the pending invitations of the organization',
    params: ofOrganization,
    replies: { 200: invitationList },
    async handle({ deps, scope, params: { organization_id: organizationId } }) {
      requireScoped(scope, organizationId);
      return { status: 200, body: { invitations: (await listPending(deps, scope)).map(present) } };
    },
  }),
  route({
    ...managed,
    method: 'DELETE',
    path: `${invitations}/:invitation_id`,
    operationId: 'withdrawInvitation',
    summary: 'Revoke a pending invitation',
    params: uuidParams('organization_id', 'invitation_id'),
    replies: { 200: success },
    async handle({ deps, scope, params: { organization_id: organizationId, invitation_id: invitationId } }) {
      requireScoped(scope, organizationId);
      await withdrawInvitation(deps, scope, invitationId);
      return { status: 200, body: { success: true, message: 'Invitation revoked' } };
    },
  }),
  route({
    method: 'GET',
    path: '/auth/invitations/my',
    tag: 'identity',
    operationId: 'listMyInvitations',
    summary: "List the pending invitations to the caller's verified email address; empty for API keys",
    access: 'caller',
    replies: { 200: invitationList },
    async handle({ deps, caller }) {
      return { status: 200, body: { invitations: (await listMine(deps, caller)).map(present) } };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/invitations/:invitation_id/accept',
    tag: 'identity',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation; requires a token with a verified email address',
    access: 'caller',
    params: uuidParams('invitation_id'),
    replies: { 200: invitation, 409: refusal },
    async handle({ deps, caller, params: { invitation_id: invitationId } }) {
      return { status: 200, body: present(await acceptInvitation(deps, caller, invitationId)) };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/invitations/:invitation_id/decline',
    tag: 'identity',
    operationId: 'declineInvitation',
    summary: 'Decline a pending invitation; requires a token with a verified email address',
    access: 'caller',
    params: uuidParams('invitation_id'),
    replies: { 200: success },
    async handle({ deps, caller, params: { invitation_id: invitationId } }) {
      await declineInvitation(deps, caller, invitationId);
      return { status: 200, body: { success: true, message: 'Invitation declined' } };
    },
  }),
];
