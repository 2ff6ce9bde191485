/** Text of credentials and their forms, loaded with them. */
const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`;

export const credentialWords = {
  noCredentials: {
    title: 'No credentials yet.',
    text: 'A credential stores the account or key that nodes use to call other services.',
    action: 'Add your first credential',
  },
  credentialName: 'Credential name',
  authType: 'Authentication',
  authTypes: {
    api_key: 'API key in a header',
    query: 'API key in the query',
    cookie: 'API key in a cookie',
    bearer: 'Access token',
    basic: 'Username and password',
    oauth2: 'OAuth 2',
    service_account: 'Service account',
    aws_sigv4: 'AWS signature',
    none: 'None',
  },
  hosts: 'Allowed hosts',
  hostsWhy: 'For example api.example.com or localhost:8080. Separate multiple hosts with commas.',
  hostsStay: 'Leave empty to keep the current hosts.',
  authorizeAt: (name: string) => `Connect ${name}`,
  authorizing: (name: string) => `Continue in the ${name} window.`,
  authorizationCancelled: 'Authorization was cancelled.',
  credentialStates: { active: 'Active', expired: 'Expired', error: 'Rejected', revoked: 'Revoked' },
  credentialActs: { test: 'Test', tools: 'Tools', change: 'Edit', delete: 'Delete' },
  changeCredential: (name: string) => `Edit “${name}”`,
  deleteCredential: (name: string) => `Delete “${name}” and its secret?`,
  usedBy: (workflows: number, bases: number) =>
    workflows + bases === 0
      ? 'Not in use.'
      : `Used by ${count(workflows, 'workflow')} and ${count(bases, 'knowledge base')}.`,
  newSecret: 'Replace secret',
  replaceSecret: 'Replace',
  revokeWhy: 'Stops all use immediately. Replace the secret to enable it again.',
  toolsTitle: (name: string) => `Tools of “${name}”`,
  noTools: 'This server has no tools.',
} as const;
