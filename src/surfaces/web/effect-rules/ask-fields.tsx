/** Whom a rule asks, how many of them, and for how long. */
import { MultiSelect, NumberInput, Textarea } from '@mantine/core';
import { effectRuleWords } from '../words-effect-rules.ts';
import type { Ask } from './ask.ts';

const MAX_RESPONSES = 100;
/** A year. */
const MAX_HOURS = 366 * 24;

const ROLES = Object.entries(effectRuleWords.roles).map(([value, label]) => ({ value, label }));

interface AskFieldsProps {
  readonly ask: Ask;
  readonly onChange: (ask: Ask) => void;
}

export function AskFields({ ask, onChange }: AskFieldsProps) {
  const { roles, required, hours, message } = ask;
  return (
    <>
      <MultiSelect
        label={effectRuleWords.askWhom}
        {...(roles.length === 0 ? { placeholder: effectRuleWords.askAnybody } : {})}
        data={ROLES}
        value={[...roles]}
        comboboxProps={{ withinPortal: true }}
        onChange={(next) => onChange({ ...ask, roles: next })}
      />
      <NumberInput
        label={effectRuleWords.required}
        min={1}
        max={MAX_RESPONSES}
        allowDecimal={false}
        value={required}
        onChange={(next) => onChange({ ...ask, required: typeof next === 'number' ? next : 1 })}
      />
      <NumberInput
        label={effectRuleWords.timeout}
        description={effectRuleWords.timeoutHint}
        min={0}
        max={MAX_HOURS}
        value={hours ?? ''}
        onChange={(next) => onChange({ ...ask, hours: typeof next === 'number' ? next : null })}
      />
      <Textarea
        label={effectRuleWords.message}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={10_000}
        value={message}
        onChange={({ currentTarget }) => onChange({ ...ask, message: currentTarget.value })}
      />
    </>
  );
}
