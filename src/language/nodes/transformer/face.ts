/** The face of the type `transformer`. */
import type { NodeFace } from '../face.ts';
import { when, type Field } from '../form-field.ts';
import { listOutputs } from './outputs.ts';

const LIST_MODES = ['list', 'group', 'unique', 'chunk', 'flatten', 'pick', 'rename'] as const;
const TABLES = ['csv', 'html', 'markdown'] as const;

const DELIMITERS = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Bar' };

const of = (mode: string, formats: readonly string[]): Pick<Field, 'when'> => ({
  when: [
    { ptr: '/mode', is: [mode] },
    { ptr: '/format', is: formats },
  ],
});
const formatting = (...formats: readonly string[]) => of('format', formats);
const parsing = (...formats: readonly string[]) => of('parse', formats);

export const transformerFace: NodeFace = {
  group: 'data',
  label: 'Transform',
  hint: 'Map, filter, group, join, template',
  color: 'teal',
  icon: 'shuffle',
  keywords:
    'set map filter sort merge json data edit fields format template variable group aggregate sum average count join lookup vlookup unique deduplicate distinct split out flatten batch chunk pick rename summarize csv xml html markdown table spreadsheet excel export report parse read extract feed rss atom yaml eml scrape selector xlsx',
  config: { mode: 'map', fields: { text: '{{input.text}}' } },
  presets: [
    {
      key: 'for_each',
      group: 'flow',
      label: 'For each',
      hint: 'Repeat a step for every item of a list',
      icon: 'repeat',
      keywords: 'loop iterate iteration list array batch items foreach',
      config: { mode: 'map', fields: { item: '{{item}}' } },
      more: { for_each: { items: '{{input.items}}' } },
    },
  ],
  fields: [
    {
      ptr: '/mode',
      label: 'Type',
      widget: 'select',
      labels: {
        list: 'Filter and sort a list',
        join: 'Join two lists',
        pick: 'Pick fields',
        rename: 'Rename fields',
        format: 'Format as text',
        parse: 'Parse a text or file',
      },
    },
    {
      ptr: '/format',
      label: 'Format',
      widget: 'select',
      labels: { csv: 'CSV', html: 'HTML table', markdown: 'Markdown table', xml: 'XML' },
      ...when('/mode', 'format'),
    },
    {
      ptr: '/format',
      label: 'Format',
      widget: 'select',
      labels: {
        csv: 'CSV',
        xlsx: 'Excel (xlsx)',
        json: 'JSON',
        yaml: 'YAML',
        xml: 'XML',
        html: 'HTML by selectors',
        html_table: 'HTML table',
        feed: 'Feed (RSS, Atom)',
        email: 'Email (eml)',
      },
      ...when('/mode', 'parse'),
    },
    { ptr: '/fields', label: 'Fields', widget: 'pairs', pairs: 'fields', ...when('/mode', 'map') },
    { ptr: '/source', label: 'List', widget: 'template', ...when('/mode', ...LIST_MODES) },
    { ptr: '/source', label: 'Rows or value', widget: 'template', ...when('/mode', 'format') },
    { ptr: '/source', label: 'Text or file', widget: 'template', ...when('/mode', 'parse') },
    { ptr: '/selector', label: 'CSS selector', widget: 'text', ...parsing('html', 'html_table') },
    {
      ptr: '/fields',
      label: 'Fields',
      widget: 'pairs',
      pairs: 'fields',
      description: 'CSS selectors inside an item: h2, a@href',
      ...parsing('html'),
    },
    { ptr: '/sheet', label: 'Sheet', widget: 'text', ...parsing('xlsx') },
    {
      ptr: '/lists',
      label: 'Always lists',
      widget: 'lines',
      hint: 'Elements, one per line',
      ...parsing('xml'),
    },
    { ptr: '/skip_rows', label: 'Rows to skip', widget: 'number', ...parsing('csv', 'xlsx') },
    {
      ptr: '/header',
      label: 'First row has the names',
      widget: 'switch',
      ...parsing('csv', 'xlsx', 'html_table'),
    },
    {
      ptr: '/delimiter',
      label: 'Between cells',
      widget: 'select',
      labels: { auto: 'As the first line', ...DELIMITERS },
      ...parsing('csv'),
    },
    {
      ptr: '/numbers',
      label: 'Language of numbers',
      widget: 'text',
      hint: 'en, de, fr; empty: texts',
      ...parsing('csv', 'xlsx', 'html_table'),
    },
    {
      ptr: '/charset',
      label: 'Charset of a file',
      widget: 'text',
      ...parsing('csv', 'xml', 'html', 'html_table', 'feed', 'yaml', 'front_matter', 'json'),
    },
    {
      ptr: '/columns',
      label: 'Columns',
      widget: 'lines',
      hint: 'One key per line. Empty: all keys.',
      ...formatting(...TABLES),
    },
    { ptr: '/header', label: 'Names of the columns', widget: 'switch', ...formatting('csv') },
    {
      ptr: '/delimiter',
      label: 'Between cells',
      widget: 'select',
      labels: DELIMITERS,
      ...formatting('csv'),
    },
    {
      ptr: '/decimal',
      label: 'Decimals',
      widget: 'select',
      labels: { '.': '1.5', ',': '1,5' },
      ...formatting('csv'),
    },
    {
      ptr: '/formulas',
      label: 'Formulas in texts',
      widget: 'select',
      labels: { escape: 'Make them harmless', keep: 'Keep' },
      ...formatting('csv'),
    },
    {
      ptr: '/root',
      label: 'Outermost element',
      widget: 'text',
      ...formatting('xml'),
    },
    {
      ptr: '/keys',
      label: 'Group by',
      widget: 'pairs',
      pairs: 'fields',
      description: 'Without a field all items are one group.',
    },
    { ptr: '/values', label: 'Computed fields', widget: 'aggregates' },
    { ptr: '/by', label: 'Key of an item', widget: 'optional', hint: 'Leave empty to compare whole items' },
    { ptr: '/size', label: 'Items per chunk', widget: 'number' },
    { ptr: '/depth', label: 'Levels', widget: 'number' },
    { ptr: '/keep', label: 'Fields to keep', widget: 'lines', hint: 'One per line.' },
    { ptr: '/names', label: 'New names', widget: 'pairs', pairs: 'names' },
    { ptr: '/left', label: 'Left list', widget: 'template' },
    { ptr: '/right', label: 'Right list', widget: 'template' },
    { ptr: '/left_key', label: 'Key of a left item', widget: 'template' },
    { ptr: '/right_key', label: 'Key of a right item', widget: 'template' },
    {
      ptr: '/join_type',
      label: 'Keep',
      widget: 'select',
      labels: { inner: 'Only matches', left: 'All left items', full: 'All items of both' },
    },
    {
      ptr: '/filter',
      label: 'Filter',
      widget: 'rules',
      hint: 'Keeps every item. Add a rule to keep only the items that match it.',
    },
    { ptr: '/sort', label: 'Sort by', widget: 'sort' },
    { ptr: '/limit', label: 'Limit', widget: 'number' },
    {
      ptr: '/select',
      label: 'Fields per item',
      widget: 'pairs',
      pairs: 'fields',
      ...when('/mode', 'list', 'join'),
    },
    {
      ptr: '/select',
      label: 'List in an item',
      widget: 'optional',
      hint: 'Leave empty for the item itself',
      ...when('/mode', 'flatten'),
    },
    { ptr: '/template', label: 'Template', widget: 'template' },
    {
      ptr: '/parse_as',
      label: 'Parse as',
      widget: 'select',
    },
    { ptr: '/sources', label: 'Sources', widget: 'values' },
    {
      ptr: '/strategy',
      label: 'Strategy',
      widget: 'select',
    },
    { ptr: '/respond', label: 'Response to a webhook', widget: 'respond' },
  ],
  listOutputs,
};
