/** The sentences of the page of schedules: they come with it, for the first page loads `words.ts`. */
export const scheduleWords = {
  cron: 'Cron expression',
  timezone: 'Time zone',
  newSchedule: 'Make a schedule',
  noSchedules: 'Nothing runs by the clock. A workflow needs a live version for it.',
  nextRun: 'Next run',
  lastRun: 'Last run',
  paused: 'paused',
  overlap: 'If a run is still open',
  overlaps: {
    skip: 'Skip this time',
    buffer_one: 'Run once afterwards',
    allow_all: 'Run beside it',
    cancel_other: 'Cancel the open run',
    terminate_other: 'Stop the open run at once',
  },
  skipped: (count: number, last: string) =>
    `Skipped ${count === 1 ? 'once' : `${count} times`}, last ${last}: a run was still open.`,
  blockingRun: 'Show that run',
  scheduleActs: { pause: 'Pause', resume: 'Resume', trigger: 'Run now', delete: 'Delete' },
};
