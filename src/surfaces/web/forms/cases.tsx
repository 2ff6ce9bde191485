/** The cases of a condition, each with its rules. */
import { Button, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { findFreeId } from '../canvas/node-ids.ts';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { readNodeId } from './entity.ts';
import { JsonToggle } from './json-toggle.tsx';
import type { DraftField } from './kept-drafts.ts';
import { readCase, readCases } from './read-rules.ts';
import { GroupRules, MatchSelect, NEW_RULE } from './rules.tsx';
import { renameInEdges } from './rename-case.ts';
import { useTypedName } from './use-typed-name.ts';
import { formatFieldPointer, type FieldProps } from './field-place.ts';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';

interface CaseProps {
  readonly one: JsonObject;
  readonly index: number;
  readonly place: Pick<DraftField, 'entity' | 'ptr'>;
  /** Whether a model chooses among the cases, by their descriptions. */
  readonly isByModel: boolean;
  readonly isReadOnly: boolean;
  /** Names of the other cases. */
  readonly taken: ReadonlySet<string>;
  readonly onRename: (name: string) => void;
  readonly onChange: (one: JsonObject) => void;
  readonly onDelete: () => void;
  readonly onBlur: () => void;
}

function CaseName({ one, index, isReadOnly, taken, onRename }: CaseProps) {
  const { input, type } = useTypedName({
    name: readText(one, 'id'),
    isReadOnly,
    findError: (name) => (name === '' || taken.has(name) ? editorWords.cases.nameTaken : null),
    onName: onRename,
  });
  return (
    <TextInput
      size="xs"
      aria-label={editorWords.cases.name(index + 1)}
      {...input}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

function CaseCard(props: CaseProps) {
  const { one, index, place, isByModel, isReadOnly, onChange, onDelete, onBlur } = props;
  const group = readCase(one) ?? one;
  return (
    <div className="wc-card">
      <div className="wc-card-head">
        <CaseName {...props} />
        {!isByModel && (
          <MatchSelect
            value={readText(group, 'match')}
            isReadOnly={isReadOnly}
            onBlur={onBlur}
            onChange={(match) => onChange({ ...group, match })}
          />
        )}
        <DeleteButton label={editorWords.cases.delete(index + 1)} disabled={isReadOnly} onClick={onDelete} />
      </div>
      {isByModel ? (
        <TextInput
          size="xs"
          label={editorWords.cases.description}
          disabled={isReadOnly}
          value={readText(one, 'description')}
          onBlur={onBlur}
          onChange={({ currentTarget }) => onChange({ ...one, description: currentTarget.value })}
        />
      ) : (
        <GroupRules group={group} place={place} isReadOnly={isReadOnly} onBlur={onBlur} onChange={onChange} />
      )}
    </div>
  );
}

export function Cases(props: FieldProps) {
  const { connection } = useEditing();
  const { entity, field } = props;
  const nodeId = readNodeId(entity) ?? '';
  const place = { entity, ptr: formatFieldPointer(props) };
  const isByModel = readText(props.config, 'mode') === 'llm';
  const draft = useDraft({ ...place, label: field.label, format: 'value' });
  const isReadOnly = props.isReadOnly && draft.draft === undefined;
  const shown = readCases(draft.typed, isByModel);
  const cases = shown ?? [];
  const rename = (index: number, to: string): void => {
    const from = readText(cases[index] ?? {}, 'id');
    draft.change(cases.map((one, at) => (at === index ? { ...one, id: to } : one)));
    draft.send({
      ops: renameInEdges(connection.view, { nodeId, from, to }),
      label: fieldWords.undoRename(from, to),
    });
  };
  const add = (): void => {
    const id = findFreeId('case', new Set(cases.map((one) => readText(one, 'id'))));
    draft.change([...cases, isByModel ? { id, description: '' } : { id, match: 'all', rules: [NEW_RULE] }]);
  };
  return (
    <JsonToggle
      {...props}
      canBuild={shown !== null}
      action={
        <Button
          size="xs"
          variant="light"
          disabled={isReadOnly}
          leftSection={<Plus size={14} aria-hidden />}
          onClick={add}
        >
          {editorWords.cases.add}
        </Button>
      }
    >
      {cases.map((one, index) => (
        <CaseCard
          key={index}
          one={one}
          index={index}
          place={place}
          isByModel={isByModel}
          isReadOnly={isReadOnly}
          onBlur={draft.leave}
          onChange={(next) => draft.change(cases.with(index, next))}
          onDelete={() => draft.change(cases.toSpliced(index, 1))}
          taken={new Set(cases.filter((other) => other !== one).map((other) => readText(other, 'id')))}
          onRename={(to) => rename(index, to)}
        />
      ))}
      <DraftNotes {...draft} />
    </JsonToggle>
  );
}
