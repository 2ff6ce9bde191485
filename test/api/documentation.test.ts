/**
 * The OpenAPI document and the pages that show it would misdescribe the API, and generated clients would not compile.
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VERSION } from '../../src/base/config/config.ts';
import { isEventStream, type ReplySchema, type Route } from '../../src/platform/http/route.ts';
import { allRoutes } from '../../src/processes/routes.ts';
import { EVENT_TYPES, TEST_EVENT } from '../../src/features/notifications/event-types.ts';
import { startApi, type Answer, type ApiServer } from '../support/api-server.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: { readonly description?: string; readonly format?: string };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Record<string, { readonly schema: Schema }> }>
  >;
}

let api: ApiServer;
let answer: Answer;
let operations: [name: string, operation: Operation][];
beforeAll(async () => {
  api = await startApi();
  answer = await api.call('GET', '/openapi.json');
  operations = Object.entries(answer.body.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => api.close());

const operation = (name: string): Operation => operations.find(([found]) => found === name)![1];
const component = (name: string, status: number): string =>
  (operation(name).responses[status]?.$ref ?? '').replace('#/components/responses/', '');

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 by its own schema', async () => {
    expect([answer.status, answer.body.openapi, answer.body.info.version]).toEqual([200, '3.1.1', VERSION]);
    const validator = new Validator();
    const result = await validator.validate(structuredClone(answer.body));
    expect(result.errors).toBeUndefined();
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
  });

  test('is served as OpenAPI 3.0, too, with the same operations', async () => {
    const { status, body } = await api.call('GET', '/openapi-3.0.json');
    const validator = new Validator();
    const result = await validator.validate(structuredClone(body));
    expect(result.errors).toBeUndefined();
    expect([status, result.valid, validator.version]).toEqual([200, true, '3.0']);
    expect(Object.keys(body.paths)).toEqual(Object.keys(answer.body.paths));
  });

  test('describes every row but the pages', () => {
    const unlisted = /^GET \/(docs|redoc|openapi-3\.0)\b|^(GET|POST) \/answers\b/;
    const rows = allRoutes().map((row) => `${row.method} ${row.path.replace(/:(\w+)/g, '{$1}')}`);
    const listed = rows.filter((name) => !unlisted.test(name));
    expect(operations.map(([name]) => name).sort()).toEqual(listed.sort());
  });

  test('gives each operation a summary, its callers and a heading', () => {
    const tags = new Set(answer.body.tags.map((tag: { name: string }) => tag.name));
    for (const [name, { tags: own, summary, description }] of operations) {
      expect([name, own.length, tags.has(own[0])]).toEqual([name, 1, true]);
      expect(summary, name).toMatch(/^\S.*[^.]$/);
      expect(description, name).toMatch(/\.$/);
    }
    for (const tag of answer.body.tags) expect(tag.description).toMatch(/\.$/);
  });

  test('has one name per operation, and no reference into nothing', () => {
    const ids = [...answer.text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(operations.length + Object.keys(answer.body.webhooks).length);
    const references = [...answer.text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, kind, name] of references) expect(answer.body.components[kind!]).toHaveProperty([name!]);
  });

  test('has the body of each event of notifications', () => {
    const { webhooks } = answer.body;
    expect(Object.keys(webhooks).toSorted()).toEqual([...EVENT_TYPES, TEST_EVENT].toSorted());
    for (const { post } of Object.values<{ post: { requestBody: object } }>(webhooks))
      expect(post.requestBody).toMatchObject({
        content: { 'application/json': { schema: { $ref: expect.stringMatching(/Notification$/) } } },
      });
  });

  test('names operations by verbs that generated clients may carry', () => {
    for (const [name, { operationId }] of operations)
      expect(operationId, name).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    expect(operation('POST /workflows/{workflow_id}/deploy').operationId).toBe('deployWorkflow');
    expect(operation('POST /workflows/run').operationId).toBe('startRun');
  });

  test('names every JSON body and every JSON answer', () => {
    const anonymous = operations.flatMap(([name, { requestBody, responses }]) => [
      ...[requestBody?.content['application/json']].map((body) => [`${name} body`, body] as const),
      ...Object.entries(responses).map(
        ([status, { content }]) => [`${name} ${status}`, content?.['application/json']] as const,
      ),
    ]);
    const found = anonymous.filter(([, media]) => media !== undefined && media.schema.$ref === undefined);
    // These bodies are those of other services: each is another.
    expect(found.map(([name]) => name).sort()).toEqual([
      'POST /callbacks/{token} body',
      'POST /hooks/{token} body',
      'POST /mcp body',
      'POST /webhooks/stripe body',
      'PUT /hooks/{token} body',
    ]);
  });

  test('lets no schema with fields take any other: typing errors are seen by generated types', () => {
    const open: string[] = [];
    const walk = (at: string, value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, additionalProperties } = value as Schema;
      if (properties !== undefined && additionalProperties !== undefined && additionalProperties !== false)
        open.push(at);
      if (properties !== undefined && Object.keys(properties).length === 0) open.push(at);
      for (const [key, child] of Object.entries(value)) walk(`${at}/${key}`, child);
    };
    walk('schemas', answer.body.components.schemas);
    expect(open).toEqual([]);
  });

  test('describes every parameter, and asks for no UUID in a header', () => {
    for (const [name, { parameters = [] }] of operations) {
      for (const parameter of parameters) {
        const { description = parameter.schema.description } = parameter;
        expect(description, `${name} ${parameter.name}`).toMatch(/\S/);
        if (parameter.in === 'header') expect(parameter.schema.format, name).toBeUndefined();
      }
    }
  });

  test('tells of the deprecated alias, of uploads that are refused, of metrics and of Stripe', () => {
    expect(operations.filter(([, { deprecated }]) => deprecated === true).map(([name]) => name)).toEqual([
      'POST /support',
    ]);
    const upload = 'POST /knowledge-bases/{knowledge_id}/documents';
    expect([component(upload, 413), component(upload, 415)]).toEqual(['TooLarge', 'UnsupportedEncoding']);
    expect(operation('GET /metrics').responses['200']?.content).toHaveProperty(['text/plain']);
    expect(operation('POST /webhooks/stripe').responses).toHaveProperty(['400']);
  });

  test('names the parameters with their bounds', () => {
    const names = operation('PATCH /workflows/{workflow_id}').parameters?.map(({ name }) => name);
    expect(names?.sort()).toEqual(['X-Organization-ID', 'workflow_id']);
    const size = operation('GET /workflows').parameters?.find(({ name }) => name === 'page_size');
    expect(size).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } });
    const header = operation('POST /workflows/run').parameters?.find(
      ({ name }) => name === 'Idempotency-Key',
    );
    expect(header).toMatchObject({ in: 'header', schema: { type: 'string' } });
  });

  test.each<[name: string, status: number, response: string]>([
    ['GET /workflows', 400, 'BadRequest'],
    ['GET /workflows', 401, 'Unauthenticated'],
    ['GET /workflows', 403, 'Forbidden'],
    ['GET /workflows', 429, 'OrganizationLimited'],
    ['GET /workflows', 422, 'Invalid'],
    ['GET /workflows', 500, 'Unexpected'],
    ['GET /organizations', 429, 'CallerLimited'],
    ['PATCH /organizations/{organization_id}', 429, 'CallerLimited'],
    ['GET /workflows/{workflow_id}', 404, 'NotFound'],
    ['POST /workflows', 413, 'TooLarge'],
    ['POST /workflows', 415, 'UnsupportedEncoding'],
    ['POST /workflows/run', 402, 'Denied'],
    ['POST /workflows/run', 403, 'ForbiddenOrDenied'],
    ['POST /workflows/run', 429, 'RunLimited'],
  ])('%s answers %i as %s', (name, status, response) => {
    expect(component(name, status)).toBe(response);
    expect(answer.body.components.responses).toHaveProperty([response]);
  });

  test('shows the headers of refusals, and the four shapes', () => {
    const { responses, schemas } = answer.body.components;
    expect(responses.Unauthenticated.headers).toHaveProperty(['WWW-Authenticate']);
    for (const name of ['CallerLimited', 'OrganizationLimited', 'RunLimited']) {
      expect(Object.keys(responses[name].headers)).toEqual(
        expect.arrayContaining([
          'Retry-After',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
        ]),
      );
    }
    for (const name of ['DetailError', 'StructuredError', 'ValidationError', 'Denial']) {
      expect(schemas[name].additionalProperties).not.toBe(false);
    }
    expect(Object.keys(operation('POST /workflows/run').responses)).toEqual([
      '200',
      '202',
      '400',
      '401',
      '402',
      '403',
      '404',
      '409',
      '410',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
  });

  test('SEC-O05: holds no key, no host and no address', () => {
    expect(answer.text).not.toMatch(/svc_live_[0-9A-Za-z]{9,}/);
    expect(answer.text).not.toMatch(
      /https?:\/\/(?!json-schema\.org|company\.example)|localhost|127\.0\.0\.1|\.internal\b/,
    );
  });
});

describe('examples', () => {
  const rows = new Map(allRoutes().map((row) => [`${row.method} ${row.path}`, row]));
  const rowOf = (name: string): Route => {
    const row = rows.get(name);
    if (row === undefined) throw new Error(`There is no row ${name}`);
    return row;
  };
  const problems = (schema: ReplySchema | undefined, value: unknown): unknown => {
    if (schema === undefined) return ['nothing is declared'];
    if (typeof schema === 'object' && isEventStream(schema) && schema.json !== undefined)
      return problems(schema.json, value);
    if (
      schema === 'text' ||
      schema === 'jsonl' ||
      schema === 'bytes' ||
      schema === 'empty' ||
      isEventStream(schema)
    )
      return typeof value === 'string' ? [] : ['not a text'];
    return schema.safeParse(value).error?.issues ?? [];
  };

  const shown = [...rows].flatMap(([name, row]) => (row.example === undefined ? [] : [name]));

  test.each(shown)('%s is as its row declares', (name) => {
    const row = rowOf(name);
    const { request, replies } = row.example!;
    if (request !== undefined && row.rawBody === undefined) expect(problems(row.body, request)).toEqual([]);
    for (const [status, value] of Object.entries(replies ?? {})) {
      expect([status, problems(row.replies[Number(status)], value)]).toEqual([status, []]);
    }
  });
});

describe.each(['/docs', '/redoc'])('%s', (path) => {
  const partsOf = (html: string): string[] =>
    [...html.matchAll(/(?:src|href)="(?!#)([^"]+)"/g)].map(([, part]) => part ?? '');

  test('SEC-O04: is a page under a strict policy', async () => {
    const page = await api.call('GET', path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(page.text).not.toMatch(/<script>|<script [^>]*>[^<]|<style| on\w+=|javascript:/i);
  });

  test('SEC-O04: loads from this service only, and everything it loads is there', async () => {
    const page = await api.call('GET', path);
    const parts = partsOf(page.text);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part).not.toMatch(/^(\w+:|\/)/);
      const loaded = await api.call('GET', `/${part}`);
      expect([part, loaded.status]).toEqual([part, 200]);
      expect(loaded.headers.get('x-content-type-options')).toBe('nosniff');
      const type = loaded.headers.get('content-type') ?? '';
      if (part.endsWith('.js')) expect(type).toMatch(/^text\/javascript/);
      if (part.endsWith('.css')) expect(type).toMatch(/^text\/css/);
    }
  });
});

test('the interactive page starts without a foreign document or validator, and stores no credential beyond its tab', async () => {
  const { text } = await api.call('GET', '/docs/initializer.js');
  expect(text).not.toMatch(/https?:|\/\//);
  for (const option of ["fetch('openapi.json')", 'validatorUrl: null', 'persistAuthorization: false']) {
    expect(text).toContain(option);
  }
  expect(text).not.toContain('localStorage');
});

test('the reference names every operation, and every link in it leads somewhere', async () => {
  const { text } = await api.call('GET', '/redoc');
  for (const [name] of operations) expect(text).toContain(name.slice(name.indexOf(' ') + 1));
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(10);
  expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  expect(text).not.toMatch(/undefined|\[object Object\]|NaN/);
});
