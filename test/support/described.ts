/** Whether answers are as the OpenAPI document says: every helper that sends requests to the API asks here. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { apiDocument } from '../../src/processes/api-document.ts';
import { listErrorCodes } from './error-codes.ts';

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, object>>;
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Described>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

export interface ToldAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

class Description {
  readonly #document = apiDocument() as unknown as Document;
  readonly #paths = Object.keys(this.#document.paths).map((path) => ({ path, matches: pattern(path) }));
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });

  constructor() {
    this.#ajv.addSchema(this.#document, 'openapi');
  }

  /** @returns what is wrong with an answer, or null. What is no operation is not judged. */
  problem(method: string, url: string, answer: ToldAnswer): string | null {
    const [asked = ''] = url.split('?');
    // A literal segment stands before a parameter, and the path has methods of its own, as in the table of rows.
    const found = this.#paths
      .filter(({ matches }) => matches.test(asked))
      .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
    if (found === undefined || !(method.toLowerCase() in this.#document.paths[found.path]!)) return null;
    const at = ['paths', found.path, method.toLowerCase(), 'responses', String(answer.status)];
    const told = this.#document.paths[found.path]![method.toLowerCase()]!.responses[answer.status];
    const name = `${method} ${found.path} ${answer.status}`;
    if (told === undefined) return `${name} is not described: ${answer.text.slice(0, 300)}`;
    const place = told.$ref === undefined ? at : told.$ref.replace('#/', '').split('/');
    const content =
      told.$ref === undefined ? told.content : this.#document.components.responses[place[2]!]?.content;
    const [type = ''] = answer.contentType.split(';');
    if (answer.text === '' && content === undefined) return null;
    if (content?.[type] === undefined) return `${name} has the undescribed type ${answer.contentType}`;
    if (type !== 'application/json') return null;
    return this.mismatch([...place, 'content', type, 'schema'], JSON.parse(answer.text), name);
  }

  /** @returns how a value differs from the schema at a place of the document, or null */
  mismatch(place: readonly string[], value: unknown, name: string): string | null {
    const validate = this.#ajv.getSchema(
      `openapi#/${place.map((part) => encodeURIComponent(escaped(part))).join('/')}`,
    ) as ValidateFunction | undefined;
    if (validate === undefined) return `${name}: there is no schema at ${place.join('/')}`;
    if (validate(value)) return null;
    const said = this.#ajv.errorsText(validate.errors, { dataVar: '' });
    return `${name} is not as described: ${said}\n${JSON.stringify(value).slice(0, 2_000)}`;
  }
}

let description: Description | null = null;
const described = (): Description => (description ??= new Description());

/** @throws Error for an answer of the API whose status, type or body the OpenAPI document does not have */
export function checkAnswer(method: string, url: string, answer: ToldAnswer): void {
  const problem = described().problem(method, url, answer);
  if (problem !== null) throw new Error(problem);
}

let codesByStatus: ReturnType<typeof listErrorCodes> | null = null;

/**
 * @param path of the request: routes of another protocol have statuses of their own for the codes
 * @throws Error for a refusal whose X-Error-Code is none of its status, and for an answer that has one and is no refusal
 */
export function checkErrorCode(path: string, status: number, code: string | null): void {
  const hasDialect = /^\/(?:openai\/|mcp$)/.test(path);
  const known = Object.entries((codesByStatus ??= listErrorCodes())).filter(
    ([each]) => hasDialect || Number(each) === status,
  );
  const codes = Object.assign({}, ...known.map(([, each]) => each)) as object;
  const isRight = status < 400 ? code === null : code !== null && Object.hasOwn(codes, code);
  if (!isRight) throw new Error(`${status} with the error code ${code}`);
}

/** @throws Error for a frame of a run's stream that the document does not have */
export function checkFrame(frame: unknown): void {
  const problem = described().mismatch(['components', 'schemas', 'RunEvent'], frame, 'a frame');
  if (problem !== null) throw new Error(problem);
}
