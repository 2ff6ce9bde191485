/** Words of a question about a request before it leaves, and of its form. */
export const approvalWords = {
  ask: 'Ask people before the request is sent',
  request: 'Request',
  byRule: (rule: string) => `The rule “${rule}” of the organization asks before this leaves.`,
  tool: (name: string) => `Tool ${name}`,
  credential: (name: string) => `With the credential ${name}`,
  headers: 'Headers',
  body: 'Body',
  difference: 'Changed since the last request of this node',
  same: 'The same as the last request of this node.',
  first: 'No earlier request of this node is known.',
  changed: (who: string, when: string) => `${who} changed the request ${when}`,
  somebody: 'Somebody',
  value: 'Value',
  before: 'Before',
  after: 'Now',
  none: 'not there',
} as const;
