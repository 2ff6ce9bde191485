/** The approval by people before the request of a node leaves: switched on, it has its fields. */
import { Switch } from '@mantine/core';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { CONFIRM } from '../../../language/nodes/confirm/fields.ts';
import { useEditing } from '../canvas/context.ts';
import { findProblems, formatProblemPointer } from '../forms/field-place.ts';
import { guardedWrite } from '../forms/field-value.ts';
import { FieldView } from '../forms/field-view.tsx';
import { filterFields } from '../forms/fields.ts';
import { joinMessages } from '../forms/problem-words.ts';
import { approvalWords } from '../words-approval.ts';

export interface ConfirmSettingsProps {
  readonly nodeId: string;
  readonly node: JsonObject;
  readonly problems: readonly Problem[];
  readonly isReadOnly: boolean;
}

export function ConfirmSettings({ nodeId, node, problems, isReadOnly }: ConfirmSettingsProps) {
  const { connection } = useEditing();
  const isOn = isObject(ownValue(node, 'confirm'));
  const entity = `node:${nodeId}` as const;
  const fields = filterFields('node', CONFIRM, node);
  const shown = new Set(fields.flatMap(({ ptr }) => findProblems(problems, ptr)));
  const rest = problems.filter(
    (problem) => formatProblemPointer(problem).startsWith('/confirm/') && !shown.has(problem),
  );
  const change = (turnOn: boolean): void => {
    const op = guardedWrite({ entity, ptr: '/confirm' }, node, turnOn ? {} : undefined);
    connection.edit(op, { label: `edit ${nodeId}` });
  };
  return (
    <div className="wc-stack">
      <Switch
        label={approvalWords.ask}
        disabled={isReadOnly}
        checked={isOn}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {rest.length > 0 && <p className="wc-trouble">{joinMessages(rest)}</p>}
      {isOn &&
        fields.map((field) => (
          <FieldView
            key={field.ptr}
            entity={entity}
            config={node}
            base={[]}
            field={field}
            problems={findProblems(problems, field.ptr)}
            isReadOnly={isReadOnly}
          />
        ))}
    </div>
  );
}
