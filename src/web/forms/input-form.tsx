/** The form of a run's input: a field for each input parameter of the workflow. */
import { Switch, Textarea, TextInput } from '@mantine/core';
import { parseExactJson } from '../../graph/exact-json.ts';
import { isObject, ownValue, setOwn, type Json, type JsonObject } from '../../graph/value.ts';
import { readText } from '../canvas/binding.ts';
import { fieldWords } from '../words-fields.ts';
import { parseExactNumber } from './formats.ts';

interface Parameter {
  readonly name: string;
  readonly type: string;
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
      type: readText(one, 'type') || 'string',
      isRequired: ownValue(one, 'required') === true,
      description: readText(one, 'description'),
      fallback: ownValue(one, 'default'),
    }))
    .filter(({ name }) => name !== '');

const isNumber = ({ type }: Parameter): boolean => type === 'number' || type === 'integer';
const isJson = ({ type }: Parameter): boolean => !['string', 'number', 'integer', 'boolean'].includes(type);

const showValue = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

type Reading = { readonly value: Json | undefined } | { readonly problem: string };

function readValue(parameter: Parameter, text: string): Reading {
  if (text.trim() === '')
    return parameter.isRequired ? { problem: fieldWords.isRequired } : { value: undefined };
  if (parameter.type === 'boolean') return { value: text === 'true' };
  if (isNumber(parameter)) {
    const value = parseExactNumber(text.trim());
    const isWhole = parameter.type === 'number' || Number.isInteger(value);
    return value === null || !isWhole ? { problem: fieldWords.notNumber } : { value };
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

/** Fills the texts of the parameters from an input, and from their defaults. */
export const showInput = (parameters: readonly Parameter[], input: JsonObject): InputTexts =>
  Object.fromEntries(
    parameters.map(({ name, fallback }) => [name, showValue(ownValue(input, name) ?? fallback)]),
  );

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
}

export function InputForm({ parameters, texts, problems, onChange }: InputFormProps) {
  return (
    <>
      {parameters.map((parameter, at) => {
        const { name, type, description, isRequired } = parameter;
        const set = (text: string): void => onChange({ ...texts, [name]: text });
        const common = {
          label: name,
          description: description === '' ? undefined : description,
          error: problems[name],
          'data-autofocus': at === 0 ? true : undefined,
          autoFocus: at === 0,
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
        const text = { ...common, required: isRequired, value: texts[name] ?? '' };
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
