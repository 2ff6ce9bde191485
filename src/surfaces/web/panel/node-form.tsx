/** The form of a node: its name, the fields of its kind, what happens on an error, and its whole config as JSON. */
import { Button, Switch, TextInput } from '@mantine/core';
import { Lock, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { isObject, ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing, useHeldNode, useNodeProblems } from '../canvas/context.ts';
import { findKindStyle } from '../canvas/kinds.ts';
import { NodeIcon } from '../canvas/node-icon.tsx';
import { DraftNotes } from '../forms/draft-notes.tsx';
import { useDraft } from '../forms/draft.ts';
import { FieldView } from '../forms/field-view.tsx';
import { ERRORS, FLOW, FOR_EACH, RETRY } from '../forms/envelope-fields.ts';
import { guardedWrite } from '../forms/field-value.ts';
import type { Field } from '../../../language/nodes/form-field.ts';
import { filterFields, listFields } from '../forms/fields.ts';
import { describeProblem } from '../forms/problem-words.ts';
import { TextBox } from '../forms/text-box.tsx';
import { findProblems, formatProblemPointer } from '../forms/field-place.ts';
import { findFace } from '../../../language/nodes/faces.ts';
import { InputData } from './input-data.tsx';
import { JsonView } from './json-view.tsx';
import { NodeId } from './node-id.tsx';
import { TryNode } from './try-node.tsx';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';
import { trustWords } from '../words-trust.ts';
import { toText } from '../forms/formats.ts';

// Few nodes ask people, and the form of it is not needed before it is unfolded.
const ConfirmSettings = lazy(async () => ({
  default: (await import('./confirm-settings.tsx')).ConfirmSettings,
}));

const TrustSettings = lazy(async () => ({
  default: (await import('./trust-settings.tsx')).TrustSettings,
}));

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
      <Button size="compact-xs" variant="light" onClick={() => void connection.locks.takeOver(nodeId)}>
        {editorWords.node.takeOver}
      </Button>
    </div>
  );
}

/** The node is gone, and its form is kept for what is being typed. */
function Deleted({ nodeId }: { readonly nodeId: string }) {
  const { drafts } = useEditing().connection;
  return (
    <div className="wc-locked" role="alert">
      <Trash2 size={14} aria-hidden />
      <span>{fieldWords.nodeDeleted(drafts.authors.find(`node:${nodeId}`))}</span>
      <Button size="compact-xs" variant="light" onClick={() => drafts.held.putNodeBack(nodeId)}>
        {fieldWords.putNodeBack}
      </Button>
    </div>
  );
}

/** The form holds its fields while somebody is in it, also when a colleague deletes the node: until the focus goes elsewhere. */
function useHeldForm(nodeId: string) {
  const { drafts } = useEditing().connection;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const close = drafts.held.open(
      `node:${nodeId}`,
      () => form.current?.contains(document.activeElement) ?? false,
    );
    const onElsewhere = ({ target }: Event): void => {
      // Menus and completions of its fields stand at the end of the page.
      const isCanvasOrFrame =
        target instanceof Element && target.closest('.wc-panel, [data-portal]') === null;
      if (isCanvasOrFrame) drafts.held.leave(`node:${nodeId}`);
    };
    const events = ['focusin', 'pointerdown'] as const;
    for (const event of events) document.addEventListener(event, onElsewhere);
    return () => {
      for (const event of events) document.removeEventListener(event, onElsewhere);
      close();
    };
  }, [drafts, nodeId]);
  return form;
}

function Name({ nodeId }: { readonly nodeId: string }) {
  const field = {
    entity: `node:${nodeId}`,
    ptr: '/name',
    label: editorWords.node.name,
    format: 'name',
  } as const;
  const draft = useDraft(field);
  return (
    <>
      <TextInput
        label={editorWords.node.name}
        error={draft.draft?.problem}
        value={toText(draft.typed)}
        onChange={({ currentTarget }) => draft.change(currentTarget.value)}
        onBlur={draft.leave}
      />
      <DraftNotes {...draft} />
    </>
  );
}

interface SettingsProps extends NodeFormProps {
  readonly problems: readonly Problem[];
  readonly isReadOnly: boolean;
}

