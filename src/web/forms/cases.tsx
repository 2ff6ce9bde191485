/** The rule builder: cases of a condition, each with rules of a left side, a comparison and a right side. */
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { RULE_OPS } from '../../graph/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { freeId } from '../canvas/clipboard.ts';
import { useEditing } from '../canvas/context.ts';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { parseSide } from './formats.ts';
import { renameCase } from './rename-case.ts';
import { formatFieldPointer, writeConfig, type FieldProps } from './write-config.ts';
import { editorWords } from '../words-editor.ts';

/** Comparisons that have no right side. */
const ALONE: ReadonlySet<string> = new Set([
  'is_empty',
  'is_not_empty',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
]);

const objects = (value: Json | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : []).filter((entry) => isObject(entry));

const sideText = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

interface RuleProps {
  readonly rule: JsonObject;
  readonly isReadOnly: boolean;
  readonly onChange: (rule: JsonObject) => void;
  readonly onDelete: () => void;
  readonly onBlur: () => void;
}

function RuleRow({ rule, isReadOnly, onChange, onDelete, onBlur }: RuleProps) {
  // Shown as it is typed until the field is left: `1.0` is the number 1, and must not lose its end on the way to 1.05.
  const [typed, setTyped] = useState<string | null>(null);
  if (Array.isArray(ownValue(rule, 'rules'))) {
    return <p className="wc-empty">{editorWords.cases.group(objects(ownValue(rule, 'rules')).length)}</p>;
  }
  const op = readText(rule, 'op') || 'eq';
  const right = typed ?? sideText(ownValue(rule, 'right'));
  return (
    <div className="wc-rule">
      <TextInput
        size="xs"
        aria-label={editorWords.cases.left}
        placeholder="{{input.text}}"
        disabled={isReadOnly}
        value={sideText(ownValue(rule, 'left'))}
        onBlur={onBlur}
        onChange={({ currentTarget }) => onChange({ ...rule, left: currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label={editorWords.cases.comparison}
        disabled={isReadOnly}
        data={RULE_OPS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        value={op}
        onBlur={onBlur}
        onChange={({ currentTarget }) => onChange({ ...rule, op: currentTarget.value })}
      />
      <TextInput
        size="xs"
        aria-label={editorWords.cases.right}
        disabled={isReadOnly || ALONE.has(op)}
        value={ALONE.has(op) ? '' : right}
        onBlur={() => {
          setTyped(null);
          onBlur();
        }}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange({ ...rule, right: parseSide(currentTarget.value) });
        }}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={editorWords.cases.deleteRule}
        disabled={isReadOnly}
        onClick={onDelete}
      >
        <Trash2 size={14} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface CaseProps {
  readonly one: JsonObject;
  readonly index: number;
  readonly isReadOnly: boolean;
  /** Names of the other cases. */
  readonly taken: ReadonlySet<string>;
  readonly onRename: (name: string) => void;
  readonly onChange: (one: JsonObject) => void;
  readonly onDelete: () => void;
  readonly onBlur: () => void;
}

const MATCHES = [
  { value: 'all', label: editorWords.cases.all },
  { value: 'any', label: editorWords.cases.any },
];
const NEW_RULE = { left: '{{input.text}}', op: 'exists' };

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
  const { one, index, isReadOnly, onChange, onDelete, onBlur } = props;
  const rules = objects(ownValue(one, 'rules'));
  return (
    <div className="wc-card">
      <div className="wc-card-head">
        <CaseName {...props} />
        <NativeSelect
          size="xs"
          aria-label={editorWords.cases.match}
          disabled={isReadOnly}
          data={MATCHES}
          value={readText(one, 'match') || 'all'}
          onBlur={onBlur}
          onChange={({ currentTarget }) => onChange({ ...one, match: currentTarget.value })}
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
      {rules.map((rule, at) => (
        <RuleRow
          key={at}
          rule={rule}
          isReadOnly={isReadOnly}
          onBlur={onBlur}
          onChange={(next) => onChange({ ...one, rules: rules.with(at, next) })}
          onDelete={() => onChange({ ...one, rules: rules.toSpliced(at, 1) })}
        />
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={isReadOnly}
        onClick={() => onChange({ ...one, rules: [...rules, NEW_RULE] })}
      >
        {editorWords.cases.addRule}
      </Button>
    </div>
  );
}

export function Cases(props: FieldProps) {
  const { connection } = useEditing();
  const { nodeId, field } = props;
  const draft = useDraft({ nodeId, ptr: formatFieldPointer(props), label: field.label, format: 'value' });
  const isReadOnly = props.isReadOnly && draft.draft === undefined;
  const cases = objects(draft.typed);
  const rename = (index: number, to: string): void => {
    const from = readText(cases[index] ?? {}, 'id');
    const update = writeConfig(
      props,
      cases.map((one, at) => (at === index ? { ...one, id: to } : one)),
    );
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
