/** The words of people for the statuses of runs, steps and attempts. */
export const statusWords = {
  running: 'Running',
  interrupted: 'Waiting',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
  reused: 'Reused',
  pending: 'Pending',
  lost: 'Lost',
} as const;
