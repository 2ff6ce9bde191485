/** The sentences of the page of API keys: the first page loads `words.ts`. */
export const keyWords = {
  keyCreated: 'API key created',
  keyOnce: 'Copy this key now. You will not see it again.',
  keyNameWhy: 'For example the program that will use it.',
  revokeSure: (name: string) => `Revoke “${name}”? Programs that use it lose access immediately.`,
  noKeys: {
    title: 'No API keys yet.',
    text: 'Programs, CI jobs and the command line call the API with a key.',
  },
  serviceAccounts: {
    title: 'Service accounts',
    text: 'Programs of the organization, with keys that keep working when the person who created them leaves.',
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
