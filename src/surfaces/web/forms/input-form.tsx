/** A form for JSON: of a run's input, with a field for each parameter of the workflow, and of the answer to a question. */
import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { readFixedValue } from '../../../language/graph/schema/fixed-value.ts';
import { parseExactJson } from '../../../language/graph/values/exact-json.ts';
import {
  isObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useStoredText } from '../kit/use-stored-text.ts';
import { fieldWords } from '../words-fields.ts';
import { describeNumberProblem, parseExactNumber, type ParsedValue } from './formats.ts';
import { listProperties } from './schema-edits.ts';

interface Parameter {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  /** Empty: any text. */
  readonly options: readonly string[];
  readonly isRequired: boolean;
  readonly description: string;
  readonly fallback: Json | undefined;
}

/** Reads the declared parameters; entries without a name are left out. */
export const readParameters = (declared: Json | undefined): Parameter[] =>
  (Array.isArray(declared) ? declared : [])
    .filter((one): one is JsonObject => isObject(one))
    .map((one) => ({
      name: readText(one, 'name'),
      title: readText(one, 'name'),
      options: [],
      type: readText(one, 'type') || 'string',
      isRequired: ownValue(one, 'required') === true,
      description: readText(one, 'description'),
      fallback: ownValue(one, 'default'),
    }))
    .filter(({ name }) => name !== '');

