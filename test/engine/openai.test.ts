/** If this fails, a program that speaks to a model of OpenAI gets no answer of a workflow, a wrong one, or starts two runs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { ROOT } from '../../src/processes/local/paths.ts';
import { MAX_PER_USER } from '../../src/engine/runs/stream/stream-semaphore.ts';
import type { ApiServer, Tenant } from '../support/api-server.ts';
import { chain, http, node } from '../support/definitions.ts';
import { startEngineWithModel, type EngineWithModel } from '../support/engine-with-servers.ts';
import { serveEngine, type ServedEngine } from '../support/served-engine.ts';

let served: ServedEngine<EngineWithModel>;
let api: ApiServer;
let started: EngineWithModel;
let tenant: Tenant;
let url: string;
let client: OpenAI;
let apiKey: string;

const MESSAGE: JsonObject[] = [{ name: 'message', type: 'string', required: true }];
const MESSAGES: JsonObject[] = [{ name: 'messages', type: 'array', required: true }];

/** A workflow that answers with the text of a model. */
const answering = (input_parameters = MESSAGE): JsonObject => ({
  ...chain(
    node('answer', 'llm', {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: '{{input.message}}' }],
    }),
  ),
  input_parameters,
});
const asking = (): JsonObject => ({
  ...chain(node('ask', 'interrupt', { kind: 'approval', title: 'Go on?', actions: [{ id: 'yes' }] })),
  input_parameters: MESSAGE,
});
const sleeping = (): JsonObject => ({
  ...chain(node('pause', 'interrupt', { kind: 'wait', duration_seconds: 600 })),
  input_parameters: MESSAGE,
});

const deploy = (name: string, definition: JsonObject, by = tenant): Promise<string> =>
  served.deploy(name, definition, { by });

beforeAll(async () => {
  served = await serveEngine(startEngineWithModel);
  ({ api, started, tenant, url, apiKey } = served);
  client = new OpenAI({ apiKey, baseURL: `${url}/openai`, maxRetries: 0 });
});
afterAll(() => served.close());

const says = (content: string) => [{ role: 'user' as const, content }];
const countRuns = async (): Promise<number> =>
  (await api.deps.db.query<{ count: number }>('SELECT count(*)::int AS count FROM runs'))[0]!.count;

describe('models', () => {
  test('are the live workflows that take messages, under the slug of their name', async () => {
    await deploy('Listed & Named', answering());
    await deploy('Takes nothing', { ...answering(), input_parameters: [] });
    const needs = [...MESSAGE, { name: 'account', type: 'string', required: true }];
    await deploy('Needs more', answering(needs));
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toContain('listed-named');
    expect(ids).not.toContain('takes-nothing');
    expect(ids).not.toContain('needs-more');
    expect(await client.models.retrieve('listed-named')).toMatchObject({ object: 'model' });
  });

  test('of one name are listed under their ids, and the name alone is refused', async () => {
    const twins = [await deploy('Twin', answering()), await deploy('Twin', answering())];
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(twins));
    await expect(client.models.retrieve('twin')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });

  test('of another organization do not exist, neither by name nor by id', async () => {
    const stranger = await api.tenant();
    const foreign = await deploy('Foreign', answering(), stranger);
    for (const model of ['foreign', foreign])
      await expect(client.chat.completions.create({ model, messages: says('Hi') })).rejects.toMatchObject({
        status: 404,
        error: {
          code: 'model_not_found',
          type: 'invalid_request_error',
          message: `The model \`${model}\` does not exist`,
        },
      });
  });
});

