/** The settings of a request for the model that answers, and the change of a definition that gives them to its node. */
import { invalid, type ApiError } from '../../base/errors.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../language/graph/values/value.ts';
import { answersJson, findAnswerSource } from './answer.ts';
import type { ChatRequest, ResponseFormat, ResponseRequest } from './schema.ts';

/** One setting, as the config of an llm or agent node has it. */
interface Setting {
  /** The parameter of the request, for errors. */
  readonly param: string;
  /** A field of `parameters` of the node, or its `response_format`. */
  readonly field: 'temperature' | 'max_output_tokens' | 'reasoning_effort' | 'response_format';
  readonly value: Json;
}
export type ModelSettings = readonly Setting[];

type GivenSetting = readonly [param: string, field: Setting['field'], value: Json | undefined];

const keepGiven = (given: readonly GivenSetting[]): ModelSettings =>
  given.flatMap(([param, field, value]) =>
    value === undefined || value === null ? [] : [{ param, field, value }],
  );

/** 1 is the value of OpenAI for a request without one: it leaves the temperature of the node. */
const readTemperature = (given: number | null | undefined): number | null =>
  given === 1 ? null : (given ?? null);

/** Converts a format to the `response_format` of a node; text is that of a node without one. */
function readFormat({ type, schema, strict }: ResponseFormat): Json {
  if (type === 'text') return null;
  if (type === 'json_object' || schema === null) return { type };
  return { type, schema, ...(strict === null ? {} : { strict }) };
}

/** Reads the settings of a chat completion. */
export function readChatSettings(body: ChatRequest): ModelSettings {
  const { response_format: format, max_completion_tokens: newer, max_tokens: older } = body;
  const named = format?.json_schema;
  return keepGiven([
    ['temperature', 'temperature', readTemperature(body.temperature)],
    [
      newer === undefined || newer === null ? 'max_tokens' : 'max_completion_tokens',
      'max_output_tokens',
      newer ?? older,
    ],
    ['reasoning_effort', 'reasoning_effort', body.reasoning_effort],
    [
      'response_format',
      'response_format',
      format &&
        readFormat({ type: format.type, schema: named?.schema ?? null, strict: named?.strict ?? null }),
    ],
  ]);
}

/** Reads the settings of a response. */
export function readResponseSettings({ text, reasoning, ...body }: ResponseRequest): ModelSettings {
  const format = text?.format;
  return keepGiven([
    ['temperature', 'temperature', readTemperature(body.temperature)],
    ['max_output_tokens', 'max_output_tokens', body.max_output_tokens],
    ['reasoning.effort', 'reasoning_effort', reasoning?.effort],
    [
      'text.format',
      'response_format',
      format &&
        readFormat({ type: format.type, schema: format.schema ?? null, strict: format.strict ?? null }),
    ],
  ]);
}

/** Presents the settings of a request as its response repeats them. */
export function presentSettings({
  temperature,
  max_output_tokens: maxTokens,
  reasoning,
  text,
}: ResponseRequest): JsonObject {
  const effort = reasoning?.effort ?? null;
  const format = text?.format ?? null;
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof maxTokens === 'number' ? { max_output_tokens: maxTokens } : {}),
    ...(effort === null ? {} : { reasoning: { effort, summary: null } }),
    ...(format === null ? {} : { text: { format: { ...format } as JsonObject } }),
  };
}

const refuse = (param: string, why: string): ApiError =>
  invalid([{ loc: ['body', ...param.split('.')], msg: why, type: 'unsupported_parameter' }]);

/** True when a node may not get a format: others may read the data that its own format gives. */
const hasOtherFormat = (config: JsonObject, { field, value }: Setting): boolean =>
  field === 'response_format' && answersJson(config) && ownValue(value, 'type') !== 'json_object';

/** Adds the settings to the config of a node; its own JSON is what `json_object` wants. */
function changeConfig(config: JsonObject, settings: ModelSettings): JsonObject {
  const kept = ownValue(config, 'parameters');
  const parameters = settings.filter(({ field }) => field !== 'response_format');
  const format = settings.find(({ field }) => field === 'response_format');
  return {
    ...config,
    ...(parameters.length === 0
      ? {}
      : {
          parameters: {
            ...(isObject(kept) ? kept : {}),
            ...Object.fromEntries(parameters.map(({ field, value }) => [field, value])),
          },
        }),
    ...(format === undefined || answersJson(config) ? {} : { response_format: format.value }),
  };
}

/**
 * Gives settings to the nodes whose text is the answer.
 * @throws ApiError 422 `unsupported_parameter` when the answer may be something else than the text of a model, or when a node
 *   has another format
 */
export function applySettings(definition: JsonObject, settings: ModelSettings): JsonObject {
  const [first] = settings;
  if (first === undefined) return definition;
  const { models, isAlwaysModel } = findAnswerSource(definition);
  if (!isAlwaysModel)
    throw refuse(first.param, 'Not supported: the answer of this workflow is not always the text of a model');
  const clash = models.flatMap(({ config }) =>
    settings.filter((setting) => hasOtherFormat(config, setting)),
  )[0];
  if (clash !== undefined) throw refuse(clash.param, 'Not supported: this workflow has a format of its own');
  const positions = new Set(models.map(({ position }) => position));
  const nodes = ownValue(definition, 'nodes');
  return {
    ...definition,
    nodes: (Array.isArray(nodes) ? nodes : []).map((node, position) => {
      if (!positions.has(position) || !isObject(node)) return node;
      // Keys of a node without a config are its config (SPEC DEF-2.0).
      const config = ownValue(node, 'config');
      return isObject(config)
        ? { ...node, config: changeConfig(config, settings) }
        : changeConfig(node, settings);
    }),
  };
}
