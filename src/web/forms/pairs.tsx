/** The builder of an object: a row for each key and its value, which is a template. */
import { ActionIcon, Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatPointer, getAt, parsePointer } from '../../graph/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import { useEditing } from '../canvas/context.ts';
import { fieldWords } from '../words-fields.ts';
import { listDeclaredFields } from './entity.ts';
import { JsonToggle } from './json-toggle.tsx';
import { KeyInput } from './key-input.tsx';
import { describeProblem } from './problem-words.ts';
import { TextBox } from './text-box.tsx';
import { findProblems, formatFieldPointer, writeField, type FieldProps } from './write-config.ts';

const renameKey = (value: JsonObject, from: string, to: string): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key === from ? to : key, item]));

export function Pairs(props: FieldProps) {
  const { config, field, problems, isReadOnly } = props;
  const { connection } = useEditing();
  const [isAdding, setAdding] = useState(false);
  const stored = getAt(config, parsePointer(field.ptr)) ?? {};
  const value = isObject(stored) ? stored : {};
  const words = fieldWords.pairs[field.pairs ?? 'fields'];
  const suggestions = field.pairs === 'state' ? listDeclaredFields(connection.view) : [];
  const write = (next: JsonObject): void => {
    const whole = Object.keys(next).length === 0 ? undefined : next;
    connection.edit(writeField(connection.view, props, whole), {
      label: `edit ${field.label.toLowerCase()}`,
    });
  };
  const pointTo = (key: string): string => formatPointer([...parsePointer(formatFieldPointer(props)), key]);
  const entries = Object.entries(value);
  const keys = new Set(Object.keys(value));
  const without = (key: string): ReadonlySet<string> => new Set([...keys].filter((one) => one !== key));
  const describe = (key: string): string =>
    findProblems(problems, pointTo(key)).map(describeProblem).join(' ');
  return (
    <JsonToggle
      {...props}
      canBuild={isObject(stored)}
      action={
        <Button
          size="compact-xs"
          variant="light"
          leftSection={<Plus size={14} aria-hidden />}
          disabled={isReadOnly}
          onClick={() => setAdding(true)}
        >
          {words.add}
        </Button>
      }
    >
      {entries.map(([key, item]) => (
        <div className="wc-pair" key={key} role="group" aria-label={fieldWords.value(field.label, key)}>
          <KeyInput
            label={words.key}
            name={key}
            suggestions={suggestions}
            taken={without(key)}
            isReadOnly={isReadOnly}
            onName={(to) => write(renameKey(value, key, to))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={fieldWords.deleteKey(key)}
            disabled={isReadOnly}
            onClick={() => write(Object.fromEntries(entries.filter(([one]) => one !== key)))}
          >
            <Trash2 size={14} aria-hidden />
          </ActionIcon>
          <div className="wc-pair-value">
            <PairValue
              {...props}
              ptr={pointTo(key)}
              label={fieldWords.value(field.label, key)}
              value={item}
              problem={describe(key)}
            />
          </div>
        </div>
      ))}
      {isAdding && (
        <KeyInput
          label={words.key}
          name=""
          suggestions={suggestions}
          taken={keys}
          isReadOnly={isReadOnly}
          autoFocus
          onName={(name) => {
            setAdding(false);
            write({ ...value, [name]: '' });
          }}
        />
      )}
    </JsonToggle>
  );
}

interface PairValueProps extends FieldProps {
  readonly ptr: string;
  readonly label: string;
  readonly value: Json;
  readonly problem: string;
}

/** A text is edited as a template; any other value as JSON. */
function PairValue({ entity, isReadOnly, ptr, label, value, problem }: PairValueProps) {
  const isText = typeof value === 'string';
  return (
    <TextBox
      field={{ entity, ptr, label, format: isText ? 'text' : 'json' }}
      language={isText ? 'template' : 'json'}
      isReadOnly={isReadOnly && !isText}
      problem={problem}
    />
  );
}