describe('a chat completion', () => {
  test('is the text of the model, with its tokens', async () => {
    await deploy('Chat', answering());
    started.model.script({ text: ['Good ', 'day'] });
    const answer = await client.chat.completions.create({ model: 'chat', messages: says('Hello') });
    expect(answer.id).toMatch(/^chatcmpl-[0-9a-f-]{36}$/);
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Good day' },
    });
    expect(answer.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    expect(started.model.requests.at(-1)?.body['messages']).toEqual(says('Hello'));
  });

  test('gives a workflow that takes them all messages, with their texts joined', async () => {
    const echo = {
      ...chain(node('echo', 'transformer', { mode: 'map', fields: { all: '{{input.messages}}' } })),
    };
    await deploy('Echo', { ...echo, input_parameters: MESSAGES });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'developer', content: 'Be kind' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ];
    const answer = await client.chat.completions.create({ model: 'echo', messages });
    expect(JSON.parse(answer.choices[0]!.message.content!)).toEqual({
      all: [
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: 'a\nb' },
      ],
    });
  });

  test('streams the tokens of the model that answers, as they come, and its usage last', async () => {
    await deploy('Streams', answering());
    const pieces = Array.from({ length: 20 }, (_, index) => `t${index} `);
    started.model.script({ text: pieces, delayMs: 20 });
    const stream = await client.chat.completions.create({
      model: 'streams',
      messages: says('Hello'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ''));
    expect(deltas.join('')).toBe(pieces.join(''));
    expect(deltas.filter(Boolean).length).toBeGreaterThan(3);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 10 } });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
  });

  test('streams no tokens of a model whose text is not the answer', async () => {
    const llm = { provider: 'openai', model: 'test-model', messages: [{ role: 'user', content: 'x' }] };
    const fields = { reply: 'The draft has {{draft.usage.total_tokens}} tokens' };
    const definition = chain(
      node('draft', 'llm', llm),
      node('reply', 'transformer', { mode: 'map', fields }),
    );
    await deploy('Drafts', { ...definition, input_parameters: MESSAGE });
    started.model.script({ text: ['secret ', 'draft'] });
    const stream = client.chat.completions.stream({ model: 'drafts', messages: says('Hello') });
    expect(await stream.finalContent()).toBe('The draft has 10 tokens');
  });

  test('of a run that fails is refused with its reason, and the client does not repeat it', async () => {
    const failing = chain(http('call', started.recorder.url('refuses', { status: 404 })));
    await deploy('Fails', { ...failing, input_parameters: MESSAGE });
    const before = await countRuns();
    const patient = new OpenAI({ apiKey, baseURL: `${url}/openai`, maxRetries: 2 });
    const request = { model: 'fails', messages: says('Hello') };
    await expect(patient.chat.completions.create(request)).rejects.toMatchObject({
      status: 422,
      code: 'run_failed',
      type: 'run_error',
    });
    expect(await countRuns()).toBe(before + 1);
    const stream = await client.chat.completions.create({ ...request, stream: true });
    const read = async (): Promise<void> => {
      for await (const _ of stream) continue;
    };
    await expect(read()).rejects.toMatchObject({ code: 'run_failed' });
  });

  test('of a run that asks a person says which question, and how to answer it', async () => {
    await deploy('Asks', asking());
    const request = client.chat.completions.create({ model: 'asks', messages: says('Hello') });
    await expect(request).rejects.toMatchObject({
      status: 422,
      code: 'input_required',
      message: expect.stringMatching(
        /asks a person \(\S+\): answer with POST \/workflows\/resume\/[0-9a-f-]{36}/,
      ),
    });
  });

  test('gives its run the metadata that runs can have, streamed or not, and refuses what OpenAI refuses', async () => {
    await deploy('Labelled', answering());
    const customer = crypto.randomUUID();
    const request = { model: 'labelled', messages: says('Hello') };
    const metadata = { customer, 'a key with: spaces': 'b' };
    started.model.script({ text: ['One'] });
    await client.chat.completions.create({ ...request, metadata });
    started.model.script({ text: ['Two'] });
    const stream = await client.chat.completions.create({ ...request, metadata, stream: true });
    for await (const _ of stream) continue;
    const { runs } = (await tenant.call('GET', `/workflow-runs?metadata=customer:${customer}`)).body;
    expect(runs.map((run: { metadata: object }) => run.metadata)).toEqual([{ customer }, { customer }]);
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']));
    for (const wrong of [many, { ['k'.repeat(65)]: 'v' }, { k: 'v'.repeat(513) }])
      await expect(client.chat.completions.create({ ...request, metadata: wrong })).rejects.toMatchObject({
        status: 400,
      });
  });

  test('starts one run for requests with the same Idempotency-Key', async () => {
    await deploy('Once', answering());
    started.model.script({ text: ['Once'] });
    const before = await countRuns();
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
    const request = { model: 'once', messages: says('Hello') };
    const first = await client.chat.completions.create(request, options);
    const again = await client.chat.completions.create(request, options);
    expect(again).toEqual(first);
    expect(await countRuns()).toBe(before + 1);
  });
});

