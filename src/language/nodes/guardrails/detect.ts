/**
 * Finds personal data, secrets, keywords and URLs in a text. The expressions take linear time: every repetition is bounded or
 * cannot overlap with the next part.
 */
import { z } from 'zod';
import { countSearchSteps } from '../../graph/definition/find-text.ts';
import type { WorkBudget } from '../../graph/values/work-budget.ts';

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();

/** Steps per character and expression: most texts take a tenth of this, hostile ones ten times as much. */
const STEPS_PER_CHAR = 1;
/** Steps per match. */
const STEPS_PER_FINDING = 40;

/** A range of the text and its label (`EMAIL`, `SECRET`). */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

export const PII_ENTITIES = ['EMAIL', 'PHONE', 'CREDIT_CARD', 'SSN', 'IBAN', 'IP_ADDRESS'] as const;
type PiiEntity = (typeof PII_ENTITIES)[number];

const removeNonDigits = (text: string): string => text.replaceAll(/\D/g, '');

/** Luhn check (ISO/IEC 7812): every second digit from the right is doubled. */
function isCardNumber(text: string): boolean {
  const digits = removeNonDigits(text).split('').toReversed().map(Number);
  const total = digits.reduce((sum, digit, at) => {
    const weighted = at % 2 === 0 ? digit : digit * 2;
    return sum + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return digits.length >= 13 && digits.length <= 19 && total % 10 === 0;
}

/** ISO 13616: country and check digits move to the end, letters become numbers, and the rest modulo 97 is 1. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}

function isPhoneNumber(text: string): boolean {
  const { length } = removeNonDigits(text);
  return length >= 7 && length <= 15;
}

interface Detector {
  readonly pattern: RegExp;
  readonly accept: (text: string) => boolean;
}

const acceptAny = (): boolean => true;
const PII: Readonly<Record<PiiEntity, readonly Detector[]>> = {
  EMAIL: [
    {
      pattern: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
      accept: acceptAny,
    },
  ],
  PHONE: [
    // One digit per repetition: groups of several digits would backtrack on long numbers.
    { pattern: /(?<![\w+])(?:\+|00)[1-9](?:[ .()/-]{0,3}\d){4,14}(?!\w)/g, accept: isPhoneNumber },
    { pattern: /(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])/g, accept: isPhoneNumber },
    { pattern: /(?<![\w.-])0\d{1,4}[ /-]\d{2,4}(?:[ -]?\d{2,5}){1,3}(?![\w-])/g, accept: isPhoneNumber },
  ],
  CREDIT_CARD: [{ pattern: /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g, accept: isCardNumber }],
  SSN: [
    { pattern: /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g, accept: acceptAny },
  ],
  IBAN: [
    { pattern: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g, accept: isIban },
  ],
  IP_ADDRESS: [
    {
      pattern: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/g,
      accept: (text) => ipv4.safeParse(text).success,
    },
    {
      pattern: /(?<![\w:])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])/g,
      accept: (text) => ipv6.safeParse(text).success,
    },
  ],
};

const SECRETS: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z]{1,16} ){0,3}PRIVATE KEY-----(?:[^-]{0,16384}-----END (?:[A-Z]{1,16} ){0,3}PRIVATE KEY-----)?/g,
  /(?<!\w)(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,256}/g,
  /(?<!\w)svc_live_[0-9A-Za-z]{16,64}/g,
  /(?<!\w)(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/g,
  /(?<!\w)gh[pousr]_[A-Za-z0-9]{20,255}/g,
  /(?<!\w)github_pat_[A-Za-z0-9_]{20,255}/g,
  /(?<!\w)glpat-[A-Za-z0-9_-]{16,64}/g,
  /(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,250}/g,
  /(?<!\w)AIza[0-9A-Za-z_-]{35}/g,
  /(?<!\w)eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}/g,
  /(?<!\w)Bearer +[A-Za-z0-9._~+/=-]{16,4096}/g,
];

/** A text and the budget that counts searches in it. */
interface SearchedText {
  readonly text: string;
  readonly work: WorkBudget;
}

function findEach(
  { text, work }: SearchedText,
  {
    pattern,
    label,
    accept,
  }: { readonly pattern: RegExp; readonly label: string; readonly accept: (found: string) => boolean },
): Finding[] {
  work.spend(text.length * STEPS_PER_CHAR);
  const found: Finding[] = [];
  for (const match of text.matchAll(pattern)) {
    work.spend(STEPS_PER_FINDING);
    if (accept(match[0])) found.push({ start: match.index, end: match.index + match[0].length, label });
  }
  return found;
}

/** Finds personal data; card and account numbers must have valid check digits. @throws WorkLimitExceeded */
export function findPii(searched: SearchedText, entities: readonly PiiEntity[]): Finding[] {
  return entities.flatMap((entity) =>
    PII[entity].flatMap(({ pattern, accept }) => findEach(searched, { pattern, label: entity, accept })),
  );
}

/** Finds keys and tokens of well-known formats, private keys and bearer tokens. @throws WorkLimitExceeded */
export function findSecrets(searched: SearchedText): Finding[] {
  return SECRETS.flatMap((pattern) => findEach(searched, { pattern, label: 'SECRET', accept: acceptAny }));
}

const WORD = /[\p{L}\p{N}_]/u;

/** Finds whole words and phrases. @throws WorkLimitExceeded */
export function findKeywords(
  { text, work }: SearchedText,
  keywords: readonly string[],
  caseSensitive: boolean,
): Finding[] {
  const fold = (value: string): string => (caseSensitive ? value : value.toLowerCase());
  const folded = fold(text);
  // Some letters change their length with their case; then indices of the folded text are wrong for the text.
  const haystack = folded.length === text.length ? folded : text;
  const found: Finding[] = [];
  for (const keyword of keywords) {
    const needle = fold(keyword);
    work.spend(countSearchSteps(haystack.length, needle.length));
    for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length)) {
      work.spend(STEPS_PER_FINDING);
      const end = at + needle.length;
      const inside =
        (WORD.test(haystack.charAt(at - 1)) && WORD.test(needle.charAt(0))) ||
        (WORD.test(haystack.charAt(end)) && WORD.test(needle.charAt(needle.length - 1)));
      if (!inside) found.push({ start: at, end, label: 'KEYWORD' });
    }
  }
  return found;
}

