/** Which HTTP statuses may pass on another try, and how long the other side asks to wait (SPEC DEF-2.13). */

/** True for 408, 425, 429 and 5xx. */
export function retryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** An hour: a longer wish is cut. */
const MAX_WAIT_MS = 3_600_000;

/** The wait of a `Retry-After` header (RFC 9110: seconds, or a date) in milliseconds, or null. */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | null {
  const text = headers?.['retry-after']?.trim() ?? '';
  if (text === '') return null;
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), MAX_WAIT_MS);
}
