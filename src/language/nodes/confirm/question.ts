/** The question about a request before it leaves: what people see of it, and what they may answer. */
import { countJsonChars } from '../../graph/template/render-budget.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/values/value.ts';
import { NodeError } from '../kind.ts';
import { listDifferences } from './difference.ts';
import { MAX_VIEW_CHARS, listEditable, readPath, viewEffect } from './effect-view.ts';
import { getShown, type EffectParts } from './stored-effect.ts';

/** Fields of the answer beside the values that may be changed; a path has another name (EDITABLE_PATH). */
const OWN_FIELDS: ReadonlySet<string> = new Set(['digest', 'comment']);

/** A change of the request by a person. */
interface Change {
  readonly responded_by: string | null;
  /** Of a person without an account. */
  readonly responded_email: string | null;
  readonly changed_at: string;
  readonly before_digest: string;
  /** As `listDifferences` has them, without the values that the organization does not store. */
  readonly changes: readonly Json[];
}

interface Facts {
  readonly digest: string;
  readonly credential: { readonly id: string; readonly name: string | null } | null;
  /** The last request of the node, as its step shows it; null: there is none, or it is no longer known. */
  readonly last: Json;
  /** Changes by people so far. */
  readonly changes: readonly Change[];
  /** The rule of the organization by which they are asked; null: the node asks. */
  readonly rule: string | null;
  /** Paths that people may change. */
  readonly editable: readonly string[];
  /** Removes the values that the organization does not store. */
  readonly redact: (value: Json) => Json;
}

/** Reads the facts of a question that its next revision keeps. */
export const readAbout = (payload: Json): Pick<Facts, 'digest' | 'credential' | 'changes' | 'rule'> => {
  const about = payload as unknown as Pick<Facts, 'digest' | 'credential' | 'changes'>;
  const rule = ownValue(payload, 'rule');
  return { ...about, rule: typeof rule === 'string' ? rule : null };
};

interface AboutEffect {
  readonly title: string;
  readonly payload: JsonObject;
  readonly form: JsonObject;
}

const toText = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function describeTitle({ door, target }: EffectParts): string {
  const of = (name: string): string => toText((target as unknown as JsonObject)[name]);
  switch (door) {
    case 'http':
      return `Send ${of('method')} to ${of('host')}?`;
    case 'mcp':
      return `Call the tool ${of('tool')}?`;
    case 'run':
      return 'Run the workflow?';
    case 'search':
      return 'Search?';
    case 'table':
      return 'Change a row of a table?';
    case 'model':
    case 'message':
      return `Ask the model ${of('model')}?`;
  }
}

/** Of null nothing is known. */
function describeType(value: Json): JsonObject {
  if (value === null) return {};
  return { type: Array.isArray(value) ? 'array' : typeof value };
}

/**
 * Describes a request to people.
 * @throws NodeError `effect_too_large` when it has more than people can look at
 */
export function describeEffect(parts: EffectParts, facts: Facts): AboutEffect {
  const { digest, credential, last, changes, rule, editable, redact } = facts;
  const view = viewEffect(parts);
  if (countJsonChars(view, MAX_VIEW_CHARS) > MAX_VIEW_CHARS)
    throw new NodeError('effect_too_large', 'The request is too large to be approved before it is sent');
  const request = redact(view) as JsonObject;
  const difference = last === null ? null : listDifferences(last, redact(getShown(parts)));
  const fields = listEditable(parts, editable).flatMap((path) => {
    const value = readPath(request, path);
    // A value that is not stored cannot be shown in a form.
    if (value === undefined || JSON.stringify(value) !== JSON.stringify(readPath(view, path))) return [];
    return [[path, { ...describeType(value), title: path, default: value }] as const];
  });
  return {
    title: describeTitle(parts),
    payload: {
      door: parts.door,
      request,
      credential,
      difference: difference as unknown as Json,
      changes: changes as unknown as Json,
      digest,
      ...(rule === null ? {} : { rule }),
    },
    form: {
      type: 'object',
      properties: {
        ...Object.fromEntries(fields),
        comment: { type: 'string', title: 'Comment' },
        digest: { type: 'string', title: 'Digest of the request', const: digest, default: digest },
      },
      additionalProperties: false,
    },
  };
}

/** Lists the paths that the form of a question lets people change. */
export function listOffered(form: JsonObject | null): readonly string[] {
  const properties = form?.['properties'];
  return isObject(properties) ? Object.keys(properties).filter((name) => !OWN_FIELDS.has(name)) : [];
}

/** The changed values of an answer, by path. */
export const pickChanges = (data: Json): JsonObject =>
  isObject(data) ? Object.fromEntries(Object.entries(data).filter(([name]) => !OWN_FIELDS.has(name))) : {};
