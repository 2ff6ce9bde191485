/** The sentences about a change that is proposed on the canvas: by the Composer, or to restore a version. */
export const proposalWords = {
  title: 'Proposed change',
  changes: 'Changes',
  show: 'Show change',
  noChange: 'This answer has no changes.',
  byComposer: 'The Composer proposes this change. Nothing is saved until you accept it.',
  restores: (version: string) => `Restore version ${version}. Nothing is saved until you accept it.`,
  composed: 'accept AI changes',
  restored: (version: string) => `restore version ${version}`,
  none: 'No changes. The canvas already matches.',
  conflicts: 'Someone else changed these fields. Their values are kept:',
  accept: (count: number, all: number) => (count === all ? 'Accept all' : `Accept ${count} of ${all}`),
  reject: 'Reject',
  accepted: 'Accepted. Undo to revert all changes.',
  notApplied: 'The change could not be applied.',
  tooLarge: 'This change would make the workflow too large.',
} as const;
