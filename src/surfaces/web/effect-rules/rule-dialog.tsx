/** Creates or changes a rule. */
import { Button, Group, JsonInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Json } from '../../../language/graph/values/value.ts';
import type { Body } from '../../client/operations.ts';
import type { EffectRule } from '../../client/openapi.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { effectRuleWords } from '../words-effect-rules.ts';
import { AskFields } from './ask-fields.tsx';
import { readAsk, writeAsk, type Ask } from './ask.ts';
import { ConditionRows } from './condition-rows.tsx';
import { isWhole, readCondition, writeCondition, type Condition } from './condition.ts';
import { DECISIONS } from './decisions.ts';
import type { RuleField } from './rule-fields.ts';
import { RulePreview } from './rule-preview.tsx';

export type RuleDraft = Body<'createEffectRule'>;

const parseText = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};
const toText = (value: unknown): string => JSON.stringify(value, null, 2);

interface RuleDialogProps {
  /** Null: a new one. */
  readonly rule: EffectRule | null;
  readonly fields: readonly RuleField[];
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSave: (draft: RuleDraft) => void;
}

export function RuleDialog({ rule, fields, isPending, error, onClose, onSave }: RuleDialogProps) {
  const [name, setName] = useState(rule?.name ?? '');
  const [decision, setDecision] = useState<string>(rule?.decision ?? 'refuse');
  const [ask, setAsk] = useState<Ask>(() => readAsk(rule?.confirm ?? null));
  const [condition, setCondition] = useState<Condition | null>(() =>
    readCondition((rule?.when ?? []) as Json),
  );
  // The text while it is edited as JSON.
  const [text, setText] = useState(() => toText(rule?.when ?? []));
  const when = condition === null ? parseText(text) : writeCondition(condition);
  const asRows = condition === null && when !== undefined ? readCondition(when) : null;
  const chosen = DECISIONS.find(({ value }) => value === decision);
  const isWritten = chosen !== undefined && when !== undefined && (condition === null || isWhole(condition));
  const body = isWritten
    ? {
        decision: chosen.value,
        ...(chosen.value === 'ask' ? { confirm: writeAsk(ask, rule?.confirm ?? null) } : {}),
        when: when as RuleDraft['when'],
      }
    : null;
  return (
    <FormDialog
      title={rule === null ? effectRuleWords.new : effectRuleWords.editTitle}
      action={rule === null ? effectRuleWords.create : effectRuleWords.save}
      isReady={name.trim() !== '' && body !== null}
      isPending={isPending}
      error={withoutFields(error, ['name', 'when'])}
      onClose={onClose}
      onSubmit={() => {
        if (body !== null) onSave({ name: name.trim(), ...body });
      }}
    >
      <TextInput
        label={effectRuleWords.name}
        description={effectRuleWords.nameHint}
        data-autofocus
        value={name}
        maxLength={255}
        error={findFieldProblem(error, 'name')}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <SegmentedControl
        aria-label={effectRuleWords.decision}
        data={DECISIONS.map(({ value, label }) => ({ value, label }))}
        value={decision}
        onChange={setDecision}
      />
      {chosen !== undefined && (
        <Text size="sm" c="dimmed">
          {effectRuleWords.decisionHints[chosen.value]}
        </Text>
      )}
      {decision === 'ask' && <AskFields ask={ask} onChange={setAsk} />}
      <Stack gap="xs">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {effectRuleWords.condition}
          </Text>
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={condition === null && asRows === null}
            onClick={() => {
              setText(toText(when));
              setCondition(condition === null ? asRows : null);
            }}
          >
            {condition === null ? effectRuleWords.asRows : effectRuleWords.asJson}
          </Button>
        </Group>
        {condition === null ? (
          <JsonInput
            aria-label={effectRuleWords.json}
            autosize
            minRows={6}
            maxRows={20}
            value={text}
            error={when === undefined ? effectRuleWords.notJson : undefined}
            onChange={setText}
          />
        ) : (
          <ConditionRows condition={condition} fields={fields} onChange={setCondition} />
        )}
        {findFieldProblem(error, 'when') !== undefined && (
          <Text size="sm" c="red" role="alert">
            {findFieldProblem(error, 'when')}
          </Text>
        )}
      </Stack>
      <RulePreview
        draft={body === null ? null : { ...(rule === null ? {} : { effect_rule_id: rule.id }), ...body }}
        fields={fields}
      />
    </FormDialog>
  );
}
