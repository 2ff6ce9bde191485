/** The operator's commands about organizations: list, find, set. */
import { parseArgs } from 'node:util';
import { CommandRefused, JSON_OPTION, readDays, UsageError, type Command } from './admin-command.ts';
import { readAccount, setUsed } from '../platform/billing/account.ts';
import { ENTITLEMENT_KEYS, MILLICREDITS, PLANS } from '../platform/billing/plans.ts';
import { setBalance, setOverage } from '../platform/billing/wallet.ts';
import { isUuid } from '../base/uuid.ts';

function readEntitlements(given: readonly string[]): Record<string, number | null> {
  return Object.fromEntries(
    given.map((pair): [string, number | null] => {
      const [, key, value] = /^([a-z][a-z0-9_]*)=(null|\d{1,9})$/.exec(pair) ?? [];
      if (key === undefined || value === undefined) {
        throw new UsageError(`--entitlement ${pair}: KEY=VALUE is needed, VALUE a whole number or null`);
      }
      if (!ENTITLEMENT_KEYS.some((known) => known === key)) {
        throw new UsageError(`--entitlement ${pair}: one of ${ENTITLEMENT_KEYS.join(', ')} is needed`);
      }
      return [key, value === 'null' ? null : Number(value)];
    }),
  );
}

/** Reads an amount of credits as millicredits; null without the option. */
function readCredits(name: string, given: string | undefined): number | null {
  if (given === undefined) return null;
  if (!/^\d{1,9}$/.test(given))
    throw new UsageError(`--${name} ${given}: a whole number of credits is needed`);
  return Number(given) * MILLICREDITS;
}

function readOverage(given: string | undefined): boolean | null {
  if (given === undefined) return null;
  if (given !== 'on' && given !== 'off') throw new UsageError(`--overage ${given}: on or off is needed`);
  return given === 'on';
}

/** The changes of `org:set`; null leaves a value as it is. */
interface OrgChanges {
  readonly plan: string | null;
  readonly entitlements: Readonly<Record<string, number | null>>;
  readonly isSuspended: boolean | null;
  readonly usedMc: number | null;
  readonly walletMc: number | null;
  readonly isOverageEnabled: boolean | null;
  /** Null in the object: runs are kept for good. */
  readonly retention: { readonly days: number | null } | null;
}

function readOrgSet(args: string[]): { readonly organizationId: string; readonly changes: OrgChanges } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...JSON_OPTION,
      plan: { type: 'string' },
      entitlement: { type: 'string', multiple: true },
      suspended: { type: 'boolean' },
      'not-suspended': { type: 'boolean' },
      'credits-used': { type: 'string' },
      wallet: { type: 'string' },
      overage: { type: 'string' },
      'run-retention': { type: 'string' },
    },
  });
  const [organizationId] = positionals;
  if (organizationId === undefined || positionals.length > 1) throw new UsageError('one org_id is needed');
  if (values.plan !== undefined && !Object.hasOwn(PLANS, values.plan)) {
    throw new UsageError(`--plan ${values.plan}: one of ${Object.keys(PLANS).join(', ')} is needed`);
  }
  if (values.suspended === true && values['not-suspended'] === true)
    throw new UsageError('--suspended and --not-suspended exclude each other');
  return {
    organizationId,
    changes: {
      plan: values.plan ?? null,
      entitlements: readEntitlements(values.entitlement ?? []),
      isSuspended: values.suspended === true ? true : values['not-suspended'] === true ? false : null,
      usedMc: readCredits('credits-used', values['credits-used']),
      walletMc: readCredits('wallet', values.wallet),
      isOverageEnabled: readOverage(values.overage),
      retention: readDays('run-retention', values['run-retention']),
    },
  };
}

