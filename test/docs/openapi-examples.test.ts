/** An example in the API reference would be missing, or be refused when somebody sends it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import { nodeKinds } from '../../src/language/nodes/registry.ts';
import { EVENT_TYPES } from '../../src/engine/runs/ledger/event-types.ts';
import { apiDocument } from '../../src/processes/api-document.ts';

const document = apiDocument() as unknown as Described;

interface Media {
  readonly schema?: { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
    readonly responses: Readonly<Record<string, Content>>;
  };
}

const JSON_TYPE = 'application/json';

/** Bodies of JSON by where they stand: of requests, and of answers. */
function bodies({ paths, components }: Described): (readonly [at: string[], media: Media])[] {
  const within = (at: string[], content: Content | undefined): (readonly [string[], Media])[] => {
    const media = content?.content?.[JSON_TYPE];
    return media === undefined ? [] : [[[...at, 'content', JSON_TYPE], media]];
  };
  const answers = (at: string[], responses: Readonly<Record<string, Content>>) =>
    Object.entries(responses).flatMap(([status, reply]) => within([...at, status], reply));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const at = ['paths', path, method];
      return [
        ...within([...at, 'requestBody'], operation.requestBody),
        ...answers([...at, 'responses'], operation.responses),
      ];
    }),
  );
  return [...operations, ...answers(['components', 'responses'], components.responses)];
}

const shown = ({ example, examples = {} }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false });
  ajv.addSchema(document, 'openapi');
  const pointer = (at: readonly string[]): string =>
    at.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const mistakes = (at: readonly string[], values: readonly unknown[]): string[] =>
    values.flatMap((value) => {
      const fits = ajv.validate(`openapi#/${pointer(at)}`, value);
      return fits ? [] : [`${at.join(' ')}: ${ajv.errorsText()}`];
    });

  test('each request and each success of JSON shows one', () => {
    const isShown = (at: readonly string[]): boolean =>
      at[3] === 'requestBody' || (at[3] === 'responses' && Number(at[4]) < 300);
    const silent = bodies(document).filter(([at, media]) => isShown(at) && shown(media).length === 0);
    expect(silent.map(([at]) => at.join(' '))).toEqual([]);
  });

  test('each fits its schema', () => {
    const wrong = bodies(document).flatMap(([at, media]) => {
      // What is named is compiled once, however many bodies have it.
      const name = media.schema?.$ref?.split('/').at(-1);
      return mistakes(name === undefined ? [...at, 'schema'] : ['components', 'schemas', name], shown(media));
    });
    expect(wrong).toEqual([]);
  });

  const { schemas } = document.components;
  const errors = ['DetailError', 'StructuredError', 'ValidationError', 'Denial'];
  const named = Object.keys(schemas).filter(
    (id) => /^\w+(Frame|Node)$/.test(id) && !/^(Heartbeat|Snapshot|Compared|RerunPlan)Node$/.test(id),
  );

  test('each kind of node, each frame and each shape of an error shows one that fits', () => {
    expect(named.length).toBe(nodeKinds.length + Object.keys(EVENT_TYPES).length);
    const wrong = [...errors, ...named].flatMap((id) => {
      const values = schemas[id]?.examples ?? [];
      return values.length === 0 ? [`${id} shows none`] : mistakes(['components', 'schemas', id], values);
    });
    expect(wrong).toEqual([]);
  });

  test.each(nodeKinds.map((kind) => [kind.type, kind] as const))(
    'nodes of the type %s are as the kind reads them',
    (_type, kind) => {
      for (const { config } of kind.examples)
        expect(kind.parse(config as JsonObject)).not.toHaveProperty('problems');
    },
  );
});
