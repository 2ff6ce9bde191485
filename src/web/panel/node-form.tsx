/** The form of a node: its name, the fields of its kind, what happens on an error, and its whole config as JSON. */
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core';
import { Lock } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing, useNodeProblems } from '../canvas/context.ts';
import { findLook } from '../canvas/kinds.ts';
import { NodeIcon } from '../canvas/node-icon.tsx';
import { DraftNotes } from '../forms/draft-notes.tsx';
import { useDraft } from '../forms/draft.ts';
import { FieldView } from '../forms/field-view.tsx';
import { listFields } from '../forms/fields.ts';
import { TextBox } from '../forms/text-box.tsx';
import { findProblems } from '../forms/write-config.ts';
import { JsonView } from './json-view.tsx';
import { TryNode } from './try-node.tsx';
import { editorWords } from '../words-editor.ts';
import { toText } from '../forms/formats.ts';

interface NodeFormProps {
  readonly nodeId: string;
  readonly node: JsonObject;
}

function LockedBy({ nodeId, text }: { readonly nodeId: string; readonly text: string }) {
  const { connection } = useEditing();
  return (
    <div className="wc-locked" role="status">
      <Lock size={14} aria-hidden />
      <span>{text}</span>
      <Button size="compact-xs" variant="light" onClick={() => void connection.takeOver(nodeId)}>
        {editorWords.node.takeOver}
      </Button>
    </div>
  );
}

function Name({ nodeId }: { readonly nodeId: string }) {
  const draft = useDraft({ nodeId, ptr: '/name', label: editorWords.node.name, format: 'name' });
  return (
    <>
      <TextInput
        label={editorWords.node.name}
        description={editorWords.node.calledIt(nodeId)}
        error={draft.draft?.problem}
        value={toText(draft.typed)}
        onChange={({ currentTarget }) => draft.change(currentTarget.value)}
        onBlur={draft.leave}
      />
      <DraftNotes {...draft} />
    </>
  );
}

const ON_ERROR = [
  { value: 'fail', label: 'Fail the run' },
  { value: 'continue', label: 'Continue with null' },
  { value: 'branch', label: 'Continue at the error handle' },
];

function Settings({ nodeId, node, isReadOnly }: NodeFormProps & { readonly isReadOnly: boolean }) {
  const { connection } = useEditing();
  const set = (ptr: string, value: Json): void => {
    connection.edit({ type: 'node:update', nodeId, set: { [ptr]: value } }, { label: `edit ${nodeId}` });
  };
  return (
    <>
      <NativeSelect
        label={editorWords.node.onError}
        disabled={isReadOnly}
        data={ON_ERROR}
        value={readText(node, 'on_error') || 'fail'}
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
  const { connection } = useEditing();
  const problems = useNodeProblems(nodeId);
  const output = useSyncExternalStore(connection.board.subscribe, () => connection.board.lastOutput(nodeId));
  const holder = useSyncExternalStore(connection.collaborators.subscribe, () => {
    const lock = connection.collaborators.findLock(nodeId);
    if (lock === null) return null;
    const isOwn = lock.userId === connection.presence.me?.userId;
    return isOwn ? editorWords.node.lockedByOwnTab : editorWords.node.lockedBy(lock.name);
  });
  const isReadOnly = holder !== null;
  const type = readText(node, 'type');
  const look = findLook(type);
  const stored = ownValue(node, 'config');
  const config = isObject(stored) ? stored : {};
  const fields = listFields(type, config);
  const listProblems = (ptr: string) => findProblems(problems, ptr);
  const rest = problems.filter((problem) => fields.every(({ ptr }) => !listProblems(ptr).includes(problem)));
  return (
    <div className="wc-form wc-node-form">
      <div className="wc-form-head">
        <NodeIcon look={look} />
        <div>
          <b>{readText(node, 'name') || nodeId}</b>
          <small>{look.hint}</small>
        </div>
      </div>
      {holder !== null && <LockedBy nodeId={nodeId} text={holder} />}
      {rest.map(({ message }) => (
        <p className="wc-trouble" key={message}>
          {message}
        </p>
      ))}
      <Name nodeId={nodeId} />
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
      <Settings nodeId={nodeId} node={node} isReadOnly={isReadOnly} />
      <details>
        <summary>{editorWords.node.configAsJson}</summary>
        <TextBox
          field={{ nodeId, ptr: '/config', label: editorWords.node.config, format: 'object' }}
          language="json"
          isReadOnly={isReadOnly}
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
