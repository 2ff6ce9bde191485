/** The sentences of the pages of tables: the first page loads `words.ts`. */
export const tableWords = {
  newTable: 'New table',
  purpose: 'Description',
  rows: 'Rows',
  made: 'Created',
  none: {
    title: 'No tables yet.',
    text: 'Tables keep what workflows remember between runs: counters, customers, items that were seen.',
    action: 'Create your first table',
  },
  deleteTable: (name: string, rows: number) => `Delete “${name}” with ${rowCount(rows)}?`,
  rowCount,
  key: 'Key',
  value: 'Value',
  version: 'Version',
  writtenBy: 'Written by',
  changed: 'Changed',
  run: 'Run',
  gone: 'Unknown',
  newRow: 'New row',
  editRow: 'Edit row',
  edit: 'Edit',
  save: 'Save',
  deleteRow: (key: string) => `Delete the row “${key}”?`,
  noRows: {
    title: 'No rows yet.',
    text: 'Workflows write rows with the node “Table row”. You can add one here.',
  },
  noMatches: 'No rows match.',
  keyBegins: 'Keys that begin with',
  field: 'Field',
  equals: 'Equals',
  invalidJson: 'This is not JSON. A text needs quotes: "active".',
  changedElsewhere: 'Someone else has changed this row. Close the dialog to see the new value.',
  keyTaken: 'There is a row with this key.',
  exportRows: 'Export',
  tooMany: (rows: number) =>
    `Only the first ${rows.toLocaleString()} rows were exported. Use “workflow tables rows --json” for all of them.`,
} as const;

function rowCount(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString()} rows`;
}