export const orgSet: Command = {
  summary: 'Set the plan, entitlements, credits, wallet or suspension of an organization',
  usage:
    'org:set <org_id> [--plan NAME] [--entitlement KEY=VALUE]... [--credits-used N] [--wallet N] [--overage on|off]\n' +
    '          [--suspended | --not-suspended] [--run-retention DAYS|off] [--json]\n' +
    `         plans: ${Object.keys(PLANS).join(', ')}; KEY: ${ENTITLEMENT_KEYS.join(', ')};\n` +
    '         VALUE: a whole number, or null for unlimited; N: whole credits',
  async run(args, _config, db) {
    const { organizationId, changes } = readOrgSet(args);
    const set = await db.transaction(async (tx) => {
      const [row] = isUuid(organizationId)
        ? await tx.query(
            `UPDATE organizations SET plan = coalesce($2, plan), entitlements = entitlements || $3::jsonb,
                    is_suspended = coalesce($4, is_suspended),
                    run_retention_days = CASE WHEN $5 THEN $6::int ELSE run_retention_days END
             WHERE id = $1 RETURNING id, name, plan, entitlements, is_suspended, run_retention_days`,
            [
              organizationId,
              changes.plan,
              JSON.stringify(changes.entitlements),
              changes.isSuspended,
              changes.retention !== null,
              changes.retention?.days ?? null,
            ],
          )
        : [];
      if (row === undefined) throw new CommandRefused(`there is no organization ${organizationId}`);
      const { usedMc, walletMc, isOverageEnabled } = changes;
      if (usedMc !== null) await setUsed(tx, organizationId, usedMc);
      if (isOverageEnabled !== null) await setOverage(tx, organizationId, isOverageEnabled);
      if (walletMc !== null) await setBalance(tx, organizationId, walletMc);
      return { ...row, ...(await readAccount(tx, organizationId)) };
    });
    console.log(JSON.stringify(set));
  },
};

interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly plan: string;
  readonly is_active: boolean;
  readonly is_suspended: boolean;
  readonly members: number;
  readonly workflows: number;
  readonly created_at: Date;
}

const LIST_ORGANIZATIONS = `
  SELECT o.id, o.name, o.slug, o.plan, o.is_active, o.is_suspended,
         (SELECT count(*) FROM memberships m WHERE m.organization_id = o.id AND m.is_active)::int AS members,
         (SELECT count(*) FROM workflows w WHERE w.organization_id = o.id)::int AS workflows, o.created_at
  FROM organizations o
  WHERE $1::text IS NULL OR o.id::text = lower($1) OR o.slug = $1 OR strpos(lower(o.name), lower($1)) > 0
     OR EXISTS (SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
                WHERE m.organization_id = o.id AND m.is_active AND (lower(u.email) = lower($1) OR u.subject = $1))
  ORDER BY o.created_at DESC, o.id LIMIT $2`;
const MAX_LISTED = 10_000;

function printOrganizations(rows: readonly OrganizationRow[], isJson: boolean): void {
  for (const row of rows) {
    const { id, name, plan, members, workflows } = row;
    const state = !row.is_active ? '  inactive' : row.is_suspended ? '  suspended' : '';
    console.log(
      isJson
        ? JSON.stringify(row)
        : `${id}  ${plan.padEnd(10)}  members ${members}, workflows ${workflows}  ${JSON.stringify(name)}${state}`,
    );
  }
}

export const orgList: Command = {
  summary: 'List the organizations, newest first',
  usage: 'org:list [--limit N] [--json]   (default 100)',
  async run(args, _config, db) {
    const { values } = parseArgs({
      args,
      options: { ...JSON_OPTION, limit: { type: 'string', default: '100' } },
    });
    if (!/^\d{1,5}$/.test(values.limit) || Number(values.limit) > MAX_LISTED)
      throw new UsageError(`--limit: a number up to ${MAX_LISTED} is needed`);
    const rows = await db.query<OrganizationRow>(LIST_ORGANIZATIONS, [null, Number(values.limit)]);
    printOrganizations(rows, values.json);
  },
};

export const orgFind: Command = {
  summary: 'Find organizations by id, slug, a part of the name, or the email or id of a member',
  usage: 'org:find <text> [--json]',
  async run(args, _config, db) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: JSON_OPTION,
    });
    const [text] = positionals;
    if (text === undefined || positionals.length > 1) throw new UsageError('one text is needed');
    const rows = await db.query<OrganizationRow>(LIST_ORGANIZATIONS, [text, MAX_LISTED]);
    if (rows.length === 0) throw new CommandRefused(`there is no organization for ${text}`);
    printOrganizations(rows, values.json);
  },
};
