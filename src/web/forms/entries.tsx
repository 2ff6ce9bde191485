/** A field that is a list of objects, each with fields of its own: an agent's tools, guardrail checks, input parameters. */
import { ActionIcon, Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { parsePointer } from '../../graph/pointer.ts';
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { freeId } from '../canvas/clipboard.ts';
import { editorWords } from '../words-editor.ts';
import { words } from '../words.ts';
import { CHECK } from './check-fields.ts';
import { ANSWER, PARAMETER } from './envelope-fields.ts';
import { AGENT_TOOL, filterFields, type Field } from './fields.ts';
import { useList } from './use-list.ts';
import { findProblems, formatFieldPointer, type FieldProps } from './write-config.ts';

interface Kind {
  readonly listFields: (entry: JsonObject) => readonly Field[];
  /** The key by which an entry is called. */
  readonly nameKey: string;
  readonly words: (typeof editorWords.entries)['tools' | 'checks' | 'parameters' | 'actions'];
  /** @param names of the entries that are there */
  readonly make: (names: ReadonlySet<string>) => JsonObject;
}

const KINDS: Readonly<Record<'tools' | 'checks' | 'parameters' | 'actions', Kind>> = {
  actions: {
    listFields: () => ANSWER,
    nameKey: 'id',
    words: editorWords.entries.actions,
    make: (names) => ({ id: freeId('answer', names) }),
  },
  tools: {
    listFields: (entry) => filterFields('agent_tool', AGENT_TOOL, entry),
    nameKey: 'name',
    words: editorWords.entries.tools,
    make: (names) => ({ kind: 'integration', name: freeId('tool', names) }),
  },
  checks: {
    listFields: (entry) => filterFields('check', CHECK, entry),
    nameKey: 'type',
    words: editorWords.entries.checks,
    make: () => ({ type: 'pii' }),
  },
  parameters: {
    listFields: () => PARAMETER,
    nameKey: 'name',
    words: editorWords.entries.parameters,
    make: (names) => ({ name: freeId('parameter', names), type: 'string', required: true }),
  },
};

interface EntriesProps extends FieldProps {
  readonly kind: keyof typeof KINDS;
  /** One field of an entry: the form that shows this list shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

export function Entries({ kind, showField, ...props }: EntriesProps) {
  const { entity, field, base = ['config'], problems, isReadOnly } = props;
  const { list: entries, change } = useList(props);
  const { listFields, nameKey, words: texts, make } = KINDS[kind];
  const readName = (entry: Json): string => (isObject(entry) ? readText(entry, nameKey) : '');
  const placeField = (entry: JsonObject, index: number, inner: Field): FieldProps => {
    const inside = [...base, ...parsePointer(field.ptr), String(index)];
    const ptr = formatFieldPointer({ base: inside, field: inner });
    return {
      entity,
      config: entry,
      base: inside,
      field: inner,
      problems: findProblems(problems, ptr),
      isReadOnly,
    };
  };
  return (
    <div className="wc-stack">
      {entries.map((entry, index) => (
        <div key={index} className="wc-card" role="group" aria-label={texts.one(index + 1)}>
          <div className="wc-card-head">
            <b>{readName(entry) || texts.one(index + 1)}</b>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={isReadOnly}
              aria-label={`${words.remove}: ${texts.one(index + 1)}`}
              onClick={() => change((now) => now.toSpliced(index, 1), texts.undoDelete)}
            >
              <Trash2 size={14} aria-hidden />
            </ActionIcon>
          </div>
          {isObject(entry) &&
            listFields(entry).map((inner) => (
              <div key={inner.ptr}>{showField(placeField(entry, index, inner))}</div>
            ))}
        </div>
      ))}
      <Button
        size="xs"
        variant="light"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={isReadOnly}
        onClick={() => change((now) => [...now, make(new Set(now.map(readName)))], texts.undoAdd)}
      >
        {texts.add}
      </Button>
    </div>
  );
}