/** The settings that every kind of node has: its list, errors and retries, and its place in the flow. */
function Settings({ nodeId, node, problems, isReadOnly }: SettingsProps) {
  const { connection } = useEditing();
  const hasList = isObject(ownValue(node, 'for_each'));
  const setList = (isOn: boolean): void => {
    const list = { entity: `node:${nodeId}`, ptr: '/for_each' } as const;
    const op = guardedWrite(list, node, isOn ? { items: '' } : undefined);
    connection.edit(op, { label: `edit ${nodeId}` });
  };
  const place = { entity: `node:${nodeId}`, config: node, base: [], isReadOnly } as const;
  const show = (fields: readonly Field[]) => (
    <div className="wc-stack">
      {filterFields('node', fields, node).map((field) => (
        <FieldView key={field.ptr} {...place} field={field} problems={findProblems(problems, field.ptr)} />
      ))}
    </div>
  );
  const hasProblem = (fields: readonly Field[]): boolean =>
    fields.some(({ ptr }) => findProblems(problems, ptr).length > 0);
  return (
    <>
      <details open={hasList}>
        <summary>{editorWords.node.forEach}</summary>
        <div className="wc-stack">
          <Switch
            label={editorWords.node.forEachSwitch}
            disabled={isReadOnly}
            checked={hasList}
            onChange={({ currentTarget }) => setList(currentTarget.checked)}
          />
          {hasList && show(FOR_EACH)}
        </div>
      </details>
      <Confirm {...{ nodeId, node, problems, isReadOnly }} />
      <Trust {...{ nodeId, node, problems, isReadOnly }} />
      <details open={hasProblem([...ERRORS, ...RETRY])}>
        <summary>{editorWords.node.errors}</summary>
        {show([...ERRORS, ...RETRY])}
      </details>
      <details open={hasProblem(FLOW) || isObject(ownValue(node, 'state_updates'))}>
        <summary>{editorWords.node.flow}</summary>
        {show(FLOW)}
      </details>
    </>
  );
}

/** The approval before the request leaves; a node that cannot have one shows it only to remove it. */
function Confirm(props: SettingsProps) {
  const { node } = props;
  const isOn = isObject(ownValue(node, 'confirm'));
  if (!isOn && findFace(readText(node, 'type'))?.canConfirm !== true) return null;
  return (
    <details open={isOn}>
      <summary>{editorWords.node.confirm}</summary>
      <Suspense>
        <ConfirmSettings {...props} />
      </Suspense>
    </details>
  );
}

/** The texts of others that its author vouches for, shown where there are some, or one is warned of. */
function Trust(props: SettingsProps) {
  const { node, problems } = props;
  const isWarned = problems.some(({ code }) => code === 'untrusted_to_sensitive');
  if (!isWarned && ownValue(node, 'trusted_values') === undefined) return null;
  return (
    <details open={isWarned}>
      <summary>{trustWords.title}</summary>
      <Suspense>
        <TrustSettings {...props} />
      </Suspense>
    </details>
  );
}

export function NodeForm({ nodeId, node }: NodeFormProps) {
  const { connection, run } = useEditing();
  const form = useHeldForm(nodeId);
  const isDeleted = useHeldNode(nodeId) !== undefined;
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
  const kind = findKindStyle(type);
  const stored = ownValue(node, 'config');
  const config = isObject(stored) ? stored : {};
  const fields = listFields(type, config);
  const listProblems = (ptr: string) => findProblems(problems, `/config${ptr}`);
  const settings = filterFields('node', [...FOR_EACH, ...ERRORS, ...RETRY, ...FLOW], node);
  const shown = new Set([
    ...fields.flatMap(({ ptr }) => listProblems(ptr)),
    ...settings.flatMap(({ ptr }) => findProblems(problems, ptr)),
  ]);
  // The form of the approval shows all below its place.
  const isOfApproval = (problem: Problem): boolean => formatProblemPointer(problem).startsWith('/confirm/');
  const rest = problems.filter((problem) => !shown.has(problem) && !isOfApproval(problem));
  return (
    <div className="wc-form wc-node-form" ref={form}>
      <div className="wc-form-head">
        <NodeIcon kind={kind} />
        <div>
          <b>{readText(node, 'name') || nodeId}</b>
          <small>{kind.hint}</small>
        </div>
        <Button size="compact-sm" variant="light" ml="auto" flex="none" onClick={() => run('try')}>
          {editorWords.node.test}
        </Button>
      </div>
      {isDeleted && <Deleted nodeId={nodeId} />}
      {holder !== null && <LockedBy nodeId={nodeId} text={holder} />}
      {rest.map((problem) => (
        <p className="wc-trouble" key={problem.message}>
          {describeProblem(problem)}
        </p>
      ))}
      <Name nodeId={nodeId} />
      <NodeId nodeId={nodeId} node={node} isReadOnly={isReadOnly} />
      <InputData nodeId={nodeId} />
      {fields.map((field) => (
        <FieldView
          key={`${field.ptr} ${field.widget}`}
          entity={`node:${nodeId}`}
          config={config}
          field={field}
          problems={listProblems(field.ptr)}
          isReadOnly={isReadOnly}
        />
      ))}
      <Settings nodeId={nodeId} node={node} problems={problems} isReadOnly={isReadOnly} />
      <details>
        <summary>{editorWords.node.configAsJson}</summary>
        <TextBox
          field={{
            entity: `node:${nodeId}`,
            ptr: '/config',
            label: editorWords.node.config,
            format: 'object',
          }}
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