/** The fields that take one value alone, which is sent unseen. */
const readFixed = (form: JsonObject | null): JsonObject =>
  Object.fromEntries(
    listProperties(form ?? undefined).flatMap(({ name, schema }) => {
      const value = readFixedValue(schema);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Reads the fields of a question's form, which is a JSON Schema. */
const readFormFields = (form: JsonObject | null, fixed: JsonObject): Parameter[] =>
  listProperties(form ?? undefined)
    .filter(({ name }) => !Object.hasOwn(fixed, name))
    .map(({ name, schema: given, isRequired }) => {
      const schema = isObject(given) ? given : {};
      const choices = ownValue(schema, 'enum');
      return {
        name,
        isRequired,
        title: readText(schema, 'title') || name,
        type: readText(schema, 'type') || 'string',
        options: (Array.isArray(choices) ? choices : []).filter((one) => typeof one === 'string'),
        description: readText(schema, 'description'),
        fallback: ownValue(schema, 'default'),
      };
    });

const isNumber = ({ type }: Parameter): boolean => type === 'number' || type === 'integer';
const isJson = ({ type }: Parameter): boolean => !['string', 'number', 'integer', 'boolean'].includes(type);

const showValue = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

function readValue(parameter: Parameter, text: string): ParsedValue {
  if (parameter.type === 'boolean' && (text !== '' || parameter.isRequired))
    return { value: text === 'true' };
  if (text.trim() === '')
    return parameter.isRequired ? { problem: fieldWords.isRequired } : { value: undefined };
  if (isNumber(parameter)) {
    const value = parseExactNumber(text.trim());
    if (value === null) return { problem: describeNumberProblem(text) };
    const isFraction = parameter.type === 'integer' && !Number.isInteger(value);
    return isFraction ? { problem: fieldWords.notWhole } : { value };
  }
  if (!isJson(parameter)) return { value: text };
  try {
    return { value: parseExactJson(text) };
  } catch {
    return { problem: fieldWords.notJson };
  }
}

/** Typed texts by the name of their parameter. */
type InputTexts = Readonly<Record<string, string>>;

/** Fills the texts of the parameters from an input, and from their defaults where it has none. */
export const showInput = (parameters: readonly Parameter[], input: JsonObject): InputTexts =>
  Object.fromEntries(
    parameters.map(({ name, fallback }) => {
      const value = ownValue(input, name);
      return [name, showValue(value === undefined ? fallback : value)];
    }),
  );

/** The entries of an input that the form has no text for: other keys, null and the empty text. */
export const listUnshown = (parameters: readonly Parameter[], input: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([key, value]) => showValue(value) === '' || parameters.every(({ name }) => name !== key),
    ),
  );

/** Writes an input that has each text as it was typed: one that is no value of its parameter stays a text. */
export function writeInput(parameters: readonly Parameter[], texts: InputTexts): JsonObject {
  const { input, problems } = readInput(parameters, texts);
  for (const name of Object.keys(problems)) {
    const text = texts[name] ?? '';
    if (text.trim() !== '') setOwn(input, name, text);
  }
  return input;
}

interface ReadInput {
  readonly input: JsonObject;
  readonly problems: Readonly<Record<string, string>>;
}

/** Reads the input from the texts, and the problem of each text that is none. */
export function readInput(parameters: readonly Parameter[], texts: InputTexts): ReadInput {
  const input: JsonObject = {};
  const problems: Record<string, string> = {};
  for (const parameter of parameters) {
    const reading = readValue(parameter, texts[parameter.name] ?? '');
    if ('problem' in reading) problems[parameter.name] = reading.problem;
    else if (reading.value !== undefined) setOwn(input, parameter.name, reading.value);
  }
  return { input, problems };
}

interface InputFormProps {
  readonly parameters: readonly Parameter[];
  readonly texts: InputTexts;
  /** The problems to show, by name. */
  readonly problems: ReadInput['problems'];
  readonly onChange: (texts: InputTexts) => void;
  /** Whether its first field takes the focus. */
  readonly takesFocus?: boolean;
}

// A label breaks only between its words: one long word would be cut at the edge of a card.
const WRAPPED = { style: { overflowWrap: 'anywhere' } } as const;

export function InputForm({ parameters, texts, problems, onChange, takesFocus = false }: InputFormProps) {
  return (
    <>
      {parameters.map((parameter, at) => {
        const { name, title, type, options, description, isRequired } = parameter;
        const set = (text: string): void => onChange({ ...texts, [name]: text });
        const common = {
          label: title,
          description: description === '' ? undefined : description,
          error: problems[name],
          'data-autofocus': takesFocus && at === 0 ? true : undefined,
          autoFocus: takesFocus && at === 0,
        };
        if (type === 'boolean')
          return (
            <Switch
              key={name}
              {...common}
              checked={texts[name] === 'true'}
              onChange={({ currentTarget }) => set(String(currentTarget.checked))}
            />
          );
        const text = { ...common, labelProps: WRAPPED, required: isRequired, value: texts[name] ?? '' };
        if (options.length > 0)
          return (
            <NativeSelect
              key={name}
              {...text}
              data={['', ...options]}
              onChange={({ currentTarget }) => set(currentTarget.value)}
            />
          );
        if (isNumber(parameter))
          return (
            <TextInput
              key={name}
              {...text}
              inputMode="decimal"
              onChange={({ currentTarget }) => set(currentTarget.value)}
            />
          );
        return (
          <Textarea
            key={name}
            {...text}
            autosize
            minRows={isJson(parameter) ? 3 : 1}
            maxRows={10}
            spellCheck={!isJson(parameter)}
            onChange={({ currentTarget }) => set(currentTarget.value)}
          />
        );
      })}
    </>
  );
}

/** Reads the kept texts of an answer; none where nothing is kept. */
function readKept(text: string): InputTexts {
  const kept = text === '' ? null : parseExactJson(text);
  return isObject(kept)
    ? Object.fromEntries(
        Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      )
    : {};
}

/** The answer to a question as it is typed; it is kept until it is accepted, on whichever page it is given. */
export function useAnswerForm(interruptId: string, form: JsonObject | null) {
  const fixed = readFixed(form);
  const parameters = readFormFields(form, fixed);
  // Texts that were typed for another revision of the question are no answer to this one.
  const revision = Object.values(fixed).map(showValue).join(' ');
  const [kept, keep] = useStoredText(`answer ${interruptId} ${revision}`.trim());
  // Only the comment is about no revision.
  const [keptComment, keepComment] = useStoredText(`comment ${interruptId}`);
  const comment: InputTexts = revision === '' || keptComment === '' ? {} : { comment: keptComment };
  const typed: InputTexts = { ...readKept(kept), ...comment };
  const texts = { ...showInput(parameters, {}), ...typed };
  const [problems, setProblems] = useState<ReadInput['problems']>({});
  const change = (next: InputTexts): void => {
    keep(JSON.stringify(next));
    if (revision !== '') keepComment(next['comment'] ?? '');
  };
  return {
    fields: <InputForm parameters={parameters} texts={texts} problems={problems} onChange={change} />,
    /** Shows the problems of the fields. @returns null when there are some */
    read: (): JsonObject | null => {
      const reading = readInput(parameters, texts);
      setProblems(reading.problems);
      return Object.keys(reading.problems).length === 0 ? { ...reading.input, ...fixed } : null;
    },
    /** The typed texts with the titles of their fields; empty: nothing was typed. */
    typed: parameters
      .flatMap(({ name, title }) => {
        const text = typed[name] ?? '';
        return text === '' ? [] : [parameters.length === 1 ? text : `${title}: ${text}`];
      })
      .join('\n'),
    /** Forgets the texts: the answer was accepted. */
    drop: (): void => {
      keep('');
      keepComment('');
    },
  };
}
