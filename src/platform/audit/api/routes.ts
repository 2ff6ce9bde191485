/** Routes of the audit log, for owners and admins. */
import { Readable } from 'node:stream';
import { isStillAllowed, whileAllowed } from '../../access/still-allowed.ts';
import { exportEntries, presentEntry, readEntries, recordAction } from '../../audit/audit-log.ts';
import type { Config } from '../../../base/config/config.ts';
import type { Db } from '../../../base/db/client.ts';
import { readCreation, readCursorPage } from '../../http/cursor-page.ts';
import { routesFor, type Route } from '../../http/route.ts';
import { auditExportQuery, auditPage, auditQuery } from './schema.ts';

interface AuditLogDeps {
  readonly db: Db;
  readonly config: Config;
}

const route = routesFor<AuditLogDeps>();
const common = { tag: 'audit-log', access: 'organization', isAdministrative: true, method: 'GET' } as const;

export const auditLogRoutes: readonly Route<AuditLogDeps>[] = [
  route({
    ...common,
    path: '/audit-log',
    operationId: 'listAuditLog',
    summary: 'List who did what in the organization, newest first',
    query: auditQuery,
    replies: { 200: auditPage },
    async handle({ deps, scope, query }) {
      const { rows, nextCursor } = await readCursorPage(deps.config.auth, query, {
        name: `audit-log/${scope.organizationId}`,
        read: ({ from, limit }) =>
          readEntries(deps.db, scope.organizationId, { ...query, after: from, limit }),
        readPosition: readCreation,
      });
      return { status: 200, body: { entries: rows.map(presentEntry), next_cursor: nextCursor } };
    },
  }),
  route({
    ...common,
    path: '/audit-log/export',
    operationId: 'exportAuditLog',
    summary: 'Download the audit log as JSON Lines, newest first: the entries of the list, one on each line',
    query: auditExportQuery,
    replies: { 200: 'jsonl' },
    async handle({ deps, scope, query }) {
      const { organizationId } = scope;
      const object = { type: 'audit_log', id: null, name: null };
      await recordAction(deps.db, { organizationId, action: 'audit_log.exported', object });
      return {
        status: 200,
        headers: {
          'Content-Type': 'application/jsonl; charset=utf-8',
          'Content-Disposition': 'attachment; filename="audit-log.jsonl"',
        },
        body: Readable.from(
          whileAllowed(exportEntries(deps.db, organizationId, query), () =>
            isStillAllowed(deps.db, scope, null),
          ),
        ),
      };
    },
  }),
];
