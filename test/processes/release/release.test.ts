/** A person would release a version whose files, changelog or artifacts disagree. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cutRelease, readUnreleased } from '../../../src/processes/release/changelog.ts';
import { chooseVersion, replaceVersion, VERSIONED_FILES } from '../../../src/processes/release/version.ts';
import { ROOT } from '../../docs/readmes.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version: CURRENT } = JSON.parse(read('package.json')) as { version: string };

describe('the version', () => {
  test.each([
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'major', '2.0.0'],
    ['1.2.3', '1.10.0', '1.10.0'],
  ])('%s and %s make %s', (current, asked, expected) => expect(chooseVersion(current, asked)).toBe(expected));

  test.each(['1.2.3', '1.2.2', '0.9.0', 'v1.3.0', '1.3', 'next'])('%s is refused after 1.2.3', (asked) =>
    expect(() => chooseVersion('1.2.3', asked)).toThrow(/not higher|not a version/),
  );

  test.each(VERSIONED_FILES.map((file) => [file.path, file] as const))('%s takes it', (path, file) => {
    const replaced = replaceVersion(read(path), file, { from: CURRENT, to: '987.6.5' });
    expect(replaced).toContain('987.6.5');
    expect(replaceVersion(replaced, file, { from: '987.6.5', to: CURRENT })).toBe(read(path));
  });
});

describe('the changelog', () => {
  const before = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-02)\n\n- Old.\n';

  test('the unreleased entries become the newest release, and the next ones go above it', () => {
    expect(readUnreleased(before)).toBe('- New.');
    const after = cutRelease(before, { version: '0.2.0', date: '2026-02-03' });
    expect(after).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n- New.\n\n## 0.1.0 (2026-01-02)\n\n- Old.\n',
    );
    expect(readUnreleased(after)).toBe('');
  });

  test('that of the repository can be read', () =>
    expect(() => readUnreleased(read('src/processes/release/CHANGELOG.md'))).not.toThrow());
});

test('--dry-run tells version, changelog, packages, image, SBOM, checksums and tag in their order, and changes nothing', () => {
  const run = (command: string, words: readonly string[]): string =>
    execFileSync(command, words, { cwd: ROOT, encoding: 'utf8' });
  const readState = (): string => run('git', ['status', '--porcelain']) + run('git', ['tag', '--list']);
  const before = readState();
  const told = run('npm', ['run', '--silent', 'release', '--', 'major', '--dry-run']);
  const next = chooseVersion(CURRENT, 'major');
  expect([...told.matchAll(/^\d+\/\d+ ([A-Za-z]+)/gm)].map(([, title]) => title)).toEqual([
    'Version',
    'Changelog',
    'Generated',
    'Tests',
    'Empty',
    'Package',
    'Python',
    'Image',
    'SBOM',
    'Checksums',
    'Rolling',
    'Later',
    'Commit',
  ]);
  for (const part of [
    `docker build --build-arg BUILD_COMMIT=${run('git', ['rev-parse', 'HEAD']).trim()} --tag workflow-automation-service:${next}`,
    'test/faults/support/earlier-release.txt',
    `git tag --annotate v${next}`,
  ])
    expect(told).toContain(part);
  expect(told).toContain('Nothing was changed.');
  expect(readState()).toBe(before);
});
