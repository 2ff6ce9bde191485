/** Warns of literals that look like secrets: everybody who may read the workflow sees them, and they are in its history. */
import { quote } from '../definition/reader.ts';
import type { Path } from '../template/template-scanner.ts';
import { isObject, type Json } from '../values/value.ts';
import { addProblem, type CheckContext } from './examined.ts';

/** Texts that nothing but a secret begins with. Lengths are bounded, so that a long text takes linear time. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z]{1,16} ){0,3}PRIVATE KEY-----/,
  /(?<![\w-])(?:sk|rk)[-_][A-Za-z0-9_-]{20,256}/,
  /(?<!\w)(?:AKIA|ASIA)[0-9A-Z]{16}(?!\w)/,
  /(?<!\w)gh[pousr]_[A-Za-z0-9]{20,255}/,
  /(?<!\w)github_pat_[A-Za-z0-9_]{20,255}/,
  /(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,250}/,
  /(?<!\w)eyJ[A-Za-z0-9_-]{8,512}\.eyJ[A-Za-z0-9_-]{8,512}\./,
  /(?<!\w)Bearer +[A-Za-z0-9._~+/=-]{16,512}/,
];
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-auth-token',
]);
/** A scheme with a text that is filled in, or a text too short for a secret. */
const LEAST_SECRET = 8;

const looksSecret = (text: string): boolean => SECRETS.some((pattern) => pattern.test(text));

function isSecretHeader(path: Path, text: string): boolean {
  const [parent, name] = path.slice(-2);
  if (parent !== 'headers' || !SECRET_HEADERS.has(String(name).toLowerCase())) return false;
  return !text.includes('{{') && text.length >= LEAST_SECRET;
}

/** Finds the first text that looks like a secret; null: none. */
function findSecret(value: Json, path: Path): Path | null {
  if (typeof value === 'string') return looksSecret(value) || isSecretHeader(path, value) ? path : null;
  if (!Array.isArray(value) && !isObject(value)) return null;
  for (const [key, item] of Object.entries(value)) {
    const found = findSecret(item as Json, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== null) return found;
  }
  return null;
}

/** Reports the first literal secret of each node. No message quotes it. */
export function checkSecrets(examined: CheckContext): void {
  for (const { id, config, configPath } of examined.read.nodes) {
    const path = findSecret(config, []);
    if (path === null) continue;
    addProblem(examined, {
      severity: 'warning',
      code: 'secret_in_definition',
      message: `Node ${quote(id)}: ${path.join('.')} looks like a secret, which everybody who may read the workflow sees. Put it into a credential`,
      path: [...configPath, ...path],
      nodeId: id,
    });
  }
}