describe('parameters of the model', () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  };
  const named = { type: 'json_schema' as const, json_schema: { name: 'place', schema, strict: true } };
  const rome = '{"city":"Rome"}';
  const lastRequest = (): JsonObject => started.model.requests.at(-1)!.body as JsonObject;

  test('are given to the model that answers, in both APIs, and the next run is without them', async () => {
    await deploy('Tuned', answering());
    const request = { model: 'tuned', messages: says('Where?') };
    started.model.script({ text: [rome] });
    const chat = await client.chat.completions.create({
      ...request,
      response_format: named,
      temperature: 0.3,
      max_completion_tokens: 55,
    });
    expect(chat.choices[0]?.message.content).toBe(rome);
    const wanted = { response_format: { type: 'json_schema', json_schema: { schema } }, temperature: 0.3 };
    expect(lastRequest()).toMatchObject({ ...wanted, max_tokens: 55 });
    started.model.script({ text: [rome] });
    const response = await client.responses.create({
      model: 'tuned',
      input: 'Where?',
      text: { format: { type: 'json_schema', name: 'place', schema, strict: true } },
      temperature: 0.3,
      max_output_tokens: 55,
    });
    expect(lastRequest()).toMatchObject({ ...wanted, max_tokens: 55 });
    expect(await client.responses.retrieve(response.id)).toMatchObject({
      output_text: rome,
      temperature: 0.3,
      max_output_tokens: 55,
      text: { format: { type: 'json_schema', name: 'place', schema } },
    });
    started.model.script({ text: ['Plain'] });
    await client.chat.completions.create(request);
    for (const name of ['response_format', 'temperature', 'max_tokens'])
      expect(lastRequest()).not.toHaveProperty(name);
  });

  test('that ask for JSON get nothing but JSON, streamed or not, also after a repair', async () => {
    await deploy('Fenced', answering());
    const request = { model: 'fenced', messages: says('Where?'), response_format: named };
    const fenced = ['Here it is:\n```json\n', rome, '\n```'];
    started.model.script({ text: fenced });
    const whole = await client.chat.completions.create(request);
    expect(whole.choices[0]?.message.content).toBe(rome);
    started.model.script({ text: ['{"city":5}'] }, { text: fenced });
    const stream = client.chat.completions.stream(request);
    expect(await stream.finalContent()).toBe(rome);
    started.model.script({ text: ['no JSON'] }, { text: ['none again'] });
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({ code: 'run_failed' });
  });

  test('make a request with a used Idempotency-Key another one', async () => {
    await deploy('Keyed', answering());
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
    const request = { model: 'keyed', messages: says('Hello'), temperature: 0.2 };
    started.model.script({ text: ['Once'] });
    const first = await client.chat.completions.create(request, options);
    expect(await client.chat.completions.create(request, options)).toEqual(first);
    await expect(
      client.chat.completions.create({ ...request, temperature: 0.4 }, options),
    ).rejects.toMatchObject({ status: 400, param: 'Idempotency-Key' });
  });

  test('are refused where the answer is not always the text of a model, and where it has a format of its own', async () => {
    const fields = { reply: 'Fixed' };
    const fixed = chain(node('reply', 'transformer', { mode: 'map', fields }));
    await deploy('Fixed', { ...fixed, input_parameters: MESSAGE });
    const llm = {
      provider: 'openai',
      model: 'test-model',
      messages: [{ role: 'user', content: 'x' }],
      response_format: { type: 'json_schema', schema },
    };
    await deploy('Formatted', { ...chain(node('answer', 'llm', llm)), input_parameters: MESSAGE });
    const before = await countRuns();
    const wrong: [string, JsonObject, string][] = [
      ['fixed', { response_format: named }, 'response_format'],
      ['fixed', { temperature: 0 }, 'temperature'],
      ['fixed', { max_tokens: 5 }, 'max_tokens'],
      ['fixed', { reasoning_effort: 'low' }, 'reasoning_effort'],
      ['formatted', { response_format: named }, 'response_format'],
    ];
    for (const [model, given, param] of wrong)
      await expect(
        client.chat.completions.create({ model, messages: says('Hi'), ...given } as never),
        JSON.stringify(given),
      ).rejects.toMatchObject({
        status: 400,
        type: 'invalid_request_error',
        code: 'unsupported_parameter',
        param,
      });
    expect(await countRuns()).toBe(before);
    const plain = { temperature: 1, response_format: { type: 'text' as const } };
    const answer = await client.chat.completions.create({ model: 'fixed', messages: says('Hi'), ...plain });
    expect(answer.choices[0]?.message.content).toBe('Fixed');
    started.model.script({ text: [rome] });
    const object = { response_format: { type: 'json_object' as const } };
    const json = await client.chat.completions.create({
      model: 'formatted',
      messages: says('Hi'),
      ...object,
    });
    expect(json.choices[0]?.message.content).toBe(rome);
  });

  test('that no workflow heeds are refused by name, before a run, and their defaults are accepted', async () => {
    const fixed = chain(node('reply', 'transformer', { mode: 'map', fields: { reply: 'Fixed' } }));
    await deploy('Heedless', { ...fixed, input_parameters: MESSAGE });
    const before = await countRuns();
    const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
    const chat: JsonObject = {
      tools: [tool],
      tool_choice: 'required',
      functions: [tool.function],
      function_call: { name: 'look' },
      top_p: 0.5,
      top_logprobs: 2,
      n: 2,
      stop: ['.'],
      seed: 1,
      logprobs: true,
      logit_bias: { 5: 1 },
      frequency_penalty: 0.1,
      presence_penalty: 0.1,
      modalities: ['text', 'audio'],
      audio: { voice: 'x', format: 'mp3' },
      web_search_options: {},
      verbosity: 'low',
    };
    const responses: JsonObject = {
      tools: [{ type: 'web_search' }],
      tool_choice: { type: 'function', name: 'look' },
      'text.verbosity': 'low',
      response_format: { type: 'json_object' },
      truncation: 'auto',
      conversation: 'conv_1',
      prompt: { id: 'p' },
      top_p: 0.5,
      include: ['message.output_text.logprobs'],
    };
    const send = (path: string, body: JsonObject): Promise<unknown> =>
      client.post(path, { body: { model: 'heedless', ...body } });
    const refusal = { status: 400, type: 'invalid_request_error', code: 'unsupported_parameter' };
    for (const [param, value] of Object.entries(chat))
      await expect(
        send('/chat/completions', { messages: says('Hi'), [param]: value }),
        param,
      ).rejects.toMatchObject({ ...refusal, param });
    for (const [param, value] of Object.entries(responses)) {
      const [first = '', second] = param.split('.');
      const given = { [first]: second === undefined ? value : { [second]: value } };
      await expect(send('/responses', { input: 'Hi', ...given }), param).rejects.toMatchObject({
        ...refusal,
        param,
      });
    }
    const unknown = { response_format: { type: 'grammar' } };
    await expect(send('/chat/completions', { messages: says('Hi'), ...unknown })).rejects.toMatchObject({
      status: 400,
      param: 'response_format.type',
    });
    const bare = { response_format: { type: 'json_schema' } };
    await expect(send('/chat/completions', { messages: says('Hi'), ...bare })).rejects.toMatchObject({
      status: 400,
      param: 'response_format.json_schema',
    });
    expect(await countRuns()).toBe(before);
    const nulls = (names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, null]));
    const defaults = {
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      top_p: 1,
      temperature: 1,
      user: 'someone',
    };
    const harmless: JsonObject = {
      ...nulls(Object.keys(chat)),
      ...defaults,
      functions: [],
      function_call: 'none',
      n: 1,
      stop: [],
      logprobs: false,
      logit_bias: {},
      frequency_penalty: 0,
      presence_penalty: 0,
      modalities: ['text'],
      store: false,
      stream_options: { include_obfuscation: false },
    };
    const answer = await send('/chat/completions', { messages: says('Hi'), ...harmless });
    expect(answer).toMatchObject({ choices: [{ message: { content: 'Fixed' } }] });
    expect(answer).not.toHaveProperty('warnings');
    const more = {
      ...nulls(Object.keys(responses).filter((name) => !name.includes('.'))),
      ...defaults,
      text: { format: { type: 'text' }, verbosity: 'medium' },
      reasoning: { effort: null, summary: null },
      truncation: 'disabled',
      include: ['reasoning.encrypted_content'],
    };
    const response = await send('/responses', { input: 'Hi', ...more });
    expect(response).toMatchObject({ output: [{ content: [{ text: 'Fixed' }] }] });
    expect(response).not.toHaveProperty('warnings');
  });
});

