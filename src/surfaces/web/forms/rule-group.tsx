/** Edits the condition of an edge or the filter of a list: it reads every form that a definition may have, and writes a group. */
import { ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { fieldWords } from '../words-fields.ts';
import { DraftNotes } from './draft-notes.tsx';
import { useDraft } from './draft.ts';
import { JsonToggle } from './json-toggle.tsx';
import { readGroup } from './read-rules.ts';
import { AddRule, MatchSelect, readObjects, RuleList } from './rules.tsx';
import { formatFieldPointer, type FieldProps } from './field-place.ts';

export function Rules(props: FieldProps) {
  const { entity, field } = props;
  const place = { entity, ptr: formatFieldPointer(props) };
  const draft = useDraft({ ...place, label: field.label, format: 'value' });
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
      action={
        <AddRule
          rules={rules}
          place={place}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ rules: next })}
        />
      }
    >
      {rules.length === 0 && <p className="wc-empty">{field.hint ?? fieldWords.noCondition}</p>}
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
        place={place}
        isReadOnly={isReadOnly}
        onBlur={draft.leave}
        onChange={(next) => change({ rules: next })}
      />
      <DraftNotes {...draft} />
    </JsonToggle>
  );
}
