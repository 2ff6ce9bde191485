/** The budgets of the organization and of its workflows: what is used of each, and its limits. */
import { Badge, Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Gauge } from 'lucide-react';
import { useState } from 'react';
import { BudgetDialog, type BudgetDraft } from '../budgets/budget-dialog.tsx';
import { listLimits, type Budget, type LimitRow } from '../budgets/limits.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { useWorkflowNames } from '../kit/use-workflow-names.ts';
import { budgetWords } from '../words-budgets.ts';
import { words } from '../words.ts';

const route = getRouteApi('/budgets');

/** Runs go on while the page is read. */
const REFRESH_MS = 15_000;
const AMOUNT = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

function useBudgets() {
  const { client, organizationId } = route.useRouteContext().app;
  const list = useQuery({
    queryKey: [organizationId, 'budgets'],
    queryFn: () => client.budgets.list().page(),
    refetchInterval: REFRESH_MS,
  });
  const refresh = (): Promise<unknown> => list.refetch();
  const save = useMutation({
    mutationFn: ({ budgetId, draft }: { readonly budgetId: string | null; readonly draft: BudgetDraft }) => {
      const { workflow_id: _workflow, period: _period, ...change } = draft;
      return budgetId === null ? client.budgets.create(draft) : client.budgets.update(budgetId, change);
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (budgetId: string) => client.budgets.delete(budgetId),
    onSettled: refresh,
  });
  const workflows = useWorkflowNames(client, organizationId).data ?? [];
  const nameSubject = ({ workflow_id: id }: Budget): string =>
    workflows.find((one) => one.id === id)?.name ?? id ?? budgetWords.organization;
  return { list, save, remove, workflows, nameSubject };
}

const chooseColor = (share: number): string => (share >= 100 ? 'red' : share >= 80 ? 'yellow' : 'blue');

function UsedOfLimit({
  row: { name, used, reserved, limit },
  label,
}: {
  readonly row: LimitRow;
  readonly label: string;
}) {
  const share = limit === null ? 0 : limit === 0 ? 100 : Math.min(100, (100 * used) / limit);
  const heldShare = limit === null || limit === 0 ? 0 : Math.min(100 - share, (100 * reserved) / limit);
  const held = reserved > 0 ? ` ${budgetWords.withReserved(AMOUNT.format(reserved))}` : '';
  const figures =
    limit === null
      ? budgetWords.unlimited(`${AMOUNT.format(used)}${held}`)
      : `${budgetWords.of(AMOUNT.format(used), AMOUNT.format(limit))}${held}`;
  return (
    <div>
      <Group justify="space-between" gap="md" wrap="nowrap" align="baseline">
        <Text size="sm">{budgetWords.limits[name]}</Text>
        <Text size="sm" ta="right" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
          {figures}
        </Text>
      </Group>
      {limit !== null && (
        <Progress.Root size="sm">
          <Progress.Section
            value={share}
            color={chooseColor(share)}
            aria-label={`${label}: ${budgetWords.limits[name]}`}
          />
          {heldShare > 0 && <Progress.Section value={heldShare} color="gray" withAria={false} />}
        </Progress.Root>
      )}
    </div>
  );
}

interface BudgetTableProps {
  readonly budgets: readonly Budget[];
  readonly nameSubject: (budget: Budget) => string;
  readonly onEdit: (budget: Budget) => void;
  readonly onDelete: (budget: Budget) => void;
}

function BudgetTable({ budgets, nameSubject, onEdit, onDelete }: BudgetTableProps) {
  const { subject, period, used, atLimit } = budgetWords;
  return (
    <DataTable heads={[subject, period, used, atLimit, null]}>
      {budgets.map((budget) => {
        const label = `${nameSubject(budget)}, ${budgetWords.periods[budget.period].toLowerCase()}`;
        return (
          <Table.Tr key={budget.id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{nameSubject(budget)}</Table.Td>
            <Table.Td>
              {budgetWords.periods[budget.period]}
              <Text size="xs" c="dimmed">
                {budgetWords.until(DAY.format(new Date(Date.parse(budget.period_end) - 1)))}
              </Text>
            </Table.Td>
            <Table.Td miw={240}>
              <Stack gap="xs">
                {listLimits(budget).map((row) => (
                  <UsedOfLimit key={row.name} row={row} label={label} />
                ))}
              </Stack>
            </Table.Td>
            <Table.Td>
              <Badge variant="light" color={budget.on_limit === 'ask' ? 'blue' : 'gray'}>
                {budgetWords.onLimit[budget.on_limit]}
              </Badge>
            </Table.Td>
            <Table.Td>
              <Group justify="flex-end" gap="xs" wrap="nowrap">
                {(
                  [
                    [budgetWords.edit, onEdit],
                    [budgetWords.delete, onDelete],
                  ] as const
                ).map(([action, run]) => (
                  <Button
                    key={action}
                    variant="default"
                    size="compact-sm"
                    aria-label={`${action}: ${label}`}
                    onClick={() => run(budget)}
                  >
                    {action}
                  </Button>
                ))}
              </Group>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

export function BudgetsPage() {
  const { list, save, remove, workflows, nameSubject } = useBudgets();
  const [editing, setEditing] = useState<{ readonly budget: Budget | null } | null>(null);
  const [deleting, setDeleting] = useState<Budget | null>(null);
  const budgets = list.data?.budgets ?? [];
  const newButton = <Button onClick={() => setEditing({ budget: null })}>{budgetWords.new}</Button>;
  const writeName = (budget: Budget, write: (subject: string, period: string) => string): string =>
    write(nameSubject(budget), budgetWords.periods[budget.period]);
  return (
    <Page title={words.budgets} actions={budgets.length > 0 ? newButton : undefined}>
      <Text c="dimmed">{budgetWords.why}</Text>
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && budgets.length === 0 && (
        <EmptyState icon={Gauge} {...budgetWords.none} action={newButton} />
      )}
      {budgets.length > 0 && (
        <>
          <BudgetTable
            budgets={budgets}
            nameSubject={nameSubject}
            onEdit={(budget) => setEditing({ budget })}
            onDelete={setDeleting}
          />
          <Text size="sm" c="dimmed">
            {budgetWords.updated} <RelativeTime at={new Date(list.dataUpdatedAt).toISOString()} />
          </Text>
        </>
      )}
      {editing !== null && (
        <BudgetDialog
          {...editing}
          title={
            editing.budget === null ? budgetWords.newTitle : writeName(editing.budget, budgetWords.editTitle)
          }
          workflows={workflows}
          isPending={save.isPending}
          error={save.error}
          onClose={() => {
            save.reset();
            setEditing(null);
          }}
          onSave={(draft) =>
            save.mutate(
              { budgetId: editing.budget?.id ?? null, draft },
              { onSuccess: () => setEditing(null) },
            )
          }
        />
      )}
      <ConfirmDialog
        question={deleting === null ? null : writeName(deleting, budgetWords.deleteSure)}
        action={budgetWords.delete}
        isPending={remove.isPending}
        error={remove.error}
        onClose={() => {
          remove.reset();
          setDeleting(null);
        }}
        onConfirm={() => {
          if (deleting !== null) remove.mutate(deleting.id, { onSuccess: () => setDeleting(null) });
        }}
      >
        <Text size="sm">{budgetWords.deleteWhy}</Text>
      </ConfirmDialog>
    </Page>
  );
}
