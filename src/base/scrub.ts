/** Removes keys of this service from texts. */
const KEY = /svc_live_[0-9A-Za-z]+/g;
const BEARER = /Bearer\s+[^\s"',}]+/gi;

/** Redacts API keys and bearer tokens. */
export function scrub(text: string): string {
  return text.replace(KEY, 'svc_live_***').replace(BEARER, 'Bearer ***');
}
