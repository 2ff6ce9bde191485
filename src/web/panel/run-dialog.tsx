/** Collects the input of a run of the draft or of the live version: as a form of its input parameters, or as JSON. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { writeDocument } from '../../canvas/room/document.ts';
import type { WorkflowClient } from '../../client/client.ts';
import { parseExactJson } from '../../graph/exact-json.ts';
import { mockPins } from '../../graph/pins.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import type { CanvasConnection } from '../canvas/canvas-connection.ts';
import { fetchPins } from '../canvas/pins.ts';
import type { RunClient } from '../canvas/run-client.ts';
import { InputForm, readInput, readParameters, showInput } from '../forms/input-form.tsx';
import { useStoredWorkflow } from '../canvas/use-stored-workflow.ts';
import { editorWords } from '../words-editor.ts';
import { TestEvent } from '../webhooks/test-event.tsx';
import { fieldWords } from '../words-fields.ts';

const { dialogs: said } = editorWords;
/** The last input in this tab, of any workflow. */
const KEPT_KEY = 'run-input';
const EXAMPLE = { text: 'Hello' };

/** @returns null for a text that is not JSON, and for JSON that is no object */
function parseObject(text: string): JsonObject | null {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const writeText = (input: JsonObject): string => JSON.stringify(input, null, 2);

interface RunDialogProps {
  readonly connection: CanvasConnection;
  readonly client: WorkflowClient;
  readonly runs: RunClient;
  readonly onClose: () => void;
}

/** The input as it is typed: the form and the JSON are two views of it. */
function useInput(connection: CanvasConnection) {
  const parameters = readParameters(ownValue(connection.view.rest, 'input_parameters'));
  const [first] = useState(() => sessionStorage.getItem(KEPT_KEY) ?? writeText(EXAMPLE));
  const [isJson, setJson] = useState(parameters.length === 0);
  const [text, setText] = useState(first);
  const [texts, setTexts] = useState(() => {
    const kept = parameters.length === 0 ? null : connection.board.lastInput;
    return showInput(parameters, isObject(kept) ? kept : {});
  });
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  return {
    parameters,
    isJson,
    text,
    setText,
    texts,
    problems,
    change: (next: typeof texts) => {
      setTexts(next);
      setProblems({});
    },
    fill: (input: JsonObject) => {
      setText(writeText(input));
      setTexts(showInput(parameters, input));
      setProblems({});
    },
    /** Takes along what is typed; a text that is no object stays where it is. */
    toggle: () => {
      if (!isJson) setText(writeText(readInput(parameters, texts).input));
      else setTexts(showInput(parameters, parseObject(text) ?? {}));
      setJson(!isJson);
    },
    /** @returns the input, or the reason in words why there is none */
    read: (): JsonObject | string => {
      if (isJson) {
        const input = parseObject(text);
        if (input !== null) return input;
        return text.trimStart().startsWith('{') ? said.notJson : said.notObject;
      }
      const reading = readInput(parameters, texts);
      setProblems(reading.problems);
      return Object.keys(reading.problems).length === 0 ? reading.input : said.notComplete;
    },
  };
}

export function RunDialog({ connection, client, runs, onClose }: RunDialogProps) {
  const input = useInput(connection);
  const [trouble, setTrouble] = useState('');
  const isDeployed = typeof useStoredWorkflow().data?.live_deployment_id === 'string';
  const start = async (isLive: boolean): Promise<void> => {
    const value = input.read();
    if (typeof value === 'string') return setTrouble(value);
    sessionStorage.setItem(KEPT_KEY, writeText(value));
    const { view, workflowId } = connection;
    const pins = isLive
      ? new Map<string, Json>()
      : await fetchPins(client, view).catch((error: Error) => error);
    if (pins instanceof Error) return setTrouble(pins.message);
    const what = isLive
      ? { workflow_id: workflowId }
      : { workflow: mockPins(writeDocument(view), pins), attribution_workflow_id: workflowId };
    const refusal = await runs.start({ ...what, input: value });
    if (refusal === null) onClose();
    else setTrouble(refusal);
  };
  return (
    <>
      <div className="wc-veil wc-veil-dim" onPointerDown={onClose} />
      <div
        className="wc-menu wc-run"
        role="dialog"
        aria-label={said.run}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void start(false);
        }}
      >
        <h2>{editorWords.tools.run}</h2>
        <form
          className="wc-run-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void start(false);
          }}
        >
          {input.isJson ? (
            <label>
              {said.input}
              <textarea
                autoFocus
                className="wc-code"
                rows={8}
                spellCheck={false}
                value={input.text}
                onChange={({ currentTarget }) => input.setText(currentTarget.value)}
              />
            </label>
          ) : (
            <InputForm {...input} onChange={input.change} />
          )}
          {input.parameters.length > 0 && (
            <div>
              <Button size="compact-xs" variant="subtle" color="gray" onClick={input.toggle}>
                {input.isJson ? fieldWords.asForm : fieldWords.asJson}
              </Button>
            </div>
          )}
          <TestEvent client={client} workflowId={connection.workflowId} onInput={input.fill} />
          {trouble !== '' && (
            <p className="wc-trouble" role="alert">
              {trouble}
            </p>
          )}
          <footer>
            {isDeployed && (
              <button type="button" className="wc-button" onClick={() => void start(true)}>
                {said.runLive}
              </button>
            )}
            <button type="submit" className="wc-button wc-primary">
              {said.runDraft}
            </button>
          </footer>
        </form>
      </div>
    </>
  );
}
