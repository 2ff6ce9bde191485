/** The sentences of the page of schedules: they come with it, for the first page loads `words.ts`. */
export const scheduleWords = {
  cron: 'Cron expression',
  timezone: 'Time zone',
  newSchedule: 'New schedule',
  cronWhy: 'For example, 0 9 * * 1-5',
  timezoneWhy: 'For example, Europe/Berlin',
  workflowWhy: 'The schedule runs its live version.',
  nextTimes: (zone: string) => `Next runs (${zone})`,
  when: 'When',
  noSchedules: {
    title: 'No schedules yet.',
    text: 'A schedule runs the live version of a workflow at set times.',
    action: 'Create your first schedule',
  },
  deleteSure: (name: string) => `Delete “${name}”? It will no longer start runs.`,
  nextRun: 'Next run',
  lastRun: 'Last run',
  paused: 'Paused',
  notLive: 'Not in the live version',
  trigger: (id: string) => `Trigger “${id}” of the workflow`,
  overlap: 'If the previous run is still active',
  overlaps: {
    skip: 'Skip',
    buffer_one: 'Run once when it ends',
    allow_all: 'Run in parallel',
    cancel_other: 'Cancel the previous run',
    terminate_other: 'Terminate the previous run',
  },
  skipped: (count: number, last: string) =>
    `Skipped ${count === 1 ? 'once' : `${count} times`}, last ${last}: the previous run was still active.`,
  blockingRun: 'Show run',
  scheduleActs: { pause: 'Pause', resume: 'Resume', trigger: 'Run now', delete: 'Delete' },
};
