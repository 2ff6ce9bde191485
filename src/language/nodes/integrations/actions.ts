/** Builds actions from a short form: parameters that the path does not have go into the query of a GET, else into the body. */
import type { JsonObject } from '../../graph/values/value.ts';
import { describeFields } from './auth-schemes.ts';
import type { Action } from './integration.ts';

interface ActionForm extends Pick<Action, 'name' | 'displayName' | 'description' | 'verify' | 'answers'> {
  readonly method: Action['request']['method'];
  readonly path: string;
  /** Schemas of the parameters; all of `required` must be given. */
  readonly input: JsonObject;
  readonly required: readonly string[];
  readonly output: JsonObject;
  /** Undefined: true for GET, false for POST; others say it. */
  readonly idempotent?: boolean;
  /** Parameters of a request with a body that go into the query. */
  readonly query?: readonly string[];
  /** More of the request. */
  readonly request?: Partial<
    Pick<
      Action['request'],
      | 'constant'
      | 'headers'
      | 'bodyPaths'
      | 'secondPaths'
      | 'itemPaths'
      | 'queryNames'
      | 'mailField'
      | 'repetitionKey'
      | 'fixedQuery'
    >
  >;
}

/** Describes an action. */
export function describeCatalogAction(form: ActionForm): Action {
  const { method, path, input, query = [], verify, answers, request } = form;
  const rest = Object.keys(input).filter((name) => !path.includes(`{${name}}`) && !query.includes(name));
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  return {
    name: form.name,
    displayName: form.displayName,
    description: form.description,
    idempotent: form.idempotent ?? method === 'GET',
    requiresAuth: true,
    inputSchema: describeFields(input, form.required),
    outputSchema: { type: 'object', properties: form.output },
    request: {
      method,
      path,
      query: hasBody ? query : rest,
      body: hasBody ? rest : null,
      headers: {},
      ...request,
    },
    ...(verify !== undefined && { verify }),
    ...(answers !== undefined && { answers }),
  };
}
