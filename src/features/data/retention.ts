/** Days that runs and their values are kept, and values that are redacted: of an organization, or of one of its workflows. */
import type { Db } from '../../base/db/client.ts';

/** Entries of the audit log are kept for so many days at least: whoever did something must not be able to remove its trace soon. */
export const MIN_AUDIT_DAYS = 90;

/** A limit of null is none; of a workflow, the organization's holds. */
interface RetentionSettings {
  readonly runRetentionDays: number | null;
  readonly valueRetentionDays: number | null;
  readonly redactedPaths: readonly string[];
  /** Null for a workflow, too. */
  readonly auditRetentionDays: number | null;
}

/** An undefined setting stays as it is. */
type RetentionChange = { readonly [Name in keyof RetentionSettings]: RetentionSettings[Name] | undefined };

export interface RetentionKey {
  readonly organizationId: string;
  /** Null: the settings of the organization itself. */
  readonly workflowId: string | null;
}

/** Changes settings; the row of a workflow goes when none is left. @returns all of them; null without the organization or workflow */
export async function changeRetention(
  { prisma }: Pick<Db, 'prisma'>,
  { organizationId, workflowId }: RetentionKey,
  { runRetentionDays, valueRetentionDays, redactedPaths: paths, auditRetentionDays }: RetentionChange,
): Promise<RetentionSettings | null> {
  const data = {
    ...(runRetentionDays === undefined ? {} : { runRetentionDays }),
    ...(valueRetentionDays === undefined ? {} : { valueRetentionDays }),
    ...(paths === undefined ? {} : { redactedPaths: [...new Set(paths)] }),
  };
  if (workflowId === null) {
    const [row] = await prisma.organization.updateManyAndReturn({
      where: { id: organizationId },
      data: { ...data, ...(auditRetentionDays === undefined ? {} : { auditRetentionDays }) },
    });
    return row ?? null;
  }
  return prisma.$transaction(async (tx) => {
    if ((await tx.workflow.count({ where: { id: workflowId, organizationId } })) === 0) return null;
    const row = await tx.workflowRetention.upsert({
      where: { workflowId },
      create: { workflowId, organizationId, ...data },
      update: data,
    });
    const none = { runRetentionDays: null, valueRetentionDays: null, redactedPaths: { equals: [] } };
    await tx.workflowRetention.deleteMany({ where: { workflowId, organizationId, ...none } });
    return { ...row, auditRetentionDays: null };
  });
}

/** Returns the settings that organizations and workflows have, as the API and the operator's commands show them. */
export const presentRetention = (settings: Omit<RetentionSettings, 'auditRetentionDays'>) => ({
  run_retention_days: settings.runRetentionDays,
  value_retention_days: settings.valueRetentionDays,
  redacted_paths: settings.redactedPaths,
});
