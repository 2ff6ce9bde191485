/** The words of people for the statuses of runs, steps and attempts: one for each meaning, whichever part of the API names it. */
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
  /** A run that is accepted and that no worker has begun. */
  noWorker: 'Waiting for a worker',
} as const;

/** The stream of a run names a success and a question by words of its own. */
const streamWords = {
  completed: statusWords.succeeded,
  waiting: statusWords.interrupted,
  retrying: 'Retrying',
};
const LABELS: Readonly<Record<string, string>> = { ...statusWords, ...streamWords };

/** The word of people for a status of the API, of a run's stream or of the canvas's news. */
export const statusLabel = (status: string): string => LABELS[status] ?? status;
