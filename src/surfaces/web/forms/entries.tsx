/** A field that is a list of objects, each with fields of its own: an agent's tools, guardrail checks, input parameters. */
import type { ReactNode } from 'react';
import { parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { readText } from '../canvas/binding.ts';
import { findFreeId } from '../canvas/node-ids.ts';
import { editorWords } from '../words-editor.ts';
import { words } from '../words.ts';
import { AddButton } from './add-button.tsx';
import { CHECK } from '../../../language/nodes/guardrails/face.ts';
import { AGGREGATE, PARAMETER, SORT_KEY } from './envelope-fields.ts';
import type { Field } from '../../../language/nodes/form-field.ts';
import { filterFields, isShown } from './fields.ts';
import { AGENT_TOOL } from '../../../language/nodes/agent/tool-fields.ts';
import { nameOption } from './option-names.ts';
import { ANSWER, CHAT } from '../../../language/nodes/interrupt/face.ts';
import { useList } from './use-change.ts';
import { placeInside, type FieldProps } from './field-place.ts';

export type EntryKind = 'tools' | 'checks' | 'parameters' | 'actions' | 'sort' | 'aggregates' | 'chats';

interface Kind {
  readonly listFields: (entry: JsonObject) => readonly Field[];
  /** The key by which an entry is called. */
  readonly nameKey: string;
  readonly words: (typeof editorWords.entries)[EntryKind];
  /** @param names of the entries that are there */
  readonly make: (names: ReadonlySet<string>) => JsonObject;
}

const KINDS: Readonly<Record<EntryKind, Kind>> = {
  actions: {
    listFields: () => ANSWER,
    nameKey: 'id',
    words: editorWords.entries.actions,
    make: (names) => ({ id: findFreeId('answer', names) }),
  },
  tools: {
    listFields: (entry) => filterFields('agent_tool', AGENT_TOOL, entry),
    nameKey: 'name',
    words: editorWords.entries.tools,
    make: (names) => ({ kind: 'integration', name: findFreeId('tool', names) }),
  },
  checks: {
    listFields: (entry) => filterFields('check', CHECK, entry),
    nameKey: 'type',
    words: editorWords.entries.checks,
    make: () => ({ type: 'pii' }),
  },
  parameters: {
    listFields: (entry) => PARAMETER.filter((field) => isShown(field, entry)),
    nameKey: 'name',
    words: editorWords.entries.parameters,
    make: (names) => ({ name: findFreeId('parameter', names), type: 'string', required: true }),
  },
  sort: {
    listFields: () => SORT_KEY,
    nameKey: 'by',
    words: editorWords.entries.sort,
    make: () => ({ by: '', order: 'asc' }),
  },
  aggregates: {
    listFields: () => AGGREGATE,
    nameKey: 'name',
    words: editorWords.entries.aggregates,
    make: (names) => ({ name: findFreeId('total', names), op: 'sum', of: '{{item.amount}}' }),
  },
  chats: {
    listFields: () => CHAT,
    nameKey: 'kind',
    words: editorWords.entries.chats,
    make: () => ({ kind: 'slack', url: '' }),
  },
};

interface EntriesProps extends FieldProps {
  readonly kind: EntryKind;
  /** One field of an entry: the form that shows this list shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

export function Entries({ kind, showField, ...props }: EntriesProps) {
  const { field, isReadOnly } = props;
  const { list: entries, keys, change } = useList(props);
  const { listFields, nameKey, words: texts, make } = KINDS[kind];
  const readName = (entry: Json): string => (isObject(entry) ? readText(entry, nameKey) : '');
  const hasChosenName = nameKey === 'type' || nameKey === 'kind';
  const readTitle = (entry: Json): string => (hasChosenName ? nameOption(readName(entry)) : readName(entry));
  const placeField = (config: JsonObject, index: number, inner: Field): FieldProps =>
    placeInside(props, { path: [...parsePointer(field.ptr), String(index)], config, field: inner });
  return (
    <div className="wc-stack">
      {entries.map((entry, index) => (
        <div key={keys[index]} className="wc-card" role="group" aria-label={texts.one(index + 1)}>
          <div className="wc-card-head">
            <b>{readTitle(entry) || texts.one(index + 1)}</b>
            <DeleteButton
              disabled={isReadOnly}
              label={`${words.remove}: ${texts.one(index + 1)}`}
              onClick={() => change((now) => now.toSpliced(index, 1), texts.undoDelete)}
            />
          </div>
          {isObject(entry) &&
            listFields(entry).map((inner) => (
              <div key={`${inner.ptr} ${inner.widget}`}>{showField(placeField(entry, index, inner))}</div>
            ))}
        </div>
      ))}
      <div>
        <AddButton
          label={texts.add}
          isReadOnly={isReadOnly}
          onClick={() => change((now) => [...now, make(new Set(now.map(readName)))], texts.undoAdd)}
        />
      </div>
    </div>
  );
}
