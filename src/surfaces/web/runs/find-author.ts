/** The person who started a run. */
import { runWords } from '../words-runs.ts';

/** Finds the e-mail address of the user; empty where no user started it, or while the members are unknown. */
export const findAuthor = (userId: string | null, people: ReadonlyMap<string, string>): string =>
  userId === null || people.size === 0 ? '' : (people.get(userId) ?? runWords.formerMember);
