/** What code, servers, models or tools send back could end a node twice or stall a run (SPEC SEC-P28). */
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import { findTextFault } from '../../../src/language/graph/values/storable.ts';
import { sink, type Sink } from '../../platform/outbound/support.ts';
import { chain, http, node } from '../../support/definitions.ts';
import { startEngine, type Played, type TestEngine } from '../../support/engine.ts';
import { startMcpServer, type McpServer } from '../../support/mcp-server.ts';
import { stepsOf } from '../../support/records.ts';

let engine: TestEngine;
let server: Sink;
let provider: Sink;
let mcp: McpServer;
beforeAll(async () => {
  [server, provider, mcp] = await Promise.all([sink(), sink(), startMcpServer([])]);
  engine = await startEngine({
    OUTBOUND_ALLOW: `127.0.0.1:${server.port},${mcp.hostPort}`,
    MANAGED_LLM_BASE_URL: `${provider.base}/v1`,
    MANAGED_LLM_API_KEY: 'managed-llm-key',
    MANAGED_LLM_MODEL: 'm',
  });
});
afterAll(async () => {
  await engine.close();
  await Promise.all([server.close(), provider.close(), mcp.close()]);
});

const PARTS = ['\0', '\ud83d', '\ude00', '😀', 'a', '"', '\\u0000', '{{', '\u202e', '__proto__', '\n'];
const text = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 }).map((all) => all.join(''));
const count = fc.constantFrom(1.5, -1, 1e30, 2 ** 63, 0, 1e308);
const RUNS = { numRuns: 6, endOnFailure: true };

/** Plays one node; its attempt must have been its only one, and all that is kept of it can be read. */
async function once(definition: JsonObject, input: JsonObject = {}): Promise<Played> {
  const played = await engine.play(definition, input, {}, 30_000);
  const steps = await stepsOf(engine.db, played.accepted.runPk);
  expect(steps.every((step) => step.attempt === 1)).toBe(true);
  expect(findTextFault(JSON.stringify(played.frames))).toBeNull();
  if (played.error !== null) expect(played.error.code).not.toBe('internal_error');
  return played;
}

const code = (source: string): JsonObject =>
  chain(node('f', 'function', { language: 'javascript', code: source, arguments: {} }));

describe('SEC-P28: a function', () => {
  test.for([
    ['returns', (said: string) => `return {[${said}]: ${said}}`, null],
    ['logs', (said: string) => `console.log(${said}); return 1`, null],
    ['throws', (said: string) => `throw new Error(${said})`, 'function_error'],
    [
      'is called by its error',
      (said: string) => `const e = new Error('x'); e.name = ${said}; throw e`,
      'function_error',
    ],
  ] as const)('that %s what cannot be stored ends once', async ([, body, failure]) => {
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        const played = await once(code(`export default () => { ${body(JSON.stringify(said))} }`));
        expect(played.error?.code ?? null).toBe(failure);
      }),
      RUNS,
    );
  });
});

describe('an HTTP tool', () => {
  const call = (): JsonObject => chain(http('h', `${server.base}/x`, { body: {} }));
  const answers = (write: (response: ServerResponse) => void): void => {
    server.heard.length = 0;
    server.answer = (_request, response) => write(response);
  };

  test('whose server answers JSON with texts that cannot be stored keeps what can, and calls once', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (key, said) => {
        answers((response) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ [key]: [said, { n: 1 }] })),
        );
        expect((await once(call())).error).toBeNull();
        expect(server.heard).toHaveLength(1);
      }),
      RUNS,
    );
  });
  test.for([
    [
      'another charset',
      'application/json; charset=utf-16le',
      Buffer.from('{"a":"b"}', 'utf16le'),
      { a: 'b' },
    ],
    [
      'a charset that nobody knows',
      'text/plain; charset=x-none',
      Buffer.from('a\0\xff', 'latin1'),
      'a\uFFFD\uFFFD',
    ],
    ['UTF-16 that says it is UTF-8', 'text/plain', Buffer.from('ab', 'utf16le'), 'a\uFFFDb\uFFFD'],
    ['JSON without end', 'application/json', Buffer.from('['.repeat(100_000)), '['.repeat(100_000)],
    [
      'JSON that is very deep',
      'application/json',
      Buffer.from('['.repeat(20_000) + ']'.repeat(20_000)),
      '['.repeat(20_000) + ']'.repeat(20_000),
    ],
  ] as const)('that is answered in %s ends once', async ([, type, body, data]) => {
    answers((response) => response.writeHead(200, { 'content-type': type, 'x-odd': 'caf\xe9' }).end(body));
    const played = await once(call());
    expect(played.output).toMatchObject({ data });
    expect(server.heard).toHaveLength(1);
  });
});

describe('a model', () => {
  const ask = (stream: boolean): JsonObject =>
    chain(
      node('ask', 'llm', {
        provider: 'openai',
        model: 'm',
        stream,
        messages: [{ role: 'user', content: 'x' }],
        memory: { mode: 'thread' },
      }),
    );
  const usageOf = (n: number): JsonObject => ({ prompt_tokens: n, completion_tokens: n, total_tokens: n });
  const body = (said: string, n: number): JsonObject => ({
    id: said,
    created: 1,
    model: said,
    choices: [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }],
    usage: usageOf(n),
  });
  const event = (more: JsonObject): string =>
    `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', ...more })}\n\n`;

  test.for([true, false])(
    'whose words or usage cannot be stored is asked once (stream: %s)',
    async (stream) => {
      await fc.assert(
        fc.asyncProperty(text, count, async (said, n) => {
          provider.heard.length = 0;
          provider.answer = (_request, response) => {
            if (!stream) {
              response
                .writeHead(200, { 'content-type': 'application/json' })
                .end(JSON.stringify(body(said, n)));
              return;
            }
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            // Unit by unit: halves of characters come alone.
            for (const unit of said.split('')) {
              response.write(
                event({ choices: [{ index: 0, delta: { content: unit }, finish_reason: null }] }),
              );
            }
            response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
            response.end(`${event({ choices: [], usage: usageOf(n) })}data: [DONE]\n\n`);
          };
          const played = await once(ask(stream));
          expect(provider.heard).toHaveLength(1);
          expect(played.error).toBeNull();
        }),
        RUNS,
      );
    },
  );
});

