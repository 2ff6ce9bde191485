/** Edits a condition: rows of field, comparison and value. */
import { Button, Group, MultiSelect, NativeSelect, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { RULE_OPS, UNARY_OPS } from '../../../language/graph/definition/definition.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { listOptions } from '../kit/list-options.ts';
import { editorWords } from '../words-editor.ts';
import { effectRuleWords } from '../words-effect-rules.ts';
import { listOps, takesList, type Condition, type ConditionRow } from './condition.ts';
import { findField, type RuleField } from './rule-fields.ts';

const NEW_ROW: ConditionRow = { field: 'host', op: 'in', value: [] };

interface RowProps {
  readonly row: ConditionRow;
  readonly fields: readonly RuleField[];
  readonly onChange: (row: ConditionRow) => void;
}

/** Changes the comparison, and keeps what was given in the form that it takes. */
function changeOp(row: ConditionRow, op: ConditionRow['op']): ConditionRow {
  const texts = typeof row.value === 'string' ? [row.value].filter((text) => text !== '') : row.value;
  return { ...row, op, value: takesList(op) ? texts : (texts[0] ?? '') };
}

/** Changes the field. A value of another field means nothing here. */
function changeField(row: ConditionRow, field: RuleField): ConditionRow {
  const ops = listOps(field);
  const op = ops.includes(row.op) ? row.op : (ops[0] ?? row.op);
  return { field: field.path, op, value: takesList(op) ? [] : '' };
}

function Value({ row, fields, onChange }: RowProps) {
  const { op, value } = row;
  if (UNARY_OPS.has(op)) return null;
  const { options } = findField(fields, row.field);
  const change = (next: ConditionRow['value']): void => onChange({ ...row, value: next });
  const chosen = typeof value === 'string' ? (value === '' ? [] : [value]) : [...value];
  // A value that was deleted since, or is still being read, stays.
  const missing = chosen.filter((one) => !options?.some((option) => option.value === one));
  const data = [...(options ?? []), ...missing.map((one) => ({ value: one, label: one }))];
  if (takesList(op)) {
    const common = { 'aria-label': effectRuleWords.values, value: chosen, onChange: change } as const;
    return options === null ? (
      <TagsInput
        {...common}
        // A list that is pasted, or typed with commas, is as many values.
        onChange={(next) =>
          change([...new Set(next.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean))])
        }
        splitChars={[',', ' ']}
        acceptValueOnBlur
      />
    ) : (
      <MultiSelect {...common} data={data} searchable comboboxProps={{ withinPortal: true }} />
    );
  }
  return options === null ? (
    <TextInput
      aria-label={effectRuleWords.value}
      value={chosen[0] ?? ''}
      maxLength={1_000}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  ) : (
    <NativeSelect
      aria-label={effectRuleWords.value}
      data={[{ value: '', label: '' }, ...data]}
      value={chosen[0] ?? ''}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

interface RowsProps {
  readonly condition: Condition;
  readonly fields: readonly RuleField[];
  readonly onChange: (condition: Condition) => void;
}

export function ConditionRows({ condition, fields, onChange }: RowsProps) {
  const { match, rows } = condition;
  const change = (next: readonly ConditionRow[]): void => onChange({ ...condition, rows: next });
  return (
    <Stack gap="xs" role="group" aria-label={effectRuleWords.conditions}>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {effectRuleWords.everyHint}
        </Text>
      )}
      {rows.length > 1 && (
        <NativeSelect
          aria-label={effectRuleWords.match}
          data={listOptions(['all', 'any'] as const, effectRuleWords.matches)}
          value={match}
          onChange={({ currentTarget }) =>
            onChange({ ...condition, match: currentTarget.value === 'any' ? 'any' : 'all' })
          }
        />
      )}
      {rows.map((row, at) => {
        const known = fields.map(({ path: value, label }) => ({ value, label }));
        const ops = listOps(findField(fields, row.field));
        const isKnown = known.some(({ value }) => value === row.field);
        return (
          <Stack key={at} gap={4} role="group" aria-label={`${at + 1}`}>
            <Group gap="xs" wrap="nowrap">
              <NativeSelect
                aria-label={effectRuleWords.field}
                style={{ flex: 1 }}
                data={isKnown ? known : [...known, { value: row.field, label: row.field }]}
                value={row.field}
                onChange={({ currentTarget }) =>
                  change(rows.with(at, changeField(row, findField(fields, currentTarget.value))))
                }
              />
              <NativeSelect
                aria-label={effectRuleWords.comparison}
                style={{ flex: 1 }}
                data={listOptions([...new Set([...ops, row.op])], editorWords.cases.operators)}
                value={row.op}
                onChange={({ currentTarget }) =>
                  change(
                    rows.with(at, changeOp(row, RULE_OPS.find((op) => op === currentTarget.value) ?? row.op)),
                  )
                }
              />
              <DeleteButton
                label={effectRuleWords.remove(at + 1)}
                onClick={() => change(rows.toSpliced(at, 1))}
              />
            </Group>
            <Value row={row} fields={fields} onChange={(next) => change(rows.with(at, next))} />
          </Stack>
        );
      })}
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => change([...rows, NEW_ROW])}>
          {effectRuleWords.add}
        </Button>
      </Group>
    </Stack>
  );
}