describe('a response', () => {
  test('is the text of the model, and can be retrieved', async () => {
    await deploy('Responds', answering());
    started.model.script({ text: ['Good ', 'day'] });
    const answer = await client.responses.create({ model: 'responds', input: 'Hello', metadata: { a: 'b' } });
    expect(answer).toMatchObject({
      object: 'response',
      status: 'completed',
      output_text: 'Good day',
      model: 'responds',
      metadata: { a: 'b' },
      usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 },
    });
    expect(await client.responses.retrieve(answer.id)).toEqual(answer);
    expect(answer.completed_at).toBeGreaterThanOrEqual(answer.created_at);
  });

  test('says the same of its request whenever it is read, and its run has the metadata that runs can have', async () => {
    await deploy('Repeats', answering());
    started.model.script({ text: ['One'] });
    const first = await client.responses.create({ model: 'repeats', input: 'Hello' });
    let answer = (): void => undefined;
    const after = new Promise<void>((resolve) => (answer = resolve));
    started.model.script({ text: ['Two'], after });
    const request = {
      model: 'repeats',
      input: 'Again',
      instructions: 'Be kind',
      background: true,
      previous_response_id: first.id,
      metadata: { customer: 'acme', 'a key with: spaces': 'b' },
    };
    const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
    const asked = await client.responses.create(request, options);
    const { input: _, ...repeated } = request;
    expect(asked).toMatchObject({ ...repeated, status: 'in_progress', completed_at: null });
    answer();
    await expect.poll(async () => (await client.responses.retrieve(asked.id)).status).toBe('completed');
    const kept = await client.responses.retrieve(asked.id);
    const ended = { status: 'completed', completed_at: expect.any(Number), output_text: 'Two' };
    expect(kept).toEqual({
      ...asked,
      ...ended,
      output: kept.output,
      usage: kept.usage,
    });
    expect(await client.responses.create(request, options)).toEqual(kept);
    const path = `/workflow-runs?run_id=${asked.id.slice('resp_'.length)}`;
    expect((await tenant.call('GET', path)).body.runs[0].metadata).toEqual({ customer: 'acme' });
  });

  test('of a run of another door has the id of the workflow as its model, and the metadata of the run', async () => {
    const id = await deploy('Elsewhere', answering());
    started.model.script({ text: ['Hi'] });
    const body = { workflow_id: id, input: { message: 'Hello' }, metadata: { customer: 'acme' }, wait: 60 };
    const { run_id } = (await tenant.call('POST', '/workflows/run', { body })).body;
    const read = () => client.responses.retrieve(`resp_${run_id}`);
    await expect.poll(async () => (await read()).status).toBe('completed');
    expect(await read()).toMatchObject({
      model: id,
      metadata: { customer: 'acme' },
      instructions: null,
      previous_response_id: null,
    });
  });

  test('does not keep a value that the organization has redacted', async () => {
    const wary = await api.tenant();
    await deploy('Wary', answering(MESSAGES), wary);
    await wary.call('PATCH', '/retention', { body: { redacted_paths: ['messages.*.content'] } });
    const theirs = new OpenAI({ apiKey: wary.token, baseURL: `${url}/openai`, maxRetries: 0 });
    started.model.script({ text: ['Hi'] });
    const instructions = 'CANARY 078-05-1120';
    const answer = await theirs.responses.create({ model: 'wary', input: 'Hello', instructions });
    expect(answer.instructions).toBe('[redacted]');
    const rows = await api.deps.db.query<{ text: string }>(
      'SELECT r::text AS text FROM runs r WHERE organization_id = $1',
      [wary.org],
    );
    expect(rows.map(({ text }) => text).join()).not.toContain('CANARY');
  });

  test('has 16 pairs of metadata at most, with keys of 64 characters and values of 512', async () => {
    await deploy('Bounded', sleeping());
    const create = async (metadata: Record<string, string>): Promise<unknown> => {
      const request = { model: 'bounded', input: 'Hello', background: true, metadata };
      return client.responses.create(request).then(
        (answer) => answer.metadata,
        (error: { status?: number }) => error.status,
      );
    };
    const count = (pairs: number) =>
      Object.fromEntries(Array.from({ length: pairs }, (_, index) => [`k${index}`, 'v']));
    const long = (key: number, value: number) => ({ ['k'.repeat(key)]: 'v'.repeat(value) });
    expect(await create(count(16))).toEqual(count(16));
    expect(await create(long(64, 512))).toEqual(long(64, 512));
    for (const wrong of [count(17), long(65, 1), long(1, 513)]) expect(await create(wrong)).toBe(400);
  });

  test('is streamed as events with consecutive numbers, and again from any of them', async () => {
    await deploy('Numbered', answering());
    const pieces = Array.from({ length: 10 }, (_, index) => `t${index} `);
    started.model.script({ text: pieces, delayMs: 20 });
    const stream = await client.responses.create({ model: 'numbered', input: 'Hello', stream: true });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    const types = events.map(({ type }) => type);
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const text = events
      .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
      .join('');
    expect(text).toBe(pieces.join(''));
    const last = events.at(-1);
    expect(last?.type === 'response.completed' && last.response.output[0]).toMatchObject({
      content: [{ text }],
    });
    const [created] = events;
    const id = created?.type === 'response.created' ? created.response.id : '';
    const rest: unknown[] = [];
    for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: 3 }))
      rest.push(event);
    expect(rest).toEqual(events.slice(4));
    const all: unknown[] = [];
    for await (const event of await client.responses.retrieve(id, { stream: true })) all.push(event);
    expect(all).toEqual(events);
    expect(last?.type === 'response.completed' && last.response).toMatchObject({
      model: 'numbered',
      background: false,
      completed_at: expect.any(Number),
    });
  });

  test('in the background is answered before its end, and found until then and after it', async () => {
    await deploy('Background', answering());
    let end = (): void => undefined;
    const after = new Promise<void>((resolve) => (end = resolve));
    started.model.script({ text: ['slowly'], after });
    const answer = await client.responses.create({ model: 'background', input: 'Hello', background: true });
    expect([answer.status, answer.output]).toEqual(['in_progress', []]);
    end();
    const read = async (): Promise<string> => (await client.responses.retrieve(answer.id)).output_text;
    await expect.poll(read).toBe('slowly');
  });

  test('is cancelled with its run', async () => {
    await deploy('Sleeps', sleeping());
    const { id } = await client.responses.create({ model: 'sleeps', input: 'Hello', background: true });
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    const { runs } = (await tenant.call('GET', `/workflow-runs?run_id=${id.slice('resp_'.length)}`)).body;
    expect(runs[0].status).toBe('cancelled');
  });

  test('lists the messages that it answers, newest first, page by page', async () => {
    const echo = chain(node('echo', 'transformer', { mode: 'map', fields: { text: '{{input.messages}}' } }));
    await deploy('Listens', { ...echo, input_parameters: MESSAGES });
    const said = [...says('One'), { role: 'assistant' as const, content: 'Two' }, ...says('Three')];
    const { id } = await client.responses.create({ model: 'listens', input: said });
    const texts: unknown[] = [];
    for await (const item of client.responses.inputItems.list(id, { limit: 2 }))
      texts.push('content' in item ? item.content : item);
    expect(texts).toMatchObject([
      [{ type: 'input_text', text: 'Three' }],
      [{ type: 'output_text', text: 'Two' }],
      [{ type: 'input_text', text: 'One' }],
    ]);
    const oldest = await client.responses.inputItems.list(id, { limit: 1, order: 'asc' });
    expect(oldest.data).toMatchObject([{ role: 'user', content: [{ text: 'One' }] }]);
    const tooMany = async () => client.responses.inputItems.list(id, { limit: 101 });
    await expect(tooMany()).rejects.toEqual(expect.objectContaining({ status: 400 }));
  });

  test('is deleted once it has ended: it is found no more, and its run stays in the history', async () => {
    await deploy('Deleted', sleeping());
    const { id } = await client.responses.create({ model: 'deleted', input: 'Hello', background: true });
    const refusedWith = (status: number) => expect.objectContaining({ status });
    await expect(client.responses.delete(id)).rejects.toEqual(refusedWith(409));
    await client.responses.cancel(id);
    await client.responses.delete(id);
    for (const call of [
      () => client.responses.retrieve(id),
      () => client.responses.cancel(id),
      async () => client.responses.inputItems.list(id),
      () => client.responses.delete(id),
      () => client.responses.create({ model: 'deleted', input: 'Hello', previous_response_id: id }),
    ])
      await expect(call()).rejects.toEqual(refusedWith(404));
    const { runs } = (await tenant.call('GET', `/workflow-runs?run_id=${id.slice('resp_'.length)}`)).body;
    expect(runs[0].status).toBe('cancelled');
  });

  test('of a run that asks a person is incomplete until the answer, under the same id', async () => {
    await deploy('Approval', asking());
    const asked = await client.responses.create({ model: 'approval', input: 'Hello' });
    expect(asked).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'input_required' } });
    const { interrupts } = (await tenant.call('GET', '/interrupts')).body;
    const runId = asked.id.slice('resp_'.length);
    const question = interrupts.find((item: JsonObject) => item['run_id'] === runId);
    const body = { interrupt_id: question.interrupt_id, action: 'yes' };
    const resumed = await fetch(`${url}/workflows/resume/${runId}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${tenant.token}`,
        'X-Organization-ID': tenant.org,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect(resumed.status).toBe(200);
    const read = async (): Promise<unknown> => (await client.responses.retrieve(asked.id)).status;
    await expect.poll(read).toBe('completed');
    const ended = await client.responses.retrieve(asked.id);
    expect(ended).toMatchObject({ model: 'approval', background: false, created_at: asked.created_at });
  });

  test('of a run that fails has status failed and the reason', async () => {
    const failing = chain(http('call', started.recorder.url('fails', { status: 404 })));
    await deploy('Failing', { ...failing, input_parameters: MESSAGE });
    const answer = await client.responses.create({ model: 'failing', input: 'Hello' });
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
    expect(answer.error?.message).toContain('failed');
  });

  test('goes on with the memory of the one before it', async () => {
    const definition = answering();
    const [llm] = definition['nodes'] as JsonObject[];
    Object.assign(llm!['config'] as JsonObject, { memory: { mode: 'thread' } });
    await deploy('Remembers', definition);
    started.model.script({ text: ['Ada'] });
    const first = await client.responses.create({ model: 'remembers', input: 'I am Ada' });
    await client.responses.create({
      model: 'remembers',
      input: 'Who am I?',
      previous_response_id: first.id,
    });
    expect(started.model.requests.at(-1)?.body['messages']).toEqual([
      ...says('I am Ada'),
      { role: 'assistant', content: 'Ada' },
      ...says('Who am I?'),
    ]);
  });

  test('of another organization does not exist, neither to read, to cancel nor to go on with', async () => {
    await deploy('Private', answering());
    const { id } = await client.responses.create({ model: 'private', input: 'Hello' });
    const stranger = await api.tenant();
    await deploy('Theirs', answering(), stranger);
    const other = new OpenAI({ apiKey: stranger.token, baseURL: `${url}/openai`, maxRetries: 0 });
    const notFound = { status: 404, code: 'run_not_found' };
    await expect(other.responses.retrieve(id)).rejects.toMatchObject(notFound);
    await expect(other.responses.cancel(id)).rejects.toMatchObject(notFound);
    const onward = { model: 'theirs', input: 'Hello', previous_response_id: id };
    await expect(other.responses.create(onward)).rejects.toMatchObject(notFound);
  });
});

