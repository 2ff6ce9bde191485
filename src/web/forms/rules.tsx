/** The rules of a case, of an edge or of a filter: each has a left side, an operator and a right side. */
import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { RULE_OPS } from '../../graph/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { editorWords } from '../words-editor.ts';
import type { Entity } from './entity.ts';
import { parseSide } from './formats.ts';
import { LineEditor } from './line-editor.tsx';
import { RenderedPart } from './rendered-value.tsx';

/** Comparisons that have no right side. */
const UNARY: ReadonlySet<string> = new Set([
  'is_empty',
  'is_not_empty',
  'exists',
  'not_exists',
  'is_true',
  'is_false',
]);

export const readObjects = (value: Json | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : []).filter((entry) => isObject(entry));

const showSide = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

interface SideProps {
  readonly label: string;
  readonly entity: Entity;
  readonly value: Json | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
}

function Side({ label, entity, value, isReadOnly, onChange, onBlur }: SideProps) {
  // Shown as it is typed until the field is left: `1.0` is the number 1, and must not lose its end on the way to 1.05.
  const typed = useRef<string | null>(null);
  return (
    <>
      <LineEditor
        label={label}
        entity={entity}
        isReadOnly={isReadOnly}
        read={() => typed.current ?? showSide(value)}
        onChange={(text) => {
          typed.current = text;
          onChange(text);
        }}
        onBlur={() => {
          typed.current = null;
          onBlur();
        }}
      />
      <RenderedPart entity={entity} label={label} template={value ?? null} />
    </>
  );
}

interface RuleProps {
  readonly rule: JsonObject;
  readonly entity: Entity;
  readonly isReadOnly: boolean;
  readonly onChange: (rule: JsonObject) => void;
  readonly onDelete: () => void;
  readonly onBlur: () => void;
}

function RuleRow({ rule, entity, isReadOnly, onChange, onDelete, onBlur }: RuleProps) {
  if (Array.isArray(ownValue(rule, 'rules'))) {
    return <p className="wc-empty">{editorWords.cases.group(readObjects(ownValue(rule, 'rules')).length)}</p>;
  }
  const op = readText(rule, 'op') || 'eq';
  const side = { entity, isReadOnly, onBlur };
  return (
    <div className="wc-rule" role="group" aria-label={editorWords.cases.rule}>
      <Side
        {...side}
        label={editorWords.cases.left}
        value={ownValue(rule, 'left')}
        onChange={(left) => onChange({ ...rule, left })}
      />
      <NativeSelect
        size="xs"
        aria-label={editorWords.cases.comparison}
        disabled={isReadOnly}
        data={RULE_OPS.map((one) => ({ value: one, label: editorWords.cases.operators[one] }))}
        value={op}
        onBlur={onBlur}
        onChange={({ currentTarget }) => onChange({ ...rule, op: currentTarget.value })}
      />
      {!UNARY.has(op) && (
        <Side
          {...side}
          label={editorWords.cases.right}
          value={ownValue(rule, 'right')}
          onChange={(right) => onChange({ ...rule, right: parseSide(right) })}
        />
      )}
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

export const NEW_RULE = { left: '{{input.text}}', op: 'exists' };

const MATCHES = [
  { value: 'all', label: editorWords.cases.all },
  { value: 'any', label: editorWords.cases.any },
];

interface MatchProps {
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly onChange: (match: string) => void;
  readonly onBlur: () => void;
}

/** Chooses whether all or any of the rules must match. */
export const MatchSelect = ({ value, isReadOnly, onChange, onBlur }: MatchProps) => (
  <NativeSelect
    size="xs"
    aria-label={editorWords.cases.match}
    disabled={isReadOnly}
    data={MATCHES}
    value={value || 'all'}
    onBlur={onBlur}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

interface RuleListProps {
  readonly rules: readonly JsonObject[];
  readonly entity: Entity;
  readonly isReadOnly: boolean;
  readonly onChange: (rules: JsonObject[]) => void;
  readonly onBlur: () => void;
}

export function RuleList({ rules, entity, isReadOnly, onChange, onBlur }: RuleListProps) {
  return (
    <>
      {rules.map((rule, at) => (
        <RuleRow
          key={at}
          rule={rule}
          entity={entity}
          isReadOnly={isReadOnly}
          onBlur={onBlur}
          onChange={(next) => onChange(rules.with(at, next))}
          onDelete={() => onChange(rules.toSpliced(at, 1))}
        />
      ))}
    </>
  );
}

/** Appends a rule to a list. */
export const AddRule = ({ rules, isReadOnly, onChange }: Omit<RuleListProps, 'entity' | 'onBlur'>) => (
  <Button
    size="compact-xs"
    variant="subtle"
    disabled={isReadOnly}
    onClick={() => onChange([...rules, NEW_RULE])}
  >
    {editorWords.cases.addRule}
  </Button>
);
