/** The condition of an edge: rules that are written as a group, and read in every form that a definition may have. */
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { fieldWords } from '../words-fields.ts';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { JsonToggle } from './json-toggle.tsx';
import { AddRule, MatchSelect, readObjects, RuleList } from './rules.tsx';
import { formatFieldPointer, type FieldProps } from './write-config.ts';

/** Reads one rule, a list of rules, or a group; null when it is none of these. */
function readGroup(value: Json): JsonObject | null {
  if (value === null || value === '') return { match: 'all', rules: [] };
  if (Array.isArray(value)) return { match: 'all', rules: value };
  if (!isObject(value)) return null;
  return Array.isArray(ownValue(value, 'rules')) ? value : { match: 'all', rules: [value] };
}

export function Rules(props: FieldProps) {
  const { entity, field } = props;
  const draft = useDraft({ entity, ptr: formatFieldPointer(props), label: field.label, format: 'value' });
  const isReadOnly = props.isReadOnly && draft.draft === undefined;
  const group = readGroup(draft.typed);
  const rules = readObjects(group === null ? undefined : ownValue(group, 'rules'));
  const change = (more: JsonObject): void => {
    const next = { match: 'all', ...group, ...more };
    draft.change(readObjects(next['rules' as keyof typeof next] as Json).length === 0 ? null : next);
  };
  return (
    <JsonToggle
      {...props}
      canBuild={group !== null}
      action={<AddRule rules={rules} isReadOnly={isReadOnly} onChange={(next) => change({ rules: next })} />}
    >
      {rules.length === 0 && <p className="wc-empty">{fieldWords.noCondition}</p>}
      {rules.length > 1 && group !== null && (
        <MatchSelect
          value={readText(group, 'match')}
          isReadOnly={isReadOnly}
          onBlur={draft.leave}
          onChange={(match) => change({ match })}
        />
      )}
      <RuleList
        rules={rules}
        entity={entity}
        isReadOnly={isReadOnly}
        onBlur={draft.leave}
        onChange={(next) => change({ rules: next })}
      />
      <DraftNotes {...draft} />
    </JsonToggle>
  );
}