describe('errors are in the shape of OpenAI', () => {
  test('a key that is unknown, a field that is missing, and a model that does not exist', async () => {
    const unknown = new OpenAI({ apiKey: 'svc_live_x', baseURL: `${url}/openai`, maxRetries: 0 });
    await expect(unknown.models.list()).rejects.toMatchObject({
      status: 401,
      error: { type: 'authentication_error', code: 'api_key_invalid', param: null },
    });
    const broken = { model: 'x' } as OpenAI.ChatCompletionCreateParamsNonStreaming;
    await expect(client.chat.completions.create(broken)).rejects.toMatchObject({
      status: 400,
      error: { type: 'invalid_request_error', code: 'validation_failed', param: 'messages' },
    });
    await expect(client.responses.create({ model: 'nothing', input: 'x' })).rejects.toMatchObject({
      status: 404,
      error: { code: 'model_not_found' },
    });
  });

  test('too many answers at once are 429, and start nothing', async () => {
    await deploy('Crowded', answering());
    const [user] = await api.deps.db.query<{ id: string }>(
      `SELECT user_id AS id FROM memberships WHERE organization_id = $1`,
      [tenant.org],
    );
    const scope = { caller: { userId: user!.id }, organizationId: tenant.org };
    const taken = Array.from({ length: MAX_PER_USER }, () => api.deps.feed.semaphore.acquire(scope as never));
    const before = await countRuns();
    await expect(
      client.chat.completions.create({ model: 'crowded', messages: says('Hello') }),
    ).rejects.toMatchObject({ status: 429, error: { type: 'rate_limit_error', code: 'too_many_streams' } });
    expect(await countRuns()).toBe(before);
    for (const release of taken) release();
  });

  test('used-up credits are insufficient_quota, which the client does not repeat', async () => {
    const poor = await api.tenant();
    await deploy('Poor', answering(), poor);
    await api.deps.db.query('UPDATE organizations SET is_suspended = true WHERE id = $1', [poor.org]);
    let requests = 0;
    const theirs = new OpenAI({
      apiKey: poor.token,
      baseURL: `${url}/openai`,
      maxRetries: 2,
      fetch: (input, init) => {
        requests += 1;
        return fetch(input, init);
      },
    });
    const request = theirs.chat.completions.create({ model: 'poor', messages: says('Hello') });
    await expect(request).rejects.toMatchObject({
      status: 429,
      error: { type: 'insufficient_quota', code: 'credit_plan_exhausted' },
    });
    expect(requests).toBe(1);
  });
});

