/** The first request for the OpenAPI document, from anybody, would hold all others for as long as it takes to build. */
import { expect, test } from 'vitest';
import { describeDefinition } from '../../../../src/language/nodes/definition-schema.ts';
import { buildDocumentRoutes } from '../../../../src/platform/http/docs/routes.ts';
import type { Reply, Route } from '../../../../src/platform/http/route.ts';
import { buildOpenApiDocument } from '../../../../src/platform/http/openapi.ts';
import { allRoutes, TAGS } from '../../../../src/processes/routes.ts';

/** The routes of the documentation, and how often its document was built. */
function documented() {
  let count = 0;
  const [row, ...others] = allRoutes() as readonly Route[];
  const counted = Object.defineProperty({ ...row }, 'summary', {
    get() {
      count += 1;
      return 'Counts who describes it';
    },
  });
  const routes = buildDocumentRoutes([counted as Route, ...others], {
    tags: TAGS,
    schemas: describeDefinition(),
  });
  const call = async (path: string): Promise<Reply | void> =>
    routes.find((each) => each.path === path)?.handle({} as never);
  return { routes, call, countBuilds: () => count };
}

test('both documents are built before the process listens, and no request builds or writes them again', async () => {
  const { routes, call, countBuilds } = documented();
  expect(countBuilds()).toBe(0);
  for (const route of routes) route.prepare?.();
  expect(countBuilds()).toBe(1);
  for (const [path, version] of [
    ['/openapi.json', '3.1.1'],
    ['/openapi-3.0.json', '3.0.3'],
  ] as const) {
    const answer = await call(path);
    expect(JSON.parse(answer?.json ?? '')).toMatchObject({ openapi: version, paths: { '/workflows': {} } });
  }
  expect(countBuilds()).toBe(1);
});

test('an application that prepares nothing builds them with the first request for one of them', async () => {
  const { call, countBuilds } = documented();
  expect(JSON.parse((await call('/openapi-3.0.json'))?.json ?? '')).toMatchObject({ openapi: '3.0.3' });
  await call('/openapi.json');
  expect(countBuilds()).toBe(1);
});

test('a document with a tag that nobody describes is not built', () => {
  const { webhooks: _webhooks, ...tags } = TAGS;
  const build = () => buildOpenApiDocument(allRoutes(), { tags, schemas: describeDefinition() });
  expect(build).toThrow('tags without a description: webhooks');
});
