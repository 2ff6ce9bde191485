/** The form of a node: its name, the fields of its kind, what happens on an error, and its whole config as JSON. */
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { Lock } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { parseExactJson } from '../../graph/exact-json.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { textOf } from '../canvas/binding.ts';
import { useEditing, useNodeProblems } from '../canvas/context.ts';
import { lookOf } from '../canvas/kinds.ts';
import { NodeIcon } from '../canvas/node-icon.tsx';
import { useDraft } from '../forms/draft.ts';
import { FieldView } from '../forms/field-view.tsx';
import { fieldsOf } from '../forms/fields.ts';
import { TextBox } from '../forms/text-box.tsx';
import { problemsAt } from '../forms/write-config.ts';
import { JsonView } from './json-view.tsx';
import { TryNode } from './try-node.tsx';
import { editorWords } from '../words-editor.ts';

export interface NodeFormProps {
  readonly nodeId: string;
  readonly node: JsonObject;
}

function readObject(text: string): JsonObject | null {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function LockedBy({ nodeId, name }: { readonly nodeId: string; readonly name: string }) {
  const { room } = useEditing();
  return (
    <div className="wc-locked" role="status">
      <Lock size={14} aria-hidden />
      <span>{editorWords.node.lockedBy(name)}</span>
      <Button size="compact-xs" variant="light" onClick={() => void room.takeOver(nodeId)}>
        {editorWords.node.takeOver}
      </Button>
    </div>
  );
}

function Name({ nodeId, node, isReadOnly }: NodeFormProps & { readonly isReadOnly: boolean }) {
  const draft = useDraft<string>({
    nodeId,
    ptr: 'name',
    shown: textOf(node, 'name'),
    write: (name) => ({ type: 'node:update', nodeId, set: { '/name': name } }),
  });
  return (
    <TextInput
      label={editorWords.node.name}
      description={editorWords.node.calledIt(nodeId)}
      disabled={isReadOnly}
      value={draft.value}
      onChange={({ currentTarget }) => draft.change(currentTarget.value)}
      onBlur={() => draft.commit()}
    />
  );
}

const ON_ERROR = [
  { value: 'fail', label: 'Fail the run' },
  { value: 'continue', label: 'Continue with null' },
  { value: 'branch', label: 'Continue at the error handle' },
];

function Behaviour({ nodeId, node, isReadOnly }: NodeFormProps & { readonly isReadOnly: boolean }) {
  const { room } = useEditing();
  const set = (ptr: string, value: Json): void => {
    room.edit({ type: 'node:update', nodeId, set: { [ptr]: value } }, { label: `edit ${nodeId}` });
  };
  return (
    <>
      <NativeSelect
        label={editorWords.node.onError}
        disabled={isReadOnly}
        data={ON_ERROR}
        value={textOf(node, 'on_error') || 'fail'}
        onChange={({ currentTarget }) => set('/on_error', currentTarget.value)}
      />
      <Switch
        label={editorWords.node.disabled}
        disabled={isReadOnly}
        checked={ownValue(node, 'disabled') === true}
        onChange={({ currentTarget }) => set('/disabled', currentTarget.checked)}
      />
    </>
  );
}

export function NodeForm({ nodeId, node }: NodeFormProps) {
  const { room } = useEditing();
  const problems = useNodeProblems(nodeId);
  const output = useSyncExternalStore(room.board.subscribe, () => room.board.lastOutput(nodeId));
  const holder = useSyncExternalStore(room.crowd.subscribe, () => room.crowd.findLock(nodeId)?.name ?? null);
  const isReadOnly = holder !== null;
  const type = textOf(node, 'type');
  const look = lookOf(type);
  const given = ownValue(node, 'config');
  const config = isObject(given) ? given : {};
  const fields = fieldsOf(type, config);
  const listProblems = (ptr: string) => problemsAt(problems, ptr);
  const rest = problems.filter((problem) => fields.every(({ ptr }) => !listProblems(ptr).includes(problem)));
  return (
    <div className="wc-form wc-node-form">
      <div className="wc-form-head">
        <NodeIcon look={look} />
        <div>
          <b>{textOf(node, 'name') || nodeId}</b>
          <small>{look.hint}</small>
        </div>
      </div>
      {holder !== null && <LockedBy nodeId={nodeId} name={holder} />}
      {rest.map(({ message }) => (
        <p className="wc-trouble" key={message}>
          {message}
        </p>
      ))}
      <Name nodeId={nodeId} node={node} isReadOnly={isReadOnly} />
      {fields.map((field) => (
        <FieldView
          key={`${field.ptr} ${field.widget}`}
          nodeId={nodeId}
          config={config}
          field={field}
          problems={listProblems(field.ptr)}
          isReadOnly={isReadOnly}
        />
      ))}
      <Behaviour nodeId={nodeId} node={node} isReadOnly={isReadOnly} />
      <details>
        <summary>{editorWords.node.configAsJson}</summary>
        <TextBox
          nodeId={nodeId}
          ptr="config"
          label={editorWords.node.config}
          language="json"
          value={JSON.stringify(config, null, 2)}
          isReadOnly={isReadOnly}
          write={(text) => {
            const value = readObject(text);
            return value === null ? null : { type: 'node:update', nodeId, set: { '/config': value } };
          }}
        />
      </details>
      <TryNode nodeId={nodeId} node={node} />
      {output !== undefined && (
        <details open>
          <summary>{editorWords.node.lastOutput}</summary>
          <JsonView value={output} />
        </details>
      )}
    </div>
  );
}
