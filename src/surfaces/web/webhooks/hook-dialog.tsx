/**
 * The dialog of a webhook, new or present: its name, how its sender proves itself, its filter and mapping, its duplicates, and its
 * response.
 */
import { JsonInput, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Body, Reply } from '../../client/operations.ts';
import { isObject, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { useUncachedRequest } from '../forms/use-uncached-request.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { NameInput } from '../kit/name-input.tsx';
import { listOptions } from '../kit/list-options.ts';
import { DuplicateFields, type Duplicates } from './duplicate-fields.tsx';
import { Secrets } from './secret-fields.tsx';
import { buildSignature, readSignature, SignatureFields } from './signature-fields.tsx';
import { webhookWords } from '../words-webhooks.ts';
import { words } from '../words.ts';

export type Hook = Reply<'listHooks'>['hooks'][number];
/** The fields that a new webhook and a change have in common. */
type HookDraft = Body<'createHook'> & Body<'updateHook'>;
type Verification = keyof typeof webhookWords.verifications;
type Answer = keyof typeof webhookWords.answers;

const VERIFICATIONS = Object.keys(webhookWords.verifications) as Verification[];
const ANSWERS = Object.keys(webhookWords.answers) as Answer[];
const METHODS = ['POST', 'PUT', 'GET'] as const;
const FIELDS = [
  'name',
  'signature',
  'secrets',
  'methods',
  'filter',
  'mapping',
  'thread_id',
  'deduplicate_by',
  'id_header',
  'response',
];

/** The text fields of the dialog, as they are typed. */
interface HookFields {
  readonly name: string;
  readonly secret: string;
  readonly otherSecret: string;
  readonly filter: string;
  readonly mapping: string;
  readonly threadId: string;
  readonly status: number | null;
  readonly body: string;
}

const showJson = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

/** Reads a JSON text; an empty one is null. @returns undefined for a text that is no JSON */
function readJson(text: string): Json | undefined {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function readHook(hook: Hook | null): HookFields {
  const response = (hook?.response ?? {}) as JsonObject;
  const { status } = response;
  return {
    name: hook?.name ?? '',
    secret: '',
    otherSecret: '',
    filter: showJson(hook?.filter as Json | undefined),
    mapping: showJson(hook?.mapping as Json | undefined),
    threadId: hook?.thread_id ?? '',
    status: typeof status === 'number' ? status : null,
    body: showJson(response['body']),
  };
}

/** Builds the response; headers, which the dialog does not show, stay as they are. */
function buildResponse(
  mode: Answer,
  { status, body }: HookFields,
  before: Json | undefined,
): HookDraft['response'] {
  if (mode !== 'result') return { mode };
  const { headers } = (isObject(before) ? before : {}) as { headers?: Record<string, string> };
  const template = readJson(body);
  return {
    mode,
    ...(status === null ? {} : { status }),
    ...(headers === undefined ? {} : { headers }),
    ...(template === null || template === undefined ? {} : { body: template }),
  };
}

interface HookDialogProps {
  /** The webhook that is changed; null: a new one. */
  readonly hook: Hook | null;
  readonly onClose: () => void;
  readonly onSave: (draft: HookDraft) => Promise<void>;
}

export function HookDialog({ hook, onClose, onSave }: HookDialogProps) {
  const { isPending, error, send } = useUncachedRequest();
  const [typed, setTyped] = useState(() => readHook(hook));
  const [verification, setVerification] = useState<Verification>(hook?.verification ?? 'none');
  const [signature, setSignature] = useState(() => readSignature(hook?.signature ?? null));
  const [answer, setAnswer] = useState<Answer>((hook?.response['mode'] as Answer | undefined) ?? 'accepted');
  const [duplicates, setDuplicates] = useState<Duplicates>({
    by: hook?.deduplicate_by ?? 'sender_id',
    idHeader: hook?.id_header ?? '',
  });
  const [methods, setMethods] = useState<readonly string[]>(hook?.methods ?? ['POST', 'PUT']);
  const type = (change: Partial<HookFields>): void => setTyped({ ...typed, ...change });
  const hasSecret = verification !== 'none';
  const isDescribed = verification === 'hmac';
  const secrets = [typed.secret, typed.otherSecret].filter((secret) => secret !== '');
  const keepsSecrets = hook !== null && hook.verification === verification && secrets.length === 0;
  const [filter, mapping] = [readJson(typed.filter), readJson(typed.mapping)];
  const isJson = filter !== undefined && mapping !== undefined && readJson(typed.body) !== undefined;
  return (
    <FormDialog
      title={hook === null ? webhookWords.new : webhookWords.editTitle(hook.name)}
      action={hook === null ? words.create : words.save}
      isReady={
        typed.name.trim() !== '' &&
        methods.length > 0 &&
        isJson &&
        (!isDescribed || signature.header.trim() !== '') &&
        (!hasSecret || keepsSecrets || secrets.length > 0)
      }
      isPending={isPending}
      error={withoutFields(error, FIELDS)}
      onClose={onClose}
      onSubmit={() =>
        send(() =>
          onSave({
            name: typed.name.trim(),
            verification,
            signature: isDescribed ? buildSignature(signature) : null,
            ...(keepsSecrets ? {} : { secrets: hasSecret ? secrets : [] }),
            methods,
            filter: filter ?? null,
            mapping: (mapping as JsonObject | undefined) ?? null,
            thread_id: typed.threadId.trim() === '' ? null : typed.threadId.trim(),
            deduplicate_by: duplicates.by,
            id_header: duplicates.idHeader.trim() === '' ? null : duplicates.idHeader.trim(),
            response: buildResponse(answer, typed, hook?.response as Json | undefined),
          } as HookDraft),
        )
      }
    >
      <NameInput value={typed.name} error={error} onChange={(name) => type({ name })} />
      <Select
        label={webhookWords.verification}
        data={listOptions(VERIFICATIONS, webhookWords.verifications)}
        value={verification}
        allowDeselect={false}
        onChange={(value) => setVerification(value as Verification)}
      />
      {isDescribed && <SignatureFields typed={signature} error={error} onChange={setSignature} />}
      {hasSecret && (
        <Secrets typed={typed} verification={verification} hook={hook} error={error} onType={type} />
      )}
      <MultiSelect
        label={webhookWords.methods}
        description={webhookWords.methodsWhy}
        data={METHODS}
        value={[...methods]}
        error={findFieldProblem(error, 'methods')}
        onChange={setMethods}
      />
      <RequestFields typed={typed} error={error} onType={type} />
      <DuplicateFields
        value={duplicates}
        verification={verification}
        error={error}
        onChange={setDuplicates}
      />
      <Select
        label={webhookWords.answer}
        data={listOptions(ANSWERS, webhookWords.answers)}
        value={answer}
        allowDeselect={false}
        error={answer === 'result' ? undefined : findFieldProblem(error, 'response')}
        onChange={(value) => setAnswer(value as Answer)}
      />
      {answer === 'result' && (
        <>
          <NumberInput
            label={webhookWords.status}
            placeholder="200"
            min={200}
            max={299}
            allowDecimal={false}
            value={typed.status ?? ''}
            onChange={(value) => type({ status: value === '' ? null : Number(value) })}
          />
          <JsonField
            label={webhookWords.body}
            description={webhookWords.bodyWhy}
            value={typed.body}
            error={findFieldProblem(error, 'response')}
            onChange={(text) => type({ body: text })}
          />
        </>
      )}
    </FormDialog>
  );
}

interface RequestFieldsProps {
  readonly typed: HookFields;
  readonly error: Error | null;
  readonly onType: (change: Partial<HookFields>) => void;
}

/** The fields that say what becomes of a request: whether it starts a run, with which input, on which thread. */
const RequestFields = ({ typed, error, onType }: RequestFieldsProps) => (
  <>
    <JsonField
      label={webhookWords.filter}
      description={webhookWords.filterWhy}
      value={typed.filter}
      error={findFieldProblem(error, 'filter')}
      onChange={(text) => onType({ filter: text })}
    />
    <JsonField
      label={webhookWords.mapping}
      description={webhookWords.mappingWhy}
      value={typed.mapping}
      error={findFieldProblem(error, 'mapping')}
      onChange={(text) => onType({ mapping: text })}
    />
    <TextInput
      label={webhookWords.thread}
      description={webhookWords.threadWhy}
      autoComplete="off"
      spellCheck={false}
      value={typed.threadId}
      error={findFieldProblem(error, 'thread_id')}
      onChange={({ currentTarget }) => onType({ threadId: currentTarget.value })}
    />
  </>
);

interface JsonFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

const JsonField = ({ error, ...props }: JsonFieldProps) => (
  <JsonInput
    {...props}
    autosize
    minRows={2}
    maxRows={12}
    spellCheck={false}
    error={readJson(props.value) === undefined ? webhookWords.noJson : error}
  />
);
