/** A field that is a list of objects, each with fields of its own: the tools of an agent, the checks of guardrails. */
import { ActionIcon, Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { textOf } from '../canvas/binding.ts';
import { freeId } from '../canvas/clipboard.ts';
import { useEditing } from '../canvas/context.ts';
import { editorWords } from '../words-editor.ts';
import { words } from '../words.ts';
import { CHECK } from './check-fields.ts';
import { AGENT_TOOL, asked, type Field } from './fields.ts';
import { listNow, problemsAt, writeConfig, type FieldProps } from './write-config.ts';

interface Kind {
  readonly fields: readonly Field[];
  /** The key by which an entry is called. */
  readonly nameKey: string;
  readonly words: (typeof editorWords.entries)['tools' | 'checks'];
  /** @param names of the entries that are there */
  readonly make: (names: ReadonlySet<string>) => JsonObject;
}

const KINDS: Readonly<Record<'tools' | 'checks', Kind>> = {
  tools: {
    fields: AGENT_TOOL,
    nameKey: 'name',
    words: editorWords.entries.tools,
    make: (names) => ({ kind: 'integration', name: freeId('tool', names) }),
  },
  checks: {
    fields: CHECK,
    nameKey: 'type',
    words: editorWords.entries.checks,
    make: () => ({ type: 'pii' }),
  },
};

interface EntriesProps extends FieldProps {
  readonly kind: keyof typeof KINDS;
  /** One field of an entry: the form that shows this list shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

export function Entries({ kind, showField, ...props }: EntriesProps) {
  const { nodeId, config, field: list, problems, isReadOnly } = props;
  const { room } = useEditing();
  const { fields, nameKey, words: said, make } = KINDS[kind];
  const key = list.ptr.slice(1);
  const value = ownValue(config, key);
  const entries = Array.isArray(value) ? value : [];
  const nameOf = (entry: Json): string => (isObject(entry) ? textOf(entry, nameKey) : '');
  const change = (changed: (now: readonly Json[]) => Json[], label: string): void => {
    room.edit(writeConfig(props, changed(listNow(room, nodeId, key))), { label });
  };
  const fieldOf = (entry: JsonObject, index: number, field: Field): FieldProps => ({
    nodeId,
    config: entry,
    base: ['config', key, String(index)],
    field,
    problems: problemsAt(problems, `${list.ptr}/${index}${field.ptr}`),
    isReadOnly,
  });
  return (
    <div className="wc-stack">
      {entries.map((entry, index) => (
        <div key={index} className="wc-card" role="group" aria-label={said.one(index + 1)}>
          <div className="wc-card-head">
            <b>{nameOf(entry) || said.one(index + 1)}</b>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={isReadOnly}
              aria-label={`${words.remove}: ${said.one(index + 1)}`}
              onClick={() => change((now) => now.toSpliced(index, 1), said.undoDelete)}
            >
              <Trash2 size={14} aria-hidden />
            </ActionIcon>
          </div>
          {isObject(entry) &&
            asked(fields, entry).map((field) => (
              <div key={field.ptr}>{showField(fieldOf(entry, index, field))}</div>
            ))}
        </div>
      ))}
      <Button
        size="xs"
        variant="light"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={isReadOnly}
        onClick={() => change((now) => [...now, make(new Set(now.map(nameOf)))], said.undoAdd)}
      >
        {said.add}
      </Button>
    </div>
  );
}
