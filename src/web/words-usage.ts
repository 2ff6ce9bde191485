/** The sentences of the page of usage: they come with it, for the first page loads `words.ts`. */
export const usageWords = {
  planName: 'Plan',
  creditsUsed: 'credits used',
  creditsLimited: (limit: number) => `of ${limit} credits used`,
  wallet: 'Wallet',
  balance: 'Balance',
  amount: 'Amount',
  topup: 'Top up',
  extraUsage: 'Use the wallet when the plan’s credits run out',
  noEntries: 'No transactions yet.',
  byDay: {
    title: 'Day by day',
    measure: 'Metric',
    measures: { credits: 'Credits', runs: 'Runs', tokens: 'Tokens' },
    range: 'Period',
    days: (count: string) => `${count} days`,
    summary: (total: string, most: string, day: string) => `${total} in total. Peak: ${most} on ${day}.`,
    none: 'No usage in this period.',
    table: 'Show as table',
    day: 'Day (UTC)',
  },
} as const;