describe('an MCP tool', () => {
  test('whose result cannot be stored is called once', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (said) => {
        mcp.heard.length = 0;
        const answer = (): object => ({
          content: [{ type: 'text', text: said }],
          structuredContent: { [said]: said },
        });
        mcp.tools = [{ name: 't', description: said, answer }];
        const played = await once(
          chain(node('m', 'tool', { kind: 'mcp', server_url: mcp.url, tool: 't', arguments: {} })),
        );
        expect(played.error).toBeNull();
        expect(mcp.heard.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1);
      }),
      RUNS,
    );
  });
});

describe('an agent', () => {
  const agent = (): JsonObject =>
    chain(
      node('a', 'agent', {
        provider: 'openai',
        model: 'm',
        stream: false,
        messages: [{ role: 'user', content: 'x' }],
        tools: [{ kind: 'http', name: 'call', method: 'POST', url: `${server.base}/x`, body: {} }],
      }),
    );
  const usage = { prompt_tokens: 1.5, completion_tokens: 1e30, total_tokens: 1 };
  const reply = (message: JsonObject, finish: string): string =>
    JSON.stringify({
      id: 'c',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    });
  /** Wants the tool once, with these arguments, and then says something. */
  const play = (id: string, given: string, said: string): void => {
    server.heard.length = 0;
    provider.heard.length = 0;
    provider.answer = (_request, response) => {
      const call = { id, type: 'function', function: { name: 'call', arguments: given } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        provider.heard.length === 1
          ? reply({ role: 'assistant', content: said, tool_calls: [call] }, 'tool_calls')
          : reply({ role: 'assistant', content: said }, 'stop'),
      );
    };
  };

  test('whose model wants, and whose tool answers, what cannot be stored asks each of them once', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (key, said) => {
        play(said, JSON.stringify({ [key]: said }), said);
        server.answer = (_request, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify({ [key]: said }));
        const played = await once(agent());
        expect(played.error).toBeNull();
        expect([provider.heard.length, server.heard.length]).toEqual([2, key === '__proto__' ? 0 : 1]);
      }),
      RUNS,
    );
  });

  test('is told that an answer cannot be stored, and its tool is not called again', async () => {
    await engine.db.query(
      `ALTER TABLE run_steps ADD CONSTRAINT refuses CHECK (output IS NULL OR output::text NOT LIKE '%unwritable%')`,
    );
    play('c', '{}', 'said');
    server.answer = (_request, response) => response.end('unwritable secret row');
    const played = await once(agent());
    expect(played.error).toBeNull();
    expect([provider.heard.length, server.heard.length]).toEqual([2, 1]);
    expect(provider.heard[1]?.body).toContain('result_not_storable');
    await engine.db.query('ALTER TABLE run_steps DROP CONSTRAINT refuses');
  });

  test('whose turn cannot be written fails at once', async () => {
    await engine.db.query(
      `ALTER TABLE agent_turns ADD CONSTRAINT refuses CHECK (reply IS NULL OR reply::text NOT LIKE '%unwritable%')`,
    );
    play('c', '{}', 'unwritable');
    const played = await once(agent());
    expect(played.error).toMatchObject({ code: 'result_not_storable', node_id: 'a' });
    expect([provider.heard.length, server.heard.length]).toEqual([1, 0]);
    await engine.db.query('ALTER TABLE agent_turns DROP CONSTRAINT refuses');
  });
});

test('a template that renders JSON with what cannot be stored ends once', async () => {
  const template = { mode: 'template', template: '{"a": "{{input.a}}"}', parse_as: 'json' };
  const played = await once(chain(node('t', 'transformer', template)), { a: '\\u0000\\ud800' });
  expect(played.error).toBeNull();
});

test('a node whose end cannot be stored fails with a reason, and its effect is not repeated', async () => {
  // Stands for whatever nobody has thought of: the record itself refuses what this node came to.
  await engine.db.query(
    `ALTER TABLE run_steps ADD CONSTRAINT refuses CHECK (output IS NULL OR output::text NOT LIKE '%unwritable%')`,
  );
  server.heard.length = 0;
  server.answer = (_request, response) => response.end('unwritable secret row');
  const plain = await once(chain(http('h', `${server.base}/x`, { body: {} })));
  expect(plain.error).toMatchObject({ code: 'result_not_storable', node_id: 'h' });
  expect(server.heard).toHaveLength(1);
  const reading = http('h', `${server.base}/x`, { body: {} }, { state_updates: { kept: 'x' } });
  const definition = { ...chain(reading), state_schema: { fields: { kept: { type: 'string' } } } };
  const stateful = await once(definition);
  expect(stateful.error).toMatchObject({ code: 'result_not_storable', node_id: 'h' });
  expect(server.heard).toHaveLength(2);
  expect(JSON.stringify([plain.frames, stateful.frames])).not.toContain('secret row');
  await engine.db.query('ALTER TABLE run_steps DROP CONSTRAINT refuses');
});
