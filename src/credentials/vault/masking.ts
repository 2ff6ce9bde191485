/** What may be seen of a credential's data. */
import { cutTextStart } from '../../graph/cut-text.ts';
import type { JsonObject } from '../../graph/value.ts';
import type { AuthScheme } from '../../nodes/integrations/integration.ts';
import { secretFields } from './placement.ts';

/** Shorter secrets show nothing: four characters of eight would be half of it (SPEC SEC-Z06). */
const SHOWN_FROM = 12;

const mask = (value: string): string =>
  value.length >= SHOWN_FROM ? `****${cutTextStart(value, 4)}` : '****';

/** The fields of the data as text, secrets by their last four characters at most. */
export function masked(scheme: AuthScheme, data: JsonObject): Record<string, string> {
  const secret = new Set(secretFields(scheme));
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [field, secret.has(field) ? mask(text) : text];
    }),
  );
}
