/** Compares secret texts in a time that tells nothing about them. */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether two texts are equal. It compares digests, so texts of different lengths take the same time. */
export const isSameSecret = (given: string, wanted: string): boolean =>
  timingSafeEqual(digest(given), digest(wanted));
