/** The page at /redoc: a list of all operations as HTML without scripts. */
import { VERSION } from '../../../base/config/config.ts';
import { toDocumentPath, NEEDS, TITLE } from '../openapi.ts';
import { escapeHtml } from '../../../language/graph/values/escape-html.ts';
import type { Route } from '../route.ts';

const operation = (row: Route): string =>
  `<li id="${row.operationId}"><code>${row.method} ${escapeHtml(toDocumentPath(row.path))}</code> ` +
  `${escapeHtml(row.summary)}. ${escapeHtml(NEEDS[row.access])}</li>`;

/** @returns an HTML document that lists the routes by tag */
export function buildReferencePage(rows: readonly Route[]): string {
  const tags = [...new Set(rows.map((row) => row.tag))];
  const sections = tags.map((tag) => {
    const own = rows.filter((row) => row.tag === tag).map(operation);
    return `<h2 id="${tag}">${tag}</h2><ul>${own.join('')}</ul>`;
  });
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${TITLE}: API reference</title>`,
    '<link rel="icon" type="image/png" href="docs/favicon-32x32.png"></head><body>',
    `<h1>${TITLE} ${VERSION}</h1>`,
    '<p>Bodies, answers and refusals: <a href="docs">docs</a>, or <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>',
    `<p>${tags.map((tag) => `<a href="#${tag}">${tag}</a>`).join(', ')}</p>`,
    ...sections,
    '</body></html>',
  ].join('\n');
}
