/** Collects the input of a run of the draft or of the live version: as a form of its input parameters, or as JSON. */
import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { writeDocument } from '../../../features/canvas/room/document.ts';
import type { WorkflowClient } from '../../client/client.ts';
import { parseExactJson } from '../../../language/graph/values/exact-json.ts';
import { mockPins } from '../../../language/graph/definition/pins.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import type { CanvasConnection } from '../canvas/canvas-connection.ts';
import { fetchPins } from '../canvas/pins.ts';
import type { RunClient } from '../canvas/run-client.ts';
import {
  InputForm,
  listUnshown,
  readInput,
  readParameters,
  showInput,
  writeInput,
} from '../forms/input-form.tsx';
import { useStoredWorkflow } from '../canvas/use-stored-workflow.ts';
import { describeError } from '../kit/describe-error.ts';
import { keptAt } from '../kit/kept-state.ts';
import { editorWords } from '../words-editor.ts';
import { TestEvent } from '../webhooks/test-event.tsx';
import { fieldWords } from '../words-fields.ts';

const { dialogs: said } = editorWords;
const EXAMPLE = { text: 'Hello' };
const CODE = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

/** @returns the object, or the reason in words why the text is none */
function parseObject(text: string): JsonObject | string {
  try {
    const value = parseExactJson(text);
    return isObject(value) ? value : said.notObject;
  } catch {
    return text.trimStart().startsWith('{') ? said.notJson : said.notObject;
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
  const [first] = useState(() => keptAt('run-input', connection.owner).read() ?? writeText(EXAMPLE));
  const [isJson, setJson] = useState(parameters.length === 0);
  const [text, setText] = useState(first);
  const [given] = useState((): JsonObject => {
    const kept = parameters.length === 0 ? null : connection.board.lastInput;
    return isObject(kept) ? kept : {};
  });
  const [texts, setTexts] = useState(() => showInput(parameters, given));
  const [unshown, setUnshown] = useState(() => listUnshown(parameters, given));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const fillForm = (input: JsonObject): void => {
    setTexts(showInput(parameters, input));
    setUnshown(listUnshown(parameters, input));
    setProblems({});
  };
  return {
    parameters,
    isJson,
    text,
    setText,
    texts,
    /** Keys that are sent beside the parameters of the form. */
    others: Object.keys(unshown).filter((key) => parameters.every(({ name }) => name !== key)),
    problems,
    change: (next: typeof texts) => {
      setTexts(next);
      setProblems({});
    },
    fill: (input: JsonObject) => {
      setText(writeText(input));
      fillForm(input);
    },
    /** Shows the other view of what is typed. @returns why a text is not shown as a form, and stays where it is; null when it is */
    toggle: (): string | null => {
      if (isJson) {
        const input = parseObject(text);
        if (typeof input === 'string') return input;
        fillForm(input);
      } else setText(writeText({ ...unshown, ...writeInput(parameters, texts) }));
      setJson(!isJson);
      return null;
    },
    /** @returns the input, or the reason in words why there is none */
    read: (): JsonObject | string => {
      if (isJson) return parseObject(text);
      const reading = readInput(parameters, texts);
      setProblems(reading.problems);
      if (Object.keys(reading.problems).length > 0) return said.notComplete;
      return { ...unshown, ...reading.input };
    },
  };
}

export function RunDialog({ connection, client, runs, onClose }: RunDialogProps) {
  const input = useInput(connection);
  const [trouble, setTrouble] = useState('');
  const [isStarting, setStarting] = useState(false);
  const isDeployed = typeof useStoredWorkflow().data?.live_deployment_id === 'string';
  const start = async (isLive: boolean): Promise<void> => {
    // A second click, or Enter while the first is under way, would start a second run.
    if (isStarting) return;
    const value = input.read();
    if (typeof value === 'string') return setTrouble(value);
    setStarting(true);
    const refusal = await send(value, isLive);
    if (refusal === null) return onClose();
    setStarting(false);
    setTrouble(refusal);
  };
  /** @returns why it did not start; null when it did */
  const send = async (value: JsonObject, isLive: boolean): Promise<string | null> => {
    keptAt('run-input', connection.owner).write(writeText(value));
    const { view, workflowId } = connection;
    const pins = isLive
      ? new Map<string, Json>()
      : await fetchPins(client, view).catch((error: Error) => error);
    if (pins instanceof Error) return describeError(pins);
    const what = isLive
      ? { workflow_id: workflowId }
      : { workflow: mockPins(writeDocument(view), pins), attribution_workflow_id: workflowId };
    return runs.start({ ...what, input: value });
  };
  return (
    <Modal opened onClose={onClose} title={said.run} size="lg">
      <form
        noValidate
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void start(false);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          void start(false);
        }}
      >
        <Stack>
          {input.isJson ? (
            <Textarea
              data-autofocus
              label={said.input}
              autosize
              minRows={8}
              maxRows={20}
              spellCheck={false}
              value={input.text}
              styles={CODE}
              onChange={({ currentTarget }) => input.setText(currentTarget.value)}
            />
          ) : (
            <>
              <InputForm {...input} takesFocus onChange={input.change} />
              {input.others.length > 0 && (
                <Text size="sm" c="dimmed">
                  {said.alsoSent(input.others.join(', '))}
                </Text>
              )}
            </>
          )}
          {input.parameters.length > 0 && (
            <div>
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                onClick={() => setTrouble(input.toggle() ?? '')}
              >
                {fieldWords.editAs[input.isJson ? 'form' : 'json']}
              </Button>
            </div>
          )}
          <TestEvent client={client} workflowId={connection.workflowId} onInput={input.fill} />
          {trouble !== '' && (
            <Alert color="red" role="alert">
              {trouble}
            </Alert>
          )}
          <Group justify="flex-end">
            {isDeployed && (
              <Button variant="default" disabled={isStarting} onClick={() => void start(true)}>
                {said.runLive}
              </Button>
            )}
            <Button type="submit" loading={isStarting}>
              {said.runDraft}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
