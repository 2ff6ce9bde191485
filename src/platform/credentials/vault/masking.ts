/** Masks the secrets of a credential for display. */
import { cutTextStart } from '../../../language/graph/values/cut-text.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import type { AuthScheme } from '../../../language/nodes/integrations/integration.ts';
import { secretFields } from './placement.ts';

/** Shorter secrets show nothing, because four characters would be too large a part (SPEC SEC-Z06). */
const SHOWN_FROM = 12;

const mask = (value: string): string =>
  value.length >= SHOWN_FROM ? `****${cutTextStart(value, 4)}` : '****';

/** @returns the fields as text; a secret shows at most its last four characters */
export function maskData(scheme: AuthScheme, data: JsonObject): Record<string, string> {
  const secret = new Set(secretFields(scheme));
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [field, secret.has(field) ? mask(text) : text];
    }),
  );
}