interface UrlRules {
  readonly hosts: readonly string[];
  readonly schemes: readonly string[];
  readonly allowSubdomains: boolean;
}

function isUrlAllowed(text: string, rules: UrlRules): boolean {
  const full = text.includes('://') ? text : `https://${text}`;
  if (!URL.canParse(full)) return false;
  const url = new URL(full);
  if (url.username !== '' || url.password !== '') return false;
  if (!rules.schemes.includes(url.protocol.slice(0, -1))) return false;
  const host = url.hostname.replace(/\.$/, '');
  return rules.hosts.some(
    (allowed) => host === allowed || (rules.allowSubdomains && host.endsWith(`.${allowed}`)),
  );
}

/** Finds URLs that the rules do not allow; URLs with a user name are never allowed. @throws WorkLimitExceeded */
export function findUrls(searched: SearchedText, rules: UrlRules): Finding[] {
  const pattern = /(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9+.-]{1,15}:\/\/|www\.)[^\s<>"'`)\]}]{1,2048}/gi;
  return findEach(searched, {
    pattern,
    label: 'URL',
    accept: (found) => !isUrlAllowed(found.replace(/[.,;:!?]+$/, ''), rules),
  });
}

/** Replaces every finding by its label in brackets; overlapping findings become one. */
export function maskFindings(text: string, findings: readonly Finding[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end, label } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    if (start >= at) masked += `${text.slice(at, start)}[${label}]`;
    at = end;
  }
  return masked + text.slice(at);
}
