/** The cases of a condition, each with its rules. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ownValue, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { freeId } from '../canvas/clipboard.ts';
import { useEditing } from '../canvas/context.ts';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { readNodeId, type Entity } from './entity.ts';
import { AddRule, MatchSelect, NEW_RULE, readObjects, RuleList } from './rules.tsx';
import { renameCase } from './rename-case.ts';
import { formatFieldPointer, writeField, type FieldProps } from './write-config.ts';
import { editorWords } from '../words-editor.ts';

interface CaseProps {
  readonly one: JsonObject;
  readonly index: number;
  readonly entity: Entity;
  readonly isReadOnly: boolean;
  /** Names of the other cases. */
  readonly taken: ReadonlySet<string>;
  readonly onRename: (name: string) => void;
  readonly onChange: (one: JsonObject) => void;
  readonly onDelete: () => void;
  readonly onBlur: () => void;
}

/** The name of a case is written when the field is left: half a name would be one that edges do not leave by. */
function CaseName({ one, index, isReadOnly, taken, onRename }: CaseProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const id = readText(one, 'id');
  const name = typed ?? id;
  const error = name === '' || taken.has(name) ? editorWords.cases.nameTaken : null;
  return (
    <TextInput
      size="xs"
      aria-label={editorWords.cases.name(index + 1)}
      disabled={isReadOnly}
      value={name}
      error={name === id ? null : error}
      onBlur={() => {
        if (error !== null && name !== id) return;
        setTyped(null);
        if (name !== id) onRename(name);
      }}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}

function CaseCard(props: CaseProps) {
  const { one, index, entity, isReadOnly, onChange, onDelete, onBlur } = props;
  const rules = readObjects(ownValue(one, 'rules'));
  return (
    <div className="wc-card">
      <div className="wc-card-head">
        <CaseName {...props} />
        <MatchSelect
          value={readText(one, 'match')}
          isReadOnly={isReadOnly}
          onBlur={onBlur}
          onChange={(match) => onChange({ ...one, match })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={editorWords.cases.delete(index + 1)}
          disabled={isReadOnly}
          onClick={onDelete}
        >
          <Trash2 size={14} aria-hidden />
        </ActionIcon>
      </div>
      <RuleList
        rules={rules}
        entity={entity}
        isReadOnly={isReadOnly}
        onBlur={onBlur}
        onChange={(next) => onChange({ ...one, rules: next })}
      />
      <AddRule rules={rules} isReadOnly={isReadOnly} onChange={(next) => onChange({ ...one, rules: next })} />
    </div>
  );
}

export function Cases(props: FieldProps) {
  const { connection } = useEditing();
  const { entity, field } = props;
  const nodeId = readNodeId(entity) ?? '';
  const draft = useDraft({ entity, ptr: formatFieldPointer(props), label: field.label, format: 'value' });
  const isReadOnly = props.isReadOnly && draft.draft === undefined;
  const cases = readObjects(draft.typed);
  const rename = (index: number, to: string): void => {
    const from = readText(cases[index] ?? {}, 'id');
    const update = writeField(
      connection.view,
      props,
      cases.map((one, at) => (at === index ? { ...one, id: to } : one)),
    );
    if (update === null) return;
    draft.withdraw();
    connection.hold(nodeId);
    connection.edit(renameCase(connection.view, update, { nodeId, from, to }), {
      label: `rename ${from} to ${to}`,
    });
    connection.letGo(nodeId);
  };
  const add = (): void => {
    const id = freeId('case', new Set(cases.map((one) => readText(one, 'id'))));
    draft.change([...cases, { id, match: 'all', rules: [NEW_RULE] }]);
  };
  return (
    <div className="wc-stack">
      {cases.map((one, index) => (
        <CaseCard
          key={index}
          one={one}
          index={index}
          entity={entity}
          isReadOnly={isReadOnly}
          onBlur={draft.leave}
          onChange={(next) => draft.change(cases.with(index, next))}
          onDelete={() => draft.change(cases.toSpliced(index, 1))}
          taken={new Set(cases.filter((other) => other !== one).map((other) => readText(other, 'id')))}
          onRename={(to) => rename(index, to)}
        />
      ))}
      <Button
        size="xs"
        variant="light"
        disabled={isReadOnly}
        leftSection={<Plus size={14} aria-hidden />}
        onClick={add}
      >
        {editorWords.cases.add}
      </Button>
      <DraftNotes {...draft} />
    </div>
  );
}
