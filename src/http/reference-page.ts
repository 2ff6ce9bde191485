/**
 * The API reference for people: one page without scripts and without anything from another host (security bar O04),
 * made from the rows like the OpenAPI document beside it.
 */
import { VERSION } from '../config.ts';
import type { Access, Route } from './route.ts';

const NEEDS: Readonly<Record<Access, string>> = {
  public: 'no credential',
  caller: 'any user',
  organization: 'a member of the organization',
  owner_or_admin: 'owner or admin',
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

const line = (row: Route): string =>
  `<tr><td><code>${row.method}</code></td><td><code>${escaped(row.path.replace(/:(\w+)/g, '{$1}'))}</code></td>` +
  `<td>${escaped(row.summary)}</td><td>${NEEDS[row.access]}</td></tr>`;

/** @returns an HTML document that lists every row */
export function referencePage(rows: readonly Route[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API reference</title></head><body>',
    `<h1>Workflow Automation Service ${VERSION}</h1>`,
    '<p>Parameters, bodies and answers: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>',
    '<table><thead><tr><th>Method</th><th>Path</th><th>What it does</th><th>Needs</th></tr></thead><tbody>',
    ...rows.map(line),
    '</tbody></table></body></html>',
  ].join('\n');
}
