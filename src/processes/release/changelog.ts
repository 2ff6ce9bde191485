/** The changelog: a section for each release, newest first, above all what is not released yet. */

const UNRELEASED = '## Unreleased\n';

/** Returns the entries that are not released yet, empty without any. @throws Error without their section */
export function readUnreleased(changelog: string): string {
  const [, after] = changelog.split(UNRELEASED);
  if (after === undefined) throw new Error('the changelog has no section "Unreleased"');
  return (after.split(/^## /m)[0] ?? '').trim();
}

/** Moves the entries below "Unreleased" to a section of their own. @param date such as 2026-11-26 */
export function cutRelease(
  changelog: string,
  release: { readonly version: string; readonly date: string },
): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${release.version} (${release.date})\n`);
}
