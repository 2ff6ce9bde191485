/** The operator's commands about the audit log: export and retention. */
import { parseArgs } from 'node:util';
import { JSON_OPTION, readOrganizationId, UsageError, type Command } from './admin-command.ts';
import { exportEntries, pruneEntries } from '../platform/audit/audit-log.ts';

function readTime(name: string, given: string | undefined): string | undefined {
  if (given !== undefined && Number.isNaN(Date.parse(given)))
    throw new UsageError(`--${name} ${given}: an ISO 8601 time is needed`);
  return given;
}

export const auditExport: Command = {
  summary: 'Print the audit log of one organization, or of the whole deployment, as JSON Lines, newest first',
  usage: 'audit:export [--org ORG_ID] [--action ACTION] [--since TIME] [--until TIME] [--json]',
  async run(args, _config, db) {
    const { values } = parseArgs({
      args,
      options: {
        org: { type: 'string' },
        action: { type: 'string' },
        since: { type: 'string' },
        until: { type: 'string' },
        ...JSON_OPTION,
      },
    });
    const filter = {
      action: values.action,
      since: readTime('since', values.since),
      until: readTime('until', values.until),
    };
    for await (const lines of exportEntries(db, readOrganizationId(values.org), filter))
      process.stdout.write(lines);
  },
};

export const auditPrune: Command = {
  summary:
    'Remove entries of the audit log that are older than a number of days; the command itself is recorded',
  usage: 'audit:prune --older-than DAYS [--org ORG_ID] [--json]',
  async run(args, _config, db) {
    const { values } = parseArgs({
      args,
      options: { 'older-than': { type: 'string' }, org: { type: 'string' }, ...JSON_OPTION },
    });
    if (!/^[1-9]\d{0,4}$/.test(values['older-than'] ?? ''))
      throw new UsageError('--older-than: 1 to 99999 days are needed');
    const pruned = await pruneEntries(db, readOrganizationId(values.org), Number(values['older-than']));
    console.log(JSON.stringify({ pruned }));
  },
};
