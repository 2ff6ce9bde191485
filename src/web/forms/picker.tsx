/** Chooses a record of the organization: a credential, a workflow, knowledge bases. */
import { Checkbox, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { parsePointer, valueAt } from '../../graph/pointer.ts';
import { isObject } from '../../graph/value.ts';
import { textOf } from '../canvas/binding.ts';
import { useEditing, type Editing } from '../canvas/context.ts';
import { writeConfig, type FieldProps } from './write-config.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const PATHS: Readonly<Record<string, string>> = {
  credential: '/credentials',
  bases: '/knowledge-bases',
  workflow: '/workflows',
};

/** The rows of a list answer: an array, or the array inside an object. */
async function choicesAt(request: Editing['request'], path: string): Promise<Choice[]> {
  const response = await request(path);
  if (!response.ok) return [];
  const body: unknown = await response.json();
  const list = Array.isArray(body) ? body : Object.values(isObject(body) ? body : {}).find(Array.isArray);
  return (Array.isArray(list) ? list : [])
    .filter((row) => isObject(row))
    .map((row) => ({
      value: textOf(row, 'id'),
      label: textOf(row, 'name') || textOf(row, 'id'),
    }));
}

function useChoices(widget: string): readonly Choice[] {
  const { request } = useEditing();
  const [choices, setChoices] = useState<readonly Choice[]>([]);
  useEffect(() => {
    let isGone = false;
    choicesAt(request, PATHS[widget] ?? '').then(
      (found) => {
        if (!isGone) setChoices(found);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [request, widget]);
  return choices;
}

export function Picker({ nodeId, config, field, problems, isReadOnly }: FieldProps) {
  const { room } = useEditing();
  const choices = useChoices(field.widget);
  const value = valueAt(config, parsePointer(field.ptr));
  if (field.widget === 'bases') {
    const chosen = (Array.isArray(value) ? value : []).map(String);
    const gone = chosen.filter((id) => choices.every((choice) => choice.value !== id));
    const all = [...choices, ...gone.map((id) => ({ value: id, label: id }))];
    return (
      <div className="wc-stack">
        {all.length === 0 && <p className="wc-empty">This organization has no knowledge base yet.</p>}
        {all.map((choice) => (
          <Checkbox
            key={choice.value}
            size="xs"
            label={choice.label}
            disabled={isReadOnly}
            checked={chosen.includes(choice.value)}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((id) => id !== choice.value);
              const next = currentTarget.checked ? [...others, choice.value] : others;
              room.edit(writeConfig({ nodeId, config, ptr: field.ptr }, next), {
                label: 'choose knowledge bases',
              });
            }}
          />
        ))}
      </div>
    );
  }
  const current = typeof value === 'string' ? value : '';
  const isUnknown = current !== '' && choices.every((choice) => choice.value !== current);
  return (
    <NativeSelect
      label={field.label}
      disabled={isReadOnly}
      error={problems.map(({ message }) => message).join(' ') || undefined}
      value={current}
      data={[
        { value: '', label: field.hint ?? 'Choose…' },
        ...choices,
        ...(isUnknown ? [{ value: current, label: current }] : []),
      ]}
      onChange={({ currentTarget }) => {
        const next = currentTarget.value === '' ? undefined : currentTarget.value;
        room.edit(writeConfig({ nodeId, config, ptr: field.ptr }, next), {
          label: `choose ${field.label.toLowerCase()}`,
        });
      }}
    />
  );
}
