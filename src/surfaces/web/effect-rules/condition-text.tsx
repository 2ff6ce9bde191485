/** A condition in words: "Host is none of hooks.slack.com, api.example.com". */
import { Code, Text } from '@mantine/core';
import { Fragment } from 'react';
import { UNARY_OPS } from '../../../language/graph/definition/definition.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { editorWords } from '../words-editor.ts';
import { effectRuleWords } from '../words-effect-rules.ts';
import { readCondition, type ConditionRow } from './condition.ts';
import { findField, type RuleField } from './rule-fields.ts';

interface RowTextProps {
  readonly row: ConditionRow;
  readonly fields: readonly RuleField[];
}

function RowText({ row: { field: path, op, value }, fields }: RowTextProps) {
  const { label, options } = findField(fields, path);
  const values = typeof value === 'string' ? [value] : value;
  const shown = values.map((one) => options?.find((option) => option.value === one)?.label ?? one);
  return (
    <>
      {label} {editorWords.cases.operators[op]}
      {!UNARY_OPS.has(op) && (
        <Text span inherit fw={600}>
          {' '}
          {shown.join(', ')}
        </Text>
      )}
    </>
  );
}

export function ConditionText({
  when,
  fields,
}: {
  readonly when: Json;
  readonly fields: readonly RuleField[];
}) {
  const condition = readCondition(when);
  if (condition === null) return <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(when)}</Code>;
  const { match, rows } = condition;
  if (rows.length === 0) return <>{effectRuleWords.every}</>;
  return (
    <>
      {rows.map((row, at) => (
        <Fragment key={at}>
          {at > 0 && ` ${match === 'all' ? effectRuleWords.and : effectRuleWords.or} `}
          <RowText row={row} fields={fields} />
        </Fragment>
      ))}
    </>
  );
}
