/** The settings of the workflow, shown while nothing is selected: name, input, output, state, and how it runs. */
import { Textarea, TextInput } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { hashValue } from '../../../features/canvas/room/document-measures.ts';
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import type { BatchOp } from '../../../features/canvas/room/operations.ts';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { formatPointer, parsePointer } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { DeleteButton } from '../kit/delete-button.tsx';
import type { CanvasConnection } from '../canvas/canvas-connection.ts';
import { useEditing } from '../canvas/context.ts';
import { AddButton } from '../forms/add-button.tsx';
import { DraftNotes } from '../forms/draft-notes.tsx';
import { useDraft } from '../forms/draft.ts';
import { listDeclaredFields, readEntity, type Entity } from '../forms/entity.ts';
import { INPUT_PARAMETERS, OUTPUT, RUN_SETTINGS, STATE_FIELD } from '../forms/envelope-fields.ts';
import { guardedWrite } from '../forms/field-value.ts';
import { filterFields } from '../forms/fields.ts';
import { FieldView } from '../forms/field-view.tsx';
import { toText } from '../forms/formats.ts';
import { KeyInput } from '../forms/key-input.tsx';
import { joinMessages } from '../forms/problem-words.ts';
import { findProblems, formatProblemPointer } from '../forms/field-place.ts';
import { useCaret } from '../forms/use-caret.ts';
import { McpSettings } from './mcp-settings.tsx';
import { OpenAiSettings } from './openai-settings.tsx';
import { editorWords } from '../words-editor.ts';
import { fieldWords } from '../words-fields.ts';

const { workflow: said } = editorWords;

/** Reads one entity of the open workflow, and renders again when it changes. */
function useEntity(entity: Entity): JsonObject {
  const { connection } = useEditing();
  const view = useSyncExternalStore(connection.subscribe, () => connection.view);
  return readEntity(view, entity) ?? {};
}

function useProblems(key: string): readonly Problem[] {
  const { problems } = useEditing();
  const all = useSyncExternalStore(problems.subscribe, () => problems.all);
  return all.filter(({ path }) => path[0] === key);
}

function Title() {
  const draft = useDraft({ entity: 'metadata', ptr: '/name', label: said.name, format: 'title' });
  return (
    <>
      <TextInput
        label={said.name}
        maxLength={255}
        error={draft.draft?.problem}
        value={toText(draft.typed)}
        onChange={({ currentTarget }) => draft.change(currentTarget.value)}
        onBlur={draft.leave}
      />
      <DraftNotes {...draft} />
    </>
  );
}

function Description() {
  const draft = useDraft({
    entity: 'metadata',
    ptr: '/description',
    label: said.description,
    format: 'text',
  });
  const text = toText(draft.typed ?? '');
  const caret = useCaret(text, draft.change);
  return (
    <>
      <Textarea
        {...caret}
        label={said.description}
        autosize
        minRows={2}
        maxRows={8}
        error={draft.draft?.problem}
        value={text}
        onBlur={draft.leave}
      />
      <DraftNotes {...draft} />
    </>
  );
}

/** Gives a state field another name; refused when somebody has changed it, or declared one of that name, meanwhile. */
function renameStateField(view: CanvasDocument, from: string, to: string): BatchOp | null {
  const fields = readEntity(view, 'state') ?? {};
  const field = ownValue(fields, from);
  if (field === undefined || ownValue(fields, to) !== undefined) return null;
  const hash = hashValue({ [from]: field });
  const part = {
    type: 'state-schema:update',
    set: { [to]: field },
    unset: [from],
    if: { ptr: '', hash },
  } as const;
  return { type: 'batch', reason: 'other', mode: 'atomic', ops: [part] };
}

/** Declares a state field, or deletes it: refused where a colleague has declared or changed it meanwhile. */
function writeStateField(connection: CanvasConnection, name: string, value: Json | undefined): void {
  const place = { entity: 'state', ptr: formatPointer([name]) } as const;
  const op = guardedWrite(place, readEntity(connection.view, 'state') ?? {}, value);
  connection.edit(op, { label: `${value === undefined ? 'delete' : 'add'} ${name}` });
}

