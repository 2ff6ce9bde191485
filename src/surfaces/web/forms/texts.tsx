/** Fields that are lists of texts: typed one in a line, or ticked where only some are known. */
import { Checkbox, Textarea } from '@mantine/core';
import { parsePointer, getAt } from '../../../language/graph/values/pointer.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { DraftNotes } from './draft-notes.tsx';
import { toText } from './formats.ts';
import { useDraft } from './draft.ts';
import { nameOption } from './option-names.ts';
import { joinMessages } from './problem-words.ts';
import { formatFieldPointer, type FieldProps } from './field-place.ts';

const readTexts = (value: Json | undefined): string[] => (Array.isArray(value) ? value : []).map(String);

/** One text in a line; a field without lines is not in the config. */
export function Lines(props: FieldProps) {
  const { entity, field, problems, isReadOnly } = props;
  const draft = useDraft({ entity, ptr: formatFieldPointer(props), label: field.label, format: 'lines' });
  return (
    <>
      <Textarea
        label={field.label}
        description={field.description ?? field.hint}
        withAsterisk={field.isRequired === true}
        autosize
        minRows={2}
        maxRows={10}
        disabled={isReadOnly && draft.draft === undefined}
        error={draft.draft?.problem ?? (joinMessages(problems) || undefined)}
        value={toText(draft.typed)}
        onChange={({ currentTarget }) => draft.change(currentTarget.value)}
        onBlur={draft.leave}
      />
      <DraftNotes {...draft} />
    </>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface TicksProps {
  readonly choices: readonly Choice[];
  readonly chosen: readonly string[];
  readonly isReadOnly: boolean;
  readonly onTick: (value: string, isTicked: boolean) => void;
}

export function Ticks({ choices, chosen, isReadOnly, onTick }: TicksProps) {
  return (
    <div className="wc-stack">
      {choices.map(({ value, label }) => (
        <Checkbox
          key={value}
          size="xs"
          label={label}
          disabled={isReadOnly}
          checked={chosen.includes(value)}
          onChange={({ currentTarget }) => onTick(value, currentTarget.checked)}
        />
      ))}
    </div>
  );
}

/** A checkbox for each option. Those of the config are ticked; those of the fallback while the config has none. */
export function Choices(props: FieldProps) {
  const { entity, config, field, isReadOnly } = props;
  const options = field.options ?? [];
  const draft = useDraft({ entity, ptr: formatFieldPointer(props), label: field.label, format: 'value' });
  const isSet = draft.draft !== undefined || getAt(config, parsePointer(field.ptr)) !== undefined;
  const chosen = readTexts(isSet ? draft.typed : field.fallback);
  return (
    <div onBlur={draft.leave}>
      <Ticks
        choices={options.map((option) => ({ value: option, label: nameOption(option) }))}
        chosen={chosen}
        isReadOnly={isReadOnly}
        onTick={(option, isTicked) =>
          draft.change(options.filter((one) => (one === option ? isTicked : chosen.includes(one))))
        }
      />
      <DraftNotes {...draft} />
    </div>
  );
}
