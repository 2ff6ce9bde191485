/**
 * Replaces in a text what differs from one recording to the next (ids, times, ports, secrets) by names in the order of
 * their first appearance. All else, the order of keys and the spacing of JSON included, stays as it was on the wire.
 */

/** Fields whose numbers are durations: a limit such as `timeout_ms` is no measurement and stays. */
const MEASURED =
  /"(elapsed_ms|duration_ms|duration_seconds|latency_ms|uptime|uptime_seconds|retryAfterMs|serverTime|expiresAt|at|ts)":\s?-?\d+(\.\d+)?/g;

const NUMBERED: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['uuid', /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g],
  ['int', /int_[0-9a-f]{24}/g],
  ['session', /(?<="sessionId":")[\w-]{20}(?=")/g],
];
const FLAT: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/(?<="slug":"[a-z0-9-]+-)[0-9a-f]{10}(?=")/g, '<random>'],
  [/"key_hint":"[^"]+"/g, '"key_hint":"<hint>"'],
  // Written by and by, not with the request.
  [/"last_used_at":(?:null|"[^"]+")/g, '"last_used_at":<soon>'],
  // Made of the user's id.
  [/"color":"#[0-9a-f]{6}"/g, '"color":"<color>"'],
  [/eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/g, '<jwt>'],
  [/svc_live_[\w-]{8,}\*+/g, '<masked key>'],
  [/svc_live_[\w-]{20,}/g, '<key>'],
  [/"(next|previous)_cursor":"[^"]+"/g, '"$1_cursor":"<cursor>"'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, '<time>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time in another form>'],
  [/\b1[78]\d{11}\b/g, '<epoch ms>'],
];

export class Scrubber {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  scrub(text: string): string {
    let scrubbed = text;
    for (const [name, pattern] of NUMBERED)
      scrubbed = scrubbed.replace(pattern, (found) => this.#nameOf(found, name));
    for (const [pattern, replacement] of FLAT) scrubbed = scrubbed.replace(pattern, replacement);
    return scrubbed.replace(MEASURED, '"$1":<measured>');
  }

  #nameOf(value: string, kind: string): string {
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `<${kind}${count}>`;
    this.#names.set(value, name);
    return name;
  }
}
