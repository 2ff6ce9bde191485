/** A field of a form: its place in a config, its label and its control. The page draws it. */
import type { Json } from '../graph/values/value.ts';

export type Widget =
  | 'text'
  | 'template'
  | 'code'
  | 'json'
  | 'number'
  | 'switch'
  | 'select'
  | 'messages'
  | 'cases'
  | 'rules'
  | 'pairs'
  | 'suggest'
  | 'tools'
  | 'checks'
  | 'parameters'
  | 'sort'
  | 'aggregates'
  | 'chats'
  | 'schema'
  | 'inputs'
  | 'optional'
  | 'answer'
  | 'scalar'
  | 'operand'
  | 'values'
  | 'respond'
  | 'filters'
  | 'lines'
  | 'actions'
  | 'choices'
  | 'credential'
  | 'bases'
  | 'workflow'
  | 'table'
  | 'integration'
  | 'action'
  | 'mcp_tool';

export interface Field {
  /** A JSON pointer into the config. */
  readonly ptr: string;
  readonly label: string;
  readonly widget: Widget;
  readonly hint?: string;
  readonly options?: readonly string[];
  /** Stands below the label. */
  readonly description?: string;
  readonly isRequired?: boolean;
  /** The words for options that do not speak for themselves. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The name of the entries in a builder of keys and values. */
  readonly pairs?: 'headers' | 'query' | 'arguments' | 'fields' | 'names' | 'body' | 'state' | 'output';
  /** The source of the suggestions of a text. */
  readonly suggestions?: 'providers' | 'models';
  /** The value that runs use when the config has none: a choice shows it, a text has it as its hint. */
  readonly fallback?: Json;
  /** Values that other fields must have for this one to be shown; null stands for a missing one. */
  readonly when?: readonly { readonly ptr: string; readonly is: readonly Json[] }[];
}

/** Shows a field only while another has one of these values. */
export const when = (ptr: string, ...is: Json[]) => ({ when: [{ ptr, is }] });
