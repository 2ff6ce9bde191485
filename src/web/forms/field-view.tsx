/** One field of a node's form: its label, its control, its problems. */
import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useId } from 'react';
import { parseExactJson } from '../../graph/exact-json.ts';
import { parsePointer, getAt } from '../../graph/pointer.ts';
import type { Json } from '../../graph/value.ts';
import { Cases } from './cases.tsx';
import { useDraft } from './draft.ts';
import { Entries } from './entries.tsx';
import type { Widget } from './fields.ts';
import { Messages } from './messages.tsx';
import { McpToolPicker, Picker, PICKED } from './picker.tsx';
import { TextBox } from './text-box.tsx';
import { Choices, Lines } from './texts.tsx';
import { pointerOf, problemText, writeConfig, type FieldProps } from './write-config.ts';

/** Controls that have no label of their own. */
const WIDE: readonly Widget[] = [
  'template',
  'code',
  'json',
  'messages',
  'cases',
  'bases',
  'tools',
  'checks',
  'choices',
];

export function FieldView(props: FieldProps) {
  const { field, problems } = props;
  const id = useId();
  const isWide = WIDE.includes(field.widget);
  return (
    <div
      className="wc-field"
      data-field={field.ptr}
      role={isWide ? 'group' : undefined}
      aria-labelledby={isWide ? id : undefined}
    >
      {isWide && (
        <div className="wc-label" id={id}>
          {field.label}
        </div>
      )}
      <Control {...props} />
      {problems.length > 0 && isWide && <p className="wc-trouble">{problemText(problems)}</p>}
    </div>
  );
}

function Control(props: FieldProps) {
  const { field } = props;
  if (field.widget === 'messages') return <Messages {...props} />;
  if (field.widget === 'cases') return <Cases {...props} />;
  if (field.widget === 'tools' || field.widget === 'checks')
    return <Entries {...props} kind={field.widget} showField={(inner) => <FieldView {...inner} />} />;
  if (field.widget === 'lines') return <Lines {...props} />;
  if (field.widget === 'choices') return <Choices {...props} />;
  if (field.widget === 'mcp_tool')
    return <McpToolPicker {...props} otherwise={<PlainControl {...props} />} />;
  if (PICKED.includes(field.widget)) return <Picker {...props} />;
  if (['template', 'code', 'json'].includes(field.widget)) return <TextControl {...props} />;
  return <PlainControl {...props} />;
}

function PlainControl(props: FieldProps) {
  const { nodeId, config, field, problems, isReadOnly } = props;
  const value = getAt(config, parsePointer(field.ptr)) ?? field.fallback ?? null;
  const draft = useDraft<Json>({
    nodeId,
    ptr: pointerOf(props),
    shown: value,
    write: (next) => writeConfig(props, next === null || next === '' ? undefined : next),
  });
  const common = {
    label: field.label,
    disabled: isReadOnly,
    error: problemText(problems) || undefined,
    onBlur: () => draft.commit(),
  };
  if (field.widget === 'switch') {
    return (
      <Switch
        {...common}
        checked={draft.value === true}
        onChange={({ currentTarget }) => draft.change(currentTarget.checked)}
      />
    );
  }
  if (field.widget === 'select') {
    return (
      <NativeSelect
        {...common}
        data={[...(field.options ?? [])]}
        value={typeof draft.value === 'string' ? draft.value : ''}
        onChange={({ currentTarget }) => draft.change(currentTarget.value)}
      />
    );
  }
  if (field.widget === 'number') {
    return (
      <NumberInput
        {...common}
        placeholder={field.hint}
        value={typeof draft.value === 'number' ? draft.value : ''}
        onChange={(next) => draft.change(typeof next === 'number' ? next : null)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      placeholder={field.hint}
      value={typeof draft.value === 'string' ? draft.value : ''}
      onChange={({ currentTarget }) => draft.change(currentTarget.value)}
    />
  );
}

function readJson(text: string): { readonly value: Json | undefined } | null {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: parseExactJson(text) };
  } catch {
    return null;
  }
}

function TextControl(props: FieldProps) {
  const { nodeId, config, field, isReadOnly } = props;
  const value = getAt(config, parsePointer(field.ptr));
  const isJson = field.widget === 'json';
  const text =
    typeof value === 'string' && !isJson ? value : value === undefined ? '' : JSON.stringify(value, null, 2);
  return (
    <TextBox
      nodeId={nodeId}
      ptr={pointerOf(props)}
      label={field.label}
      language={field.widget === 'code' ? 'javascript' : isJson ? 'json' : 'template'}
      value={text}
      isReadOnly={isReadOnly}
      write={(next) => {
        if (!isJson) return writeConfig(props, next);
        const read = readJson(next);
        return read === null ? null : writeConfig(props, read.value);
      }}
    />
  );
}
