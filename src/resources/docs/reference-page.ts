/** The page at /redoc: the whole OpenAPI document as HTML to read, search and print; no script runs in it. */
import { isObject, type Json, type JsonObject } from '../../graph/value.ts';
import { escaped, listAt, nameOf, objectAt, schemaHtml, textAt } from './reference-schema.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly value: JsonObject;
}

function operationsOf(document: JsonObject): Operation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) =>
    Object.keys(item as JsonObject).map((method) => ({
      method: method.toUpperCase(),
      path,
      value: objectAt(item, method),
    })),
  );
}

const example = (value: Json | undefined): string =>
  value === undefined
    ? ''
    : `<pre>${escaped(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}</pre>`;

/** The one media type of a body, with its schema and example. */
function content(body: JsonObject): { readonly schema: string; readonly example: string } {
  const [media] = Object.keys(objectAt(body, 'content'));
  if (media === undefined) return { schema: 'no body', example: '' };
  const { schema, example: shown } = objectAt(objectAt(body, 'content'), media);
  const type = media === 'application/json' ? '' : `${escaped(media)}: `;
  return { schema: `${type}${schemaHtml(schema)}`, example: example(shown) };
}

function parameters(operation: JsonObject): string {
  const rows = listAt(operation, 'parameters').map((parameter) => {
    const about = escaped(
      textAt(objectAt(parameter, 'schema'), 'description') || textAt(parameter, 'description'),
    );
    const needed = isObject(parameter) && parameter['required'] === true ? 'required' : '';
    return (
      `<tr><td><code>${escaped(textAt(parameter, 'name'))}</code></td><td>${escaped(textAt(parameter, 'in'))}</td>` +
      `<td>${schemaHtml(objectAt(parameter, 'schema'))}</td><td>${needed}</td><td>${about}</td></tr>`
    );
  });
  if (rows.length === 0) return '';
  return `<h4>Parameters</h4><table><tbody>${rows.join('')}</tbody></table>`;
}

function requestBody(operation: JsonObject): string {
  const body = objectAt(operation, 'requestBody');
  if (Object.keys(body).length === 0) return '';
  const { schema, example: shown } = content(body);
  return `<h4>Request body</h4><div>${schema}</div>${shown}`;
}

function responses(operation: JsonObject): string {
  const rows: string[] = [];
  const shown: string[] = [];
  for (const [status, response] of Object.entries(objectAt(operation, 'responses'))) {
    const reference = textAt(response, '$ref');
    if (reference !== '') {
      const name = escaped(nameOf(reference));
      rows.push(`<tr><td>${status}</td><td><a href="#response-${name}">${name}</a></td><td></td></tr>`);
      continue;
    }
    const body = content(response as JsonObject);
    rows.push(
      `<tr><td>${status}</td><td>${escaped(textAt(response, 'description'))}</td><td>${body.schema}</td></tr>`,
    );
    if (body.example !== '') shown.push(`<h4>Example: ${status}</h4>${body.example}`);
  }
  return `<h4>Answers</h4><table><tbody>${rows.join('')}</tbody></table>${shown.join('')}`;
}

const heading = ({ method, path }: Operation): string =>
  `<span class="method">${method}</span> <code>${escaped(path)}</code>`;

const operationHtml = (operation: Operation): string =>
  [
    `<section id="${escaped(textAt(operation.value, 'operationId'))}"><h3>${heading(operation)}</h3>`,
    `<p>${escaped(textAt(operation.value, 'summary'))}.</p>`,
    `<p class="quiet">${escaped(textAt(operation.value, 'description'))}</p>`,
    parameters(operation.value),
    requestBody(operation.value),
    responses(operation.value),
    '</section>',
  ].join('');

/** A refusal of the guards: what it means, its headers, its bodies. */
function responseHtml(name: string, response: JsonObject): string {
  const [media] = Object.values(objectAt(response, 'content'));
  const headers = Object.keys(objectAt(response, 'headers')).map(
    (header) => `<code>${escaped(header)}</code>`,
  );
  const bodies = Object.values(objectAt(media, 'examples')).map((shown) =>
    example((shown as JsonObject)['value']),
  );
  return (
    `<section id="response-${escaped(name)}"><h3>${escaped(name)}</h3><p>${escaped(textAt(response, 'description'))}.</p>` +
    `<p>Body: ${schemaHtml(objectAt(media, 'schema'))}</p><p class="quiet">Headers: ${headers.join(', ')}</p>${bodies.join('')}</section>`
  );
}

const entry = (operation: Operation): string =>
  `<li><a href="#${escaped(textAt(operation.value, 'operationId'))}">${escaped(textAt(operation.value, 'summary'))}</a></li>`;

/** @returns an HTML document that says all that the OpenAPI document says to a reader */
export function referencePage(openApi: object): string {
  const document = openApi as JsonObject;
  const info = objectAt(document, 'info');
  const operations = operationsOf(document);
  const tags = listAt(document, 'tags').map((tag) => {
    const name = textAt(tag, 'name');
    const of = operations.filter((operation) => listAt(operation.value, 'tags').includes(name));
    return { name, description: textAt(tag, 'description'), of };
  });
  const components = objectAt(document, 'components');
  const refusals = Object.keys(objectAt(components, 'responses'));
  const schemas = Object.keys(objectAt(components, 'schemas'));
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(textAt(info, 'title'))}: API reference</title>`,
    '<link rel="icon" type="image/png" href="docs/favicon-32x32.png">',
    '<link rel="stylesheet" href="redoc/reference.css"></head><body><nav>',
    ...tags.map(
      ({ name, of }) => `<h2><a href="#tag-${name}">${name}</a></h2><ul>${of.map(entry).join('')}</ul>`,
    ),
    '<h2><a href="#refusals">refusals</a></h2><h2><a href="#schemas">schemas</a></h2></nav><main>',
    `<h1>${escaped(textAt(info, 'title'))} <span class="quiet">${escaped(textAt(info, 'version'))}</span></h1>`,
    `<p>${escaped(textAt(info, 'description'))} To send requests: <a href="docs">docs</a>. For machines: `,
    '<a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>',
    '<p>Credentials: <code>Authorization: Bearer</code> with an API key or a JWT, or an API key in <code>X-API-KEY</code>.</p>',
    ...tags.map(
      ({ name, description, of }) =>
        `<h2 id="tag-${name}">${name}</h2><p>${escaped(description)}</p>${of.map(operationHtml).join('')}`,
    ),
    '<h2 id="refusals">refusals</h2>',
    ...refusals.map((name) => responseHtml(name, objectAt(objectAt(components, 'responses'), name))),
    '<h2 id="schemas">schemas</h2>',
    ...schemas.map(
      (name) =>
        `<section id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${schemaHtml(objectAt(objectAt(components, 'schemas'), name))}</section>`,
    ),
    '</main></body></html>',
  ].join('\n');
}
