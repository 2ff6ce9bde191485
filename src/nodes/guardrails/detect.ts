/**
 * Finds personal data, secrets, keywords and URLs in a text. The expressions are ours and linear: every repetition is
 * bounded or cannot overlap with what follows it.
 */
import { z } from 'zod';
import { countSearchSteps } from '../../graph/find-text.ts';
import type { WorkBudget } from '../../graph/work-budget.ts';

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();

/** Steps of work for one character and one expression: most texts take a tenth of it, hostile ones ten times as much. */
const STEPS_PER_CHAR = 1;
/** Steps of work to look at a place that was found. */
const STEPS_PER_FINDING = 40;

/** A place in the text and the label that stands for it (`EMAIL`, `SECRET`). */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

export const PII_ENTITIES = ['EMAIL', 'PHONE', 'CREDIT_CARD', 'SSN', 'IBAN', 'IP_ADDRESS'] as const;
export type PiiEntity = (typeof PII_ENTITIES)[number];

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** ISO/IEC 7812: every second digit from the right doubled. */
function luhn(text: string): boolean {
  const digits = digitsOf(text).split('').toReversed().map(Number);
  const total = digits.reduce((sum, digit, at) => {
    const weighted = at % 2 === 0 ? digit : digit * 2;
    return sum + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return digits.length >= 13 && digits.length <= 19 && total % 10 === 0;
}

/** ISO 13616: country and check digits moved to the end, letters as numbers, modulo 97 is 1. */
function iban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}

function phone(text: string): boolean {
  const { length } = digitsOf(text);
  return length >= 7 && length <= 15;
}

interface Detector {
  readonly pattern: RegExp;
  readonly accept: (text: string) => boolean;
}

const always = (): boolean => true;
const PII: Readonly<Record<PiiEntity, readonly Detector[]>> = {
  EMAIL: [
    {
      pattern: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu,
      accept: always,
    },
  ],
  PHONE: [
    // Digit by digit: groups of several would be divided in every way before a long number is given up.
    { pattern: /(?<![\w+])(?:\+|00)[1-9](?:[ .()/-]{0,3}\d){4,14}(?!\w)/g, accept: phone },
    { pattern: /(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\w-])/g, accept: phone },
    { pattern: /(?<![\w.-])0\d{1,4}[ /-]\d{2,4}(?:[ -]?\d{2,5}){1,3}(?![\w-])/g, accept: phone },
  ],
  CREDIT_CARD: [{ pattern: /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g, accept: luhn }],
  SSN: [{ pattern: /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g, accept: always }],
  IBAN: [{ pattern: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g, accept: iban }],
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

/** A text and the budget against which looking into it counts. */
export interface SearchedText {
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

/** Personal data of the given kinds; cards and account numbers only with the right check digits. @throws WorkLimitExceeded */
export function findPii(searched: SearchedText, entities: readonly PiiEntity[]): Finding[] {
  return entities.flatMap((entity) =>
    PII[entity].flatMap(({ pattern, accept }) => findEach(searched, { pattern, label: entity, accept })),
  );
}

/** Keys and tokens of well-known shapes, private keys and bearer tokens. @throws WorkLimitExceeded */
export function findSecrets(searched: SearchedText): Finding[] {
  return SECRETS.flatMap((pattern) => findEach(searched, { pattern, label: 'SECRET', accept: always }));
}

const WORD = /[\p{L}\p{N}_]/u;

/** Whole words and phrases of a list; without regard to case unless told. @throws WorkLimitExceeded */
export function findKeywords(
  { text, work }: SearchedText,
  keywords: readonly string[],
  caseSensitive: boolean,
): Finding[] {
  const fold = (value: string): string => (caseSensitive ? value : value.toLowerCase());
  const folded = fold(text);
  // A few letters change their length with their case; then places in the folded text say nothing about the text.
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

export interface UrlRules {
  readonly hosts: readonly string[];
  readonly schemes: readonly string[];
  readonly allowSubdomains: boolean;
}

function urlAllowed(text: string, rules: UrlRules): boolean {
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

/** URLs that the rules do not allow; a URL with a user name in it is never allowed. @throws WorkLimitExceeded */
export function findUrls(searched: SearchedText, rules: UrlRules): Finding[] {
  const pattern = /(?<![A-Za-z0-9])(?:[A-Za-z][A-Za-z0-9+.-]{1,15}:\/\/|www\.)[^\s<>"'`)\]}]{1,2048}/gi;
  return findEach(searched, {
    pattern,
    label: 'URL',
    accept: (found) => !urlAllowed(found.replace(/[.,;:!?]+$/, ''), rules),
  });
}

/** The text with every finding replaced by its label in brackets; overlapping findings count as one. */
export function mask(text: string, findings: readonly Finding[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end, label } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    if (start >= at) masked += `${text.slice(at, start)}[${label}]`;
    at = end;
  }
  return masked + text.slice(at);
}
