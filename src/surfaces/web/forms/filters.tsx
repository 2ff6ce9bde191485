/** The filters of a search: a metadata field, an operator and a value each. All of them must hold. */
import { NativeSelect } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { FILTER_OPS } from '../../../language/graph/template/metadata-filter.ts';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { readText } from '../canvas/binding.ts';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';
import { AddButton } from './add-button.tsx';
import type { Field, Widget } from '../../../language/nodes/form-field.ts';
import { JsonToggle } from './json-toggle.tsx';
import { KeyInput } from './key-input.tsx';
import { renameEntry, useObjectEntries } from './use-change.ts';
import { placeInside, type FieldProps } from './field-place.ts';

const { filters: said } = fieldWords;

/** Each operator of the language, and the negation that `exists` with false is. */
const OPERATORS = [...FILTER_OPS, 'not_exists'] as const;
const LISTS: readonly string[] = ['in', 'not_in'];

/** A value without an operator is compared for equality. */
const readOperator = (filter: Json): string => {
  if (!isObject(filter)) return 'eq';
  const op = readText(filter, 'op');
  return op === 'exists' && ownValue(filter, 'value') === false ? 'not_exists' : op;
};

const readValue = (filter: Json): Json | undefined => (isObject(filter) ? ownValue(filter, 'value') : filter);

/** Whether the controls show all of a filter. */
const canBuild = (filter: Json): boolean =>
  OPERATORS.some((op) => op === readOperator(filter)) &&
  (!isObject(filter) || Object.keys(filter).every((key) => key === 'op' || key === 'value'));

function changeOperator(filter: Json, op: string): JsonObject {
  if (op === 'exists' || op === 'not_exists') return { op: 'exists', value: op === 'exists' };
  const value = readValue(filter) ?? '';
  const isFromExists = readOperator(filter).endsWith('exists');
  const isList = Array.isArray(value);
  if (LISTS.includes(op)) return { op, value: isList ? value : isFromExists || value === '' ? [] : [value] };
  return { op, value: isFromExists ? '' : isList ? (value[0] ?? '') : value };
}

/** A list of texts is typed one in a line; a template, a number and a text are one line. */
function chooseWidget(filter: Json): Widget {
  const value = readValue(filter);
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (isTexts || (value === undefined && LISTS.includes(readOperator(filter)))) return 'lines';
  return typeof value === 'object' && value !== null ? 'json' : 'operand';
}

interface FiltersProps extends FieldProps {
  /** The value of a filter: the form that shows this builder shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

export function Filters(props: FiltersProps) {
  const { config, field, isReadOnly } = props;
  const { entries, change } = useObjectEntries(props);
  const [isAdding, setAdding] = useState(false);
  const stored = getAt(config, parsePointer(field.ptr)) ?? {};
  const taken = new Set(entries.map(([name]) => name));
  return (
    <JsonToggle
      {...props}
      canBuild={isObject(stored) && entries.every(([, filter]) => canBuild(filter))}
      action={<AddButton label={said.add} isReadOnly={isReadOnly} onClick={() => setAdding(true)} />}
    >
      {entries.length === 0 && !isAdding && <p className="wc-empty">{said.none}</p>}
      {entries.map(([name, filter]) => (
        <FilterCard
          key={name}
          {...props}
          name={name}
          filter={filter}
          taken={new Set([...taken].filter((one) => one !== name))}
          onRename={(to) => change((now) => renameEntry(now, name, to), fieldWords.undoRename(name, to))}
          onOperator={(op) =>
            change(
              (now) => now.map(([key, one]) => [key, key === name ? changeOperator(one, op) : one]),
              said.undoEdit,
            )
          }
          onDelete={() => change((now) => now.filter(([key]) => key !== name), said.undoDelete)}
        />
      ))}
      {isAdding && (
        <KeyInput
          label={said.key}
          name=""
          taken={taken}
          isReadOnly={isReadOnly}
          autoFocus
          onName={(name) => {
            setAdding(false);
            change((now) => [...now, [name, { op: 'eq', value: '' }]], fieldWords.undoAdd(name));
          }}
        />
      )}
    </JsonToggle>
  );
}

interface FilterCardProps extends FiltersProps {
  readonly name: string;
  readonly filter: Json;
  readonly taken: ReadonlySet<string>;
  readonly onRename: (name: string) => void;
  readonly onOperator: (op: string) => void;
  readonly onDelete: () => void;
}

function FilterCard({ name, filter, taken, showField, ...props }: FilterCardProps) {
  const { config, field, isReadOnly, onRename, onOperator, onDelete } = props;
  const label = fieldWords.value(field.label, name);
  const operator = readOperator(filter);
  const widget = chooseWidget(filter);
  const inner: Field = {
    ptr: isObject(filter) ? '/value' : '',
    label: said.value,
    widget,
    ...(widget === 'lines' ? { hint: fieldWords.oneInLine } : {}),
  };
  const place = {
    path: [...parsePointer(field.ptr), name],
    config: isObject(filter) ? filter : config,
    field: inner,
  };
  return (
    <div className="wc-card" role="group" aria-label={label}>
      <div className="wc-card-head">
        <KeyInput label={said.key} name={name} taken={taken} isReadOnly={isReadOnly} onName={onRename} />
        <DeleteButton label={fieldWords.deleteKey(name)} disabled={isReadOnly} onClick={onDelete} />
      </div>
      <NativeSelect
        size="xs"
        aria-label={editorWords.cases.comparison}
        disabled={isReadOnly}
        data={OPERATORS.map((value) => ({ value, label: editorWords.cases.operators[value] }))}
        value={operator}
        onChange={({ currentTarget }) => onOperator(currentTarget.value)}
      />
      {!operator.endsWith('exists') && <div key={widget}>{showField(placeInside(props, place))}</div>}
    </div>
  );
}
