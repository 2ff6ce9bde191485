/** Routes of an organization's members (SPEC API-roles: member management is for owners and admins). */
import { routesFor, type Route } from '../../../platform/http/route.ts';
import { refusal, success, uuidParams } from '../../../platform/http/wire.ts';
import { requireScoped } from '../organizations/service.ts';
import { member, memberList, roleChange } from './schema.ts';
import { changeRole, listMembers, removeMember, type Member, type MemberDeps } from './service.ts';

const route = routesFor<MemberDeps>();

const common = { tag: 'organizations', access: 'organization', isAdministrative: true } as const;
const ofOrganization = uuidParams('organization_id');
const ofMember = uuidParams('organization_id', 'user_id');
const members = '/organizations/:organization_id/members';

const present = ({ user, ...row }: Member): object => ({
  user_id: row.userId,
  organization_id: row.organizationId,
  email: user.email,
  role: row.role,
  is_active: user.isActive,
  created_at: row.createdAt.toISOString(),
});

export const memberRoutes: readonly Route<MemberDeps>[] = [
  route({
    ...common,
    method: 'GET',
    path: members,
    operationId: 'listMembers',
    summary: 'List the members of the organization',
    params: ofOrganization,
    replies: { 200: memberList },
    async handle({ deps, scope, params: { organization_id: organizationId } }) {
      requireScoped(scope, organizationId);
      const rows = await listMembers(deps, scope);
      return { status: 200, body: { members: rows.map(present), total: rows.length } };
    },
  }),
  route({
    ...common,
    method: 'PATCH',
    path: `${members}/:user_id`,
    operationId: 'changeMemberRole',
    summary: 'Change the role of a member; only owners may add or remove owners',
    params: ofMember,
    body: roleChange,
    find: ({ scope, params }) => requireScoped(scope, params.organization_id),
    replies: { 200: member, 409: refusal },
    async handle({ deps, scope, params: { organization_id: organizationId, user_id: userId }, body }) {
      requireScoped(scope, organizationId);
      return { status: 200, body: present(await changeRole(deps, scope, { userId, role: body.role })) };
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${members}/:user_id`,
    operationId: 'removeMember',
    summary: 'Remove a member from the organization, or leave it; access ends immediately',
    params: ofMember,
    replies: { 200: success, 409: refusal },
    async handle({ deps, scope, params: { organization_id: organizationId, user_id: userId } }) {
      requireScoped(scope, organizationId);
      await removeMember(deps, scope, userId);
      return { status: 200, body: { success: true, message: 'Member removed' } };
    },
  }),
];
