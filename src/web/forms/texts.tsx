/** Fields that are lists of texts: typed one in a line, or ticked where only some are known. */
import { Checkbox, Textarea } from '@mantine/core';
import { parsePointer, getAt } from '../../graph/pointer.ts';
import type { Json } from '../../graph/value.ts';
import { useDraft } from './draft.ts';
import { pointerOf, problemText, writeConfig, type FieldProps } from './write-config.ts';

export const textsIn = (value: Json | undefined): string[] => (Array.isArray(value) ? value : []).map(String);

/** One text in a line; a field without lines is not in the config. */
export function Lines(props: FieldProps) {
  const { nodeId, config, field, problems, isReadOnly } = props;
  const draft = useDraft<string>({
    nodeId,
    ptr: pointerOf(props),
    shown: textsIn(getAt(config, parsePointer(field.ptr))).join('\n'),
    write: (text) => {
      const lines = text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      return writeConfig(props, lines.length === 0 ? undefined : lines);
    },
  });
  return (
    <Textarea
      label={field.label}
      description={field.hint}
      autosize
      minRows={2}
      maxRows={10}
      disabled={isReadOnly}
      error={problemText(problems) || undefined}
      value={draft.value}
      onChange={({ currentTarget }) => draft.change(currentTarget.value)}
      onBlur={() => draft.commit()}
    />
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

/** Ticked is what the config has; while it has nothing, all that its fallback names. */
export function Choices(props: FieldProps) {
  const { nodeId, config, field, isReadOnly } = props;
  const options = field.options ?? [];
  const draft = useDraft<Json>({
    nodeId,
    ptr: pointerOf(props),
    shown: getAt(config, parsePointer(field.ptr)) ?? field.fallback ?? [],
    write: (next) => writeConfig(props, next),
  });
  const chosen = textsIn(draft.value);
  return (
    <div onBlur={() => draft.commit()}>
      <Ticks
        choices={options.map((option) => ({ value: option, label: option }))}
        chosen={chosen}
        isReadOnly={isReadOnly}
        onTick={(option, isTicked) =>
          draft.change(options.filter((one) => (one === option ? isTicked : chosen.includes(one))))
        }
      />
    </div>
  );
}
