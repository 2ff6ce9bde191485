/** The sentences of the page of API keys: the first page loads `words.ts`. */
export const keyWords = {
  keyCreated: 'API key created',
  keyOnce: 'Copy this key now. It is not shown again.',
  keyNameWhy: 'For example, the program that uses the key.',
  revokeSure: (name: string) => `Revoke “${name}”? Programs that use it lose access immediately.`,
  noKeys: {
    title: 'No API keys yet.',
    text: 'Programs, CI jobs and the command line use a key to call the API.',
  },
  serviceAccounts: {
    title: 'Service accounts',
    text: 'Identities for programs. Their keys keep working when the person who created them leaves.',
    create: 'Create service account',
    perMinute: 'Requests per minute',
    createdBy: 'Created by',
    created: 'Created',
    edit: 'Edit',
    save: 'Save',
    change: (name: string) => `Edit “${name}”`,
    delete: 'Delete',
    deleteSure: (name: string) => `Delete “${name}”? Its keys are revoked and its access ends immediately.`,
  },
} as const;
