/**
 * The page of one question, as HTML without scripts: it is read once, on a phone, by somebody who has no account. All texts come
 * from runs, so each is escaped, and the policy lets the page load and send nothing but its form.
 */
import { createHash } from 'node:crypto';
import type { ErrorCode } from '../../base/error-codes.ts';
import type { Reply } from '../../platform/http/route.ts';
import { escapeHtml } from '../../language/graph/values/escape-html.ts';
import { FIELD_PREFIX, type FormField } from './form.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 34rem; padding: 1.25rem; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere; }
p { margin: 0 0 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { border: 1px solid; border-radius: .5rem; margin: 0 0 1rem; max-height: 40vh; overflow: auto; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
label { display: block; font-weight: 600; margin: 0 0 1rem; }
label.check { align-items: center; display: flex; gap: .75rem; }
input:not([type=checkbox]), select, textarea { box-sizing: border-box; display: block; font: inherit; margin-top: .25rem; min-height: 2.75rem; padding: .5rem; width: 100%; }
input[type=checkbox] { height: 1.5rem; width: 1.5rem; }
button { background: transparent; border: 1px solid; border-radius: .5rem; color: inherit; cursor: pointer; display: block; font: inherit; font-weight: 600; margin: 0 0 .75rem; min-height: 3rem; width: 100%; }
button:first-of-type { background: #3b5bdb; border-color: #3b5bdb; color: #fff; }
button:focus-visible { outline: 3px solid #748ffc; outline-offset: 2px; }
[role=alert] { border: 2px solid; border-radius: .5rem; padding: .75rem; }
footer { font-size: .875rem; margin-top: 1.5rem; }
`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // The URL is the right to answer: neither caches nor other sites nor search engines may have it.
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

function renderPage(title: string, main: string, footer = ''): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1>${main}</main>${footer}</body></html>`,
  ].join('');
}

/** @param code of the error, as every error of the API has one */
const buildHeaders = (code: ErrorCode | null) =>
  code === null ? HEADERS : { ...HEADERS, 'X-Error-Code': code };

/** Builds a page that says one thing. */
export const buildNotice = (
  { status, code }: { readonly status: number; readonly code: ErrorCode | null },
  title: string,
  text: string,
): Reply => ({
  status,
  headers: buildHeaders(code),
  body: renderPage(title, `<p>${escapeHtml(text)}</p>`),
});

/** A question as its page shows it. */
export interface ShownQuestion {
  readonly title: string;
  readonly message: string;
  readonly payload: string | null;
  readonly fields: readonly FormField[];
  /** A null id: the only button of a question without actions. */
  readonly actions: readonly { readonly id: string | null; readonly label: string }[];
  readonly facts: readonly string[];
  /** Why an answer was refused. */
  readonly problems: readonly string[];
  /** The sent values, for a form that is shown again. */
  readonly sent: ReadonlyMap<string, string> | null;
}

function renderField(
  { name, title, kind, options, isRequired, initial }: FormField,
  sent: ReadonlyMap<string, string> | null,
): string {
  const key = `${FIELD_PREFIX}${name}`;
  const value = sent === null ? initial : (sent.get(key) ?? '');
  const attributes = `name="${escapeHtml(key)}"${isRequired && kind !== 'boolean' ? ' required' : ''}`;
  const label = escapeHtml(title);
  if (kind === 'fixed') return `<input type="hidden" name="${escapeHtml(key)}" value="${escapeHtml(value)}">`;
  if (kind === 'boolean')
    return `<label class="check"><input type="checkbox" ${attributes} value="true"${value === '' ? '' : ' checked'}>${label}</label>`;
  if (kind === 'number')
    return `<label>${label}<input type="number" step="any" inputmode="decimal" ${attributes} value="${escapeHtml(value)}"></label>`;
  if (kind === 'choice') {
    const choices = ['', ...options].map(
      (option) => `<option${option === value ? ' selected' : ''}>${escapeHtml(option)}</option>`,
    );
    return `<label>${label}<select ${attributes}>${choices.join('')}</select></label>`;
  }
  // The first line break after the tag is no part of the text.
  return `<label>${label}<textarea rows="${kind === 'json' ? 4 : 2}" ${attributes}>\n${escapeHtml(value)}</textarea></label>`;
}

/** Builds the page of a question; 422 for a form that is shown again with its problems. */
export function buildQuestionPage(question: ShownQuestion): Reply {
  const { title, message, payload, fields, actions, facts, problems, sent } = question;
  const buttons = actions.map(({ id, label }) => {
    const value = id === null ? '' : ` name="action" value="${escapeHtml(id)}"`;
    return `<button type="submit"${value}>${escapeHtml(label)}</button>`;
  });
  const main = [
    message === '' ? '' : `<p>${escapeHtml(message)}</p>`,
    payload === null ? '' : `<pre tabindex="0">${escapeHtml(payload)}</pre>`,
    problems.length === 0 ? '' : `<p role="alert">${escapeHtml(problems.join('\n'))}</p>`,
    '<form method="post">',
    ...fields.map((field) => renderField(field, sent)),
    ...buttons,
    '</form>',
  ];
  const footer = `<footer>${facts.map((fact) => escapeHtml(fact)).join('<br>')}</footer>`;
  const isRefused = problems.length > 0;
  return {
    status: isRefused ? 422 : 200,
    headers: buildHeaders(isRefused ? 'validation_failed' : null),
    body: renderPage(title, main.join(''), footer),
  };
}
