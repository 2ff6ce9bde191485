/** The rules of a case, of an edge or of a filter: each has a left side, an operator and a right side. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { useRef } from 'react';
import { RULE_OPS, UNARY_OPS } from '../../../language/graph/definition/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import { readText } from '../canvas/binding.ts';
import { editorWords } from '../words-editor.ts';
import { parseSide, showSide } from './formats.ts';
import { isReadPerItem } from '../text/item-list.ts';
import { LineEditor } from './line-editor.tsx';
import type { DraftField } from './kept-drafts.ts';
import { RenderedPart } from './rendered-value.tsx';

/** The field that rules are in. */
type Place = Pick<DraftField, 'entity' | 'ptr'>;

export const readObjects = (value: Json | undefined): JsonObject[] =>
  (Array.isArray(value) ? value : []).filter((entry) => isObject(entry));

interface SideProps {
  readonly label: string;
  readonly place: Place;
  readonly value: Json | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
}

function Side({ label, place, value, isReadOnly, onChange, onBlur }: SideProps) {
  // Shown as it is typed until the field is left: `1.0` is the number 1, and must not lose its end on the way to 1.05.
  const typed = useRef<string | null>(null);
  return (
    <>
      <LineEditor
        label={label}
        place={place}
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
      <RenderedPart {...place} label={label} template={value ?? null} />
    </>
  );
}

interface RuleProps {
  readonly rule: JsonObject;
  readonly place: Place;
  readonly isReadOnly: boolean;
  readonly onChange: (rule: JsonObject) => void;
  readonly onDelete: () => void;
  readonly onBlur: () => void;
}

function RuleRow({ rule, place, isReadOnly, onChange, onDelete, onBlur }: RuleProps) {
  const op = readText(rule, 'op') || 'eq';
  const side = { place, isReadOnly, onBlur };
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
      {!UNARY_OPS.has(op) && (
        <Side
          {...side}
          label={editorWords.cases.right}
          value={ownValue(rule, 'right')}
          onChange={(right) => onChange({ ...rule, right: parseSide(right) })}
        />
      )}
      <DeleteButton label={editorWords.cases.deleteRule} disabled={isReadOnly} onClick={onDelete} />
    </div>
  );
}

function GroupRow({ rule: group, place, isReadOnly, onChange, onDelete, onBlur }: RuleProps) {
  return (
    <div className="wc-card" role="group" aria-label={editorWords.cases.group}>
      <div className="wc-card-head">
        <MatchSelect
          value={readText(group, 'match')}
          isReadOnly={isReadOnly}
          onBlur={onBlur}
          onChange={(match) => onChange({ ...group, match })}
        />
        <DeleteButton label={editorWords.cases.deleteGroup} disabled={isReadOnly} onClick={onDelete} />
      </div>
      <GroupRules group={group} place={place} isReadOnly={isReadOnly} onBlur={onBlur} onChange={onChange} />
    </div>
  );
}

export const NEW_RULE = { left: '{{input.text}}', op: 'exists' };
const NEW_ITEM_RULE = { ...NEW_RULE, left: '{{item}}' };

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
  readonly place: Place;
  readonly isReadOnly: boolean;
  readonly onChange: (rules: JsonObject[]) => void;
  readonly onBlur: () => void;
}

export function RuleList({ rules, place, isReadOnly, onChange, onBlur }: RuleListProps) {
  return (
    <>
      {rules.map((rule, at) => {
        const Row = Object.hasOwn(rule, 'rules') ? GroupRow : RuleRow;
        return (
          <Row
            key={at}
            rule={rule}
            place={place}
            isReadOnly={isReadOnly}
            onBlur={onBlur}
            onChange={(next) => onChange(rules.with(at, next))}
            onDelete={() => onChange(rules.toSpliced(at, 1))}
          />
        );
      })}
    </>
  );
}

interface GroupRulesProps extends Pick<RuleListProps, 'place' | 'isReadOnly' | 'onBlur'> {
  readonly group: JsonObject;
  readonly onChange: (group: JsonObject) => void;
}

/** The rules of a group, and the buttons that append to them. */
export function GroupRules({ group, onChange, onBlur, ...props }: GroupRulesProps) {
  const list = {
    ...props,
    rules: readObjects(ownValue(group, 'rules')),
    onChange: (rules: JsonObject[]) => onChange({ ...group, rules }),
  };
  return (
    <>
      <RuleList {...list} onBlur={onBlur} />
      <AddRule {...list} />
    </>
  );
}

/** Appends a rule, or a group of rules, to a list; a rule of a filter is about the item. */
export function AddRule({ rules, place, isReadOnly, onChange }: Omit<RuleListProps, 'onBlur'>) {
  const rule = isReadPerItem(place.ptr) ? NEW_ITEM_RULE : NEW_RULE;
  const group = { match: 'any', rules: [rule] };
  return (
    <Group gap={0}>
      {(
        [
          ['addRule', rule],
          ['addGroup', group],
        ] as const
      ).map(([label, added]) => (
        <Button
          key={label}
          size="compact-xs"
          variant="subtle"
          disabled={isReadOnly}
          onClick={() => onChange([...rules, added])}
        >
          {editorWords.cases[label]}
        </Button>
      ))}
    </Group>
  );
}
