/** A builder that can be edited as JSON instead: the switch between the two stands below it. */
import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { fieldWords } from '../words-fields.ts';
import { TextBox } from './text-box.tsx';
import { formatFieldPointer, type FieldProps } from './write-config.ts';

interface JsonToggleProps extends FieldProps {
  /** False when the builder cannot show the value: then JSON is the only form. */
  readonly canBuild: boolean;
  /** Stands beside the switch, below the builder. */
  readonly action: ReactNode;
  readonly children: ReactNode;
}

export function JsonToggle({ canBuild, action, children, ...props }: JsonToggleProps) {
  const { entity, field, isReadOnly } = props;
  const [isJson, setJson] = useState(false);
  const isShownAsJson = isJson || !canBuild;
  return (
    <div className="wc-stack">
      {isShownAsJson ? (
        <TextBox
          field={{ entity, ptr: formatFieldPointer(props), label: field.label, format: 'json' }}
          language="json"
          isReadOnly={isReadOnly}
        />
      ) : (
        children
      )}
      <Group gap="xs" justify="space-between">
        {isShownAsJson ? <span /> : action}
        {canBuild && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setJson(!isJson)}>
            {isJson ? fieldWords.asForm : fieldWords.asJson}
          </Button>
        )}
      </Group>
    </div>
  );
}
