/** The rules over what workflows may do outside: every member reads them, owners change them and their order. */
import { ActionIcon, Badge, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { Json } from '../../../language/graph/values/value.ts';
import type { EffectRule } from '../../client/openapi.ts';
import { ConditionText } from '../effect-rules/condition-text.tsx';
import { findDecision } from '../effect-rules/decisions.ts';
import { RuleDialog, type RuleDraft } from '../effect-rules/rule-dialog.tsx';
import { useRuleFields, type RuleField } from '../effect-rules/rule-fields.ts';
import { useMyOrganizations } from '../frame/memberships.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { effectRuleWords } from '../words-effect-rules.ts';
import { words } from '../words.ts';

const route = getRouteApi('/effect-rules');

/** Exchanges a rule with its neighbour. */
const move = (rules: readonly EffectRule[], at: number, by: -1 | 1): EffectRule[] =>
  rules.toSpliced(at, 1).toSpliced(at + by, 0, ...rules.slice(at, at + 1));

function useRules() {
  const { client, organizationId } = route.useRouteContext().app;
  const queries = useQueryClient();
  const queryKey = [organizationId, 'effect-rules'];
  const list = useQuery({ queryKey, queryFn: () => client.effectRules.list().page() });
  const refresh = (): Promise<unknown> => list.refetch();
  const save = useMutation({
    mutationFn: ({ ruleId, draft }: { readonly ruleId: string | null; readonly draft: RuleDraft }) =>
      ruleId === null ? client.effectRules.create(draft) : client.effectRules.update(ruleId, draft),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (ruleId: string) => client.effectRules.delete(ruleId),
    onSettled: refresh,
  });
  const reorder = useMutation({
    // One after the other: each sends the order of the whole list.
    scope: { id: 'effect-rules-order' },
    mutationFn: (rules: readonly EffectRule[]) =>
      client.effectRules.reorder({ rule_ids: rules.map(({ id }) => id) }),
    // At once, so that the next press moves the rule on from its new place.
    onMutate: (rules) => queries.setQueryData(queryKey, { rules }),
    onSettled: refresh,
  });
  const mine = useMyOrganizations(client).data?.organizations ?? [];
  const isOwner = mine.some(({ organization_id: id, role }) => id === organizationId && role === 'owner');
  return { list, save, remove, reorder, isOwner };
}

interface RuleTableProps {
  readonly rules: readonly EffectRule[];
  readonly fields: readonly RuleField[];
  readonly isOwner: boolean;
  readonly onMove: (at: number, by: -1 | 1) => void;
  readonly onEdit: (rule: EffectRule) => void;
  readonly onDelete: (rule: EffectRule) => void;
}

function RuleTable({ rules, fields, isOwner, onMove, onEdit, onDelete }: RuleTableProps) {
  const { name, decision, condition } = effectRuleWords;
  return (
    <DataTable heads={[name, decision, condition, ...(isOwner ? [null] : [])]}>
      {rules.map((rule, at) => {
        const face = findDecision(rule.decision);
        return (
          <Table.Tr key={rule.id}>
            <Table.Td>
              {at + 1}. {rule.name}
            </Table.Td>
            <Table.Td>
              <Badge variant="light" color={face.color}>
                {face.label}
              </Badge>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <ConditionText when={rule.when as Json} fields={fields} />
            </Table.Td>
            {isOwner && (
              <Table.Td>
                <Group justify="flex-end" gap="xs" wrap="nowrap">
                  {(
                    [
                      [-1, effectRuleWords.moveUp, ArrowUp],
                      [1, effectRuleWords.moveDown, ArrowDown],
                    ] as const
                  ).map(([by, label, Icon]) => (
                    <ActionIcon
                      key={by}
                      variant="default"
                      aria-label={label(rule.name)}
                      // Not `disabled`: a button that loses the focus at the end of the list loses the place, too.
                      aria-disabled={rules[at + by] === undefined}
                      style={rules[at + by] === undefined ? { opacity: 0.5 } : undefined}
                      onClick={() => {
                        if (rules[at + by] !== undefined) onMove(at, by);
                      }}
                    >
                      <Icon size={16} aria-hidden />
                    </ActionIcon>
                  ))}
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`${effectRuleWords.edit}: ${rule.name}`}
                    onClick={() => onEdit(rule)}
                  >
                    {effectRuleWords.edit}
                  </Button>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`${effectRuleWords.delete}: ${rule.name}`}
                    onClick={() => onDelete(rule)}
                  >
                    {effectRuleWords.delete}
                  </Button>
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

export function EffectRulesPage() {
  const { list, save, remove, reorder, isOwner } = useRules();
  const fields = useRuleFields();
  const [editing, setEditing] = useState<{ readonly rule: EffectRule | null } | null>(null);
  const [deleting, setDeleting] = useState<EffectRule | null>(null);
  const [moved, setMoved] = useState('');
  const rules = list.data?.rules ?? [];
  const newButton = isOwner ? (
    <Button onClick={() => setEditing({ rule: null })}>{effectRuleWords.new}</Button>
  ) : undefined;
  return (
    <Page title={words.effectRules} actions={rules.length > 0 ? newButton : undefined}>
      <div>
        <Text c="dimmed">{effectRuleWords.why}</Text>
        <Text c="dimmed">{effectRuleWords.holds}</Text>
        {list.isSuccess && !isOwner && <Text c="dimmed">{effectRuleWords.ownersOnly}</Text>}
      </div>
      <Failure error={list.error ?? reorder.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && rules.length === 0 && (
        <EmptyState icon={ShieldCheck} {...effectRuleWords.none} action={newButton} />
      )}
      {rules.length > 0 && (
        <RuleTable
          rules={rules}
          fields={fields}
          isOwner={isOwner}
          onMove={(at, by) => {
            const next = move(rules, at, by);
            setMoved(effectRuleWords.moved(rules[at]?.name ?? '', at + by + 1, rules.length));
            reorder.mutate(next);
          }}
          onEdit={(rule) => setEditing({ rule })}
          onDelete={setDeleting}
        />
      )}
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
      {editing !== null && (
        <RuleDialog
          {...editing}
          fields={fields}
          isPending={save.isPending}
          error={save.error}
          onClose={() => {
            save.reset();
            setEditing(null);
          }}
          onSave={(draft) =>
            save.mutate({ ruleId: editing.rule?.id ?? null, draft }, { onSuccess: () => setEditing(null) })
          }
        />
      )}
      <ConfirmDialog
        question={deleting === null ? null : effectRuleWords.deleteSure(deleting.name)}
        action={effectRuleWords.delete}
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
        <Text size="sm">{effectRuleWords.deleteWhy}</Text>
      </ConfirmDialog>
    </Page>
  );
}
