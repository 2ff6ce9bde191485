/** Creates or changes a budget. A present one keeps its workflow and its period. */
import { Input, NumberInput, SegmentedControl, Select, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import type { Body } from '../../client/operations.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { listOptions } from '../kit/list-options.ts';
import { budgetWords } from '../words-budgets.ts';
import { LIMIT_NAMES, readLimit, toBody, type Budget, type LimitName } from './limits.ts';

export type BudgetDraft = Body<'createBudget'>;
type OnLimit = keyof typeof budgetWords.onLimit;
type Period = keyof typeof budgetWords.periods;

/** The field of the API that a limit is sent in. */
const FIELDS: Readonly<Record<LimitName, string>> = {
  credits: 'max_credits',
  model_calls: 'max_model_calls',
  http: 'http',
  mcp: 'mcp',
  message: 'message',
};

const readLimits = (budget: Budget | null): Partial<Record<LimitName, number>> =>
  Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const limit = budget === null ? null : readLimit(budget, name);
      return limit === null ? [] : [[name, limit]];
    }),
  );

interface BudgetDialogProps {
  /** The budget that is changed; null: a new one. */
  readonly budget: Budget | null;
  readonly title: string;
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSave: (draft: BudgetDraft) => void;
}

export function BudgetDialog({
  budget,
  title,
  workflows,
  isPending,
  error,
  onClose,
  onSave,
}: BudgetDialogProps) {
  const [workflowId, setWorkflowId] = useState<string | null>(budget?.workflow_id ?? null);
  const [period, setPeriod] = useState<Period>(budget?.period ?? 'month');
  const [limits, setLimits] = useState(() => readLimits(budget));
  const [onLimit, setOnLimit] = useState<OnLimit>(budget?.on_limit ?? 'fail');
  return (
    <FormDialog
      title={title}
      action={budget === null ? budgetWords.create : budgetWords.save}
      isReady
      isPending={isPending}
      error={withoutFields(error, Object.values(FIELDS))}
      onClose={onClose}
      onSubmit={() => onSave({ workflow_id: workflowId, period, ...toBody(limits), on_limit: onLimit })}
    >
      {budget === null && (
        <>
          <Select
            label={budgetWords.subject}
            data-autofocus
            placeholder={budgetWords.organization}
            data={workflows.map(({ id, name }) => ({ value: id, label: name }))}
            value={workflowId}
            onChange={setWorkflowId}
            searchable
            clearable
          />
          <SegmentedControl
            aria-label={budgetWords.period}
            data={listOptions(['day', 'month'] as const, budgetWords.periods)}
            value={period}
            onChange={(value) => setPeriod(value as Period)}
          />
        </>
      )}
      {(
        [
          [2, ['credits', 'model_calls']],
          [3, ['http', 'mcp', 'message']],
        ] as const
      ).map(([columns, names]) => (
        <SimpleGrid key={columns} cols={{ base: 1, xs: columns }}>
          {names.map((name) => (
            <NumberInput
              key={name}
              label={budgetWords.limits[name]}
              placeholder={budgetWords.noLimit}
              data-autofocus={budget !== null && name === 'credits' ? true : undefined}
              min={0}
              max={1_000_000_000}
              decimalScale={name === 'credits' ? 3 : 0}
              thousandSeparator=" "
              value={limits[name] ?? ''}
              error={findFieldProblem(error, FIELDS[name])}
              onChange={(value) =>
                setLimits(({ [name]: _before, ...others }) =>
                  value === '' ? others : { ...others, [name]: Number(value) },
                )
              }
            />
          ))}
        </SimpleGrid>
      ))}
      <Text size="xs" c="dimmed">
        {budgetWords.limitHint}
      </Text>
      <Input.Wrapper label={budgetWords.atLimit} labelElement="div">
        <SegmentedControl
          aria-label={budgetWords.atLimit}
          fullWidth
          data={listOptions(['fail', 'ask'] as const, budgetWords.onLimit)}
          value={onLimit}
          onChange={(value) => setOnLimit(value as OnLimit)}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {budgetWords.onLimitHint[onLimit]}
        </Text>
      </Input.Wrapper>
    </FormDialog>
  );
}
