/** The sentences of the page of versions. */
export const versionWords = {
  version: 'Version',
  live: 'live',
  deploy: 'Deploy',
  deployed: 'Deployed',
  note: 'Note',
  neverDeployed: 'Draft (no live version)',
  draftAgainstLive: 'Draft compared with the live version',
  noChanges: 'No changes.',
  compareDraft: 'Compare with the draft',
  setLive: 'Set live',
  sinceVersion: (version: string) => `Changes since ${version}`,
  restore: 'Restore to draft',
  restoreWhy: 'Replaces the draft with this version.',
  toCanvas: 'Open canvas',
} as const;