interface StateFieldProps {
  readonly name: string;
  readonly value: Json | undefined;
  readonly taken: ReadonlySet<string>;
}

function StateField({ name, value, taken }: StateFieldProps) {
  const { connection } = useEditing();
  const config = isObject(value) ? value : {};
  const problems = useProblems('state_schema');
  const rename = (to: string): void => {
    connection.rebuilt.edit((view) => renameStateField(view, name, to), {
      label: fieldWords.undoRename(name, to),
    });
  };
  return (
    <div className="wc-card" role="group" aria-label={fieldWords.value(said.stateField, name)}>
      <div className="wc-card-head">
        <KeyInput
          label={said.stateField}
          name={name}
          taken={new Set([...taken].filter((one) => one !== name))}
          isReadOnly={false}
          onName={rename}
        />
        <DeleteButton
          label={fieldWords.deleteKey(name)}
          onClick={() => writeStateField(connection, name, undefined)}
        />
      </div>
      {filterFields('state_field', STATE_FIELD, config).map((field) => (
        <FieldView
          key={field.ptr}
          entity="state"
          config={config}
          base={[name]}
          field={field}
          problems={findProblems(problems, formatPointer([name, ...parsePointer(field.ptr)]))}
          isReadOnly={false}
        />
      ))}
    </div>
  );
}

function StateFields() {
  const { connection } = useEditing();
  const fields = useEntity('state');
  const problems = useProblems('state_schema').filter((problem) => formatProblemPointer(problem) === '');
  const [isAdding, setAdding] = useState(false);
  const taken = new Set([...Object.keys(fields), ...connection.view.nodes.order]);
  return (
    <div className="wc-stack" role="group" aria-label={said.state} data-entity="state" data-field="">
      <div className="wc-label">{said.state}</div>
      {problems.length > 0 && <p className="wc-trouble">{joinMessages(problems)}</p>}
      {listDeclaredFields(connection.view).map((name) => (
        <StateField key={name} name={name} value={ownValue(fields, name)} taken={taken} />
      ))}
      {isAdding && (
        <KeyInput
          label={said.stateField}
          name=""
          taken={taken}
          isReadOnly={false}
          autoFocus
          onName={(name) => {
            setAdding(false);
            writeStateField(connection, name, { reducer: 'none' });
          }}
        />
      )}
      <div>
        <AddButton label={said.addState} isReadOnly={false} onClick={() => setAdding(true)} />
      </div>
    </div>
  );
}

export function WorkflowSettings() {
  const config = useEntity('config');
  const workflow = useEntity('workflow');
  const metadata = useEntity('metadata');
  const problems = useProblems('config');
  const settings = { entity: 'config', config, base: [], isReadOnly: false } as const;
  return (
    <div className="wc-form wc-node-form">
      <Title />
      <Description />
      <FieldView
        entity="workflow"
        config={workflow}
        base={[]}
        field={INPUT_PARAMETERS}
        problems={[]}
        isReadOnly={false}
      />
      <div>
        <FieldView {...settings} field={OUTPUT} problems={findProblems(problems, OUTPUT.ptr)} />
        <p className="wc-hint">{said.output}</p>
      </div>
      <StateFields />
      <McpSettings metadata={metadata} />
      <OpenAiSettings />
      <details open={RUN_SETTINGS.some(({ ptr }) => findProblems(problems, ptr).length > 0)}>
        <summary>{said.runs}</summary>
        <div className="wc-stack">
          {filterFields('workflow_config', RUN_SETTINGS, {}).map((field) => (
            <FieldView
              key={field.ptr}
              {...settings}
              field={field}
              problems={findProblems(problems, field.ptr)}
            />
          ))}
        </div>
      </details>
    </div>
  );
}
