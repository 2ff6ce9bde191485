/** The version of a release, and the files that name it. */

const PARTS = ['major', 'minor', 'patch'];
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * Returns the version to release.
 * @param asked a version, or the part of the current one to raise
 * @throws Error for anything else, and for a version that is not higher
 */
export function chooseVersion(current: string, asked: string): string {
  const numbers = (VERSION.exec(current) ?? []).slice(1).map(Number);
  const part = PARTS.indexOf(asked);
  const next =
    part === -1
      ? (VERSION.exec(asked) ?? []).slice(1).map(Number)
      : numbers.map((number, at) => (at < part ? number : at === part ? number + 1 : 0));
  if (next.length !== PARTS.length)
    throw new Error(`"${asked}" is not a version: write one such as 1.2.0, or major, minor or patch`);
  const first = next.findIndex((number, at) => number !== numbers[at]);
  if (first === -1 || (next[first] ?? 0) < (numbers[first] ?? 0))
    throw new Error(`${next.join('.')} is not higher than ${current}`);
  return next.join('.');
}

interface VersionedFile {
  readonly path: string;
  /** Matches the text before the version. */
  readonly before: RegExp;
}

/** Files that name the version. The recorded answers of test/wire hold it because clients read it. */
export const VERSIONED_FILES: readonly VersionedFile[] = [
  { path: 'package.json', before: /^ {2}"version": "/m },
  { path: 'package-lock.json', before: /"name": "workflow-automation-service",\s+"version": "/g },
  { path: 'src/base/config/config.ts', before: /export const VERSION = '/ },
  { path: 'docker-compose.yml', before: /image: workflow-automation-service:/g },
  { path: 'src/base/observe/operations/helm/Chart.yaml', before: /ersion: /g },
  {
    path: 'src/base/observe/operations/kubernetes.yaml',
    before: /(?:version: "|image: workflow-automation-service:)/g,
  },
  { path: 'test/wire/corpus/public.jsonl', before: /version\\?":\\?"/g },
  { path: 'test/wire/corpus/openapi.json', before: /version\\?":\\?"/g },
];

/** Writes another version into the text of a file. @throws Error when the file does not name the current one */
export function replaceVersion(
  text: string,
  { path, before }: VersionedFile,
  versions: { readonly from: string; readonly to: string },
): string {
  const from = versions.from.replaceAll('.', '\\.');
  const replaced = text.replace(
    new RegExp(`(${before.source})${from}(?![\\w.])`, before.flags),
    (_, kept: string) => `${kept}${versions.to}`,
  );
  if (replaced === text) throw new Error(`${path} does not name ${versions.from}`);
  return replaced;
}