test('the organization of a user with several is told by the header of the client', async () => {
  const both = await api.tenant();
  const other = await both.call('POST', '/organizations', { body: { name: 'Second' } });
  const id: string = other.body.id;
  const token = { apiKey: both.token, baseURL: `${url}/openai`, maxRetries: 0 };
  await expect(new OpenAI(token).models.list()).rejects.toMatchObject({
    status: 400,
    code: 'organization_header_missing',
  });
  const list = await new OpenAI({ ...token, organization: id }).models.list();
  expect(list.data.every((model) => model.owned_by === id)).toBe(true);
});

const run = promisify(execFile);

/** A Python with the official client; null with the reason where there is none. */
async function python(): Promise<string | null> {
  const venv = join(ROOT, '.data', 'python-openai-venv');
  const bin = join(venv, 'bin', 'python');
  const made = await run(bin, ['-c', 'import openai']).catch(() => null);
  if (made !== null) return bin;
  try {
    await run('python3', ['-m', 'venv', '--without-pip', venv]);
    const flags = ['--quiet', '--no-compile', '--disable-pip-version-check', '--no-input'];
    await run('python3', ['-m', 'pip', '--python', bin, 'install', ...flags, 'openai==3.57.0']);
    return bin;
  } catch (error) {
    console.log(`skipped, there is no Python with this package: ${String(error).slice(0, 300)}`);
    return null;
  }
}

