/** A builder that can be edited as JSON instead, and where a text is a value, too, as text: the switches stand below it. */
import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { fieldWords } from '../words-fields.ts';
import { useTypedFormat } from './draft.ts';
import { TextBox } from './text-box.tsx';
import { formatFieldPointer, type FieldProps } from './field-place.ts';

type Form = keyof typeof fieldWords.editAs;

interface JsonToggleProps extends FieldProps {
  /** False when the builder cannot show the value: then JSON or text is the only form. */
  readonly canBuild: boolean;
  /** Whether the value may be a text. */
  readonly hasText?: boolean;
  /** Stands beside the switch, below the builder. */
  readonly action: ReactNode;
  readonly children: ReactNode;
}

export function JsonToggle({ canBuild, hasText = false, action, children, ...props }: JsonToggleProps) {
  const { entity, config, field, isReadOnly } = props;
  const ptr = formatFieldPointer(props);
  const format = useTypedFormat({ entity, ptr });
  // Typed JSON or text stays in its form until it is saved: the builder would hide it.
  const typedAs: Form | null = format === 'json' ? 'json' : format === 'optional' ? 'text' : null;
  const [picked, choose] = useState<Form | null>(null);
  const chosen = typedAs ?? picked;
  const isText = hasText && typeof getAt(config, parsePointer(field.ptr)) === 'string';
  const fitting = canBuild ? 'form' : isText ? 'text' : 'json';
  const shown = chosen === null || (chosen === 'form' && !canBuild) ? fitting : chosen;
  const offered: readonly Form[] = [
    ...(canBuild ? (['form'] as const) : []),
    'json',
    ...(hasText ? (['text'] as const) : []),
  ];
  return (
    <div className="wc-stack">
      {shown === 'form' ? (
        children
      ) : (
        <TextBox
          key={shown}
          field={{
            entity,
            ptr,
            label: field.label,
            format: shown === 'json' ? 'json' : 'optional',
          }}
          language={shown === 'json' ? 'json' : 'template'}
          isReadOnly={isReadOnly && shown === 'json'}
        />
      )}
      <Group gap="xs" justify="space-between">
        {shown === 'form' ? action : <span />}
        <Group gap={0}>
          {offered
            .filter((form) => form !== shown)
            .map((form) => (
              <Button key={form} size="compact-xs" variant="subtle" color="gray" onClick={() => choose(form)}>
                {fieldWords.editAs[form]}
              </Button>
            ))}
        </Group>
      </Group>
    </div>
  );
}
