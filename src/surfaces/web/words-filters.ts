/** The sentences of the filters of lists. */
export const filterWords = {
  periods: { hour: 'Last hour', day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' },
  anyTime: 'Any time',
  customPeriod: 'Custom range',
  from: 'From',
  to: 'To',
} as const;