const PROGRAM = `
import json
import openai

client = openai.OpenAI(max_retries=0)
said = [{"role": "user", "content": "Hello"}]
chat = client.chat.completions.create(model="snake", messages=said)
chunks = client.chat.completions.create(model="snake", messages=said, stream=True)
streamed = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
with client.responses.stream(model="snake", input="Hello") as events:
    numbers = [event.sequence_number for event in events]
    response = events.get_final_response()
try:
    client.responses.create(model="nothing", input="Hello")
except openai.NotFoundError as error:
    code = error.code
print(json.dumps({
    "models": [model.id for model in client.models.list() if model.id == "snake"],
    "chat": chat.choices[0].message.content,
    "streamed": streamed,
    "numbers": numbers == list(range(len(numbers))),
    "response": response.output_text,
    "kept": client.responses.retrieve(response.id).output_text,
    "code": code,
}))
`;

test('the official client for Python gets answers, streams and errors', async ({ skip }) => {
  const bin = await python();
  if (bin === null) return skip();
  await deploy('Snake', answering());
  started.model.script({ text: ['Good ', 'day'] });
  const env = {
    PATH: process.env['PATH'],
    OPENAI_BASE_URL: `${url}/openai`,
    OPENAI_API_KEY: apiKey,
    NO_PROXY: '127.0.0.1',
  };
  const { stdout } = await run(bin, ['-c', PROGRAM], { env });
  expect(JSON.parse(stdout)).toEqual({
    models: ['snake'],
    chat: 'Good day',
    streamed: 'Good day',
    numbers: true,
    response: 'Good day',
    kept: 'Good day',
    code: 'model_not_found',
  });
});
