/** The sentences of the page of usage: they come with it, for the first page loads `words.ts`. */
export const usageWords = {
  planName: 'Plan',
  creditsUsed: 'credits used',
  creditsOf: (limit: number) => `of ${limit} credits used`,
  wallet: 'Wallet',
  balance: 'Balance',
  amount: 'Amount',
  topup: 'Top up',
  extraUsage: 'Go on from the wallet when the credits are used up',
  noEntries: 'Nothing was booked yet.',
  byDay: {
    title: 'Day by day',
    measure: 'What is shown',
    measures: { credits: 'Credits', runs: 'Runs', tokens: 'Tokens' },
    range: 'How far back',
    days: (count: string) => `${count} days`,
    summary: (total: string, most: string, day: string) => `${total} in all, at most ${most}, on ${day}.`,
    none: 'Nothing in these days.',
    table: 'As a table',
    day: 'Day (UTC)',
  },
} as const;
