/**
 * `npm run release -- [VERSION] [--dry-run]`: makes a release, from its version to its checksums, and leaves it to a person to
 * publish it. With `--dry-run` it tells each step and what is in its way, and changes nothing.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../base/clock.ts';
import { cutRelease, readUnreleased } from './changelog.ts';
import { chooseVersion, replaceVersion, VERSIONED_FILES } from './version.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CHANGELOG = 'src/processes/release/CHANGELOG.md';
/** The tests of a rolling upgrade begin with the build of this commit. */
const EARLIER_RELEASE = 'test/faults/support/earlier-release.txt';
/** Both are documents of the API: the one that the tests have recorded, and the one that later changes are compared with. */
const CONTRACT = 'test/wire/corpus/openapi.json';
const RELEASED_CONTRACT = 'test/wire/corpus/released-openapi.json';
const ARTIFACTS = 'dist/release';
const USAGE = 'Usage: npm run release -- [VERSION|major|minor|patch] [--dry-run]';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const write = (path: string, text: string): void => writeFileSync(join(ROOT, path), text);
const tell = (line: string): void => void process.stdout.write(`${line}\n`);

/** One step of a release. */
interface Step {
  readonly title: string;
  /** Each line names a file or a command. */
  readonly does: readonly string[];
  readonly run: () => void;
}

/** Runs a program in the checkout, its output on the terminal. @throws Error when it fails */
function runCommand(command: string): void {
  const { status } = spawnSync(command, { cwd: ROOT, shell: true, stdio: 'inherit' });
  if (status !== 0) throw new Error(`failed: ${command}`);
}

const runCommands = (title: string, commands: readonly string[]): Step => ({
  title,
  does: commands,
  run: () => commands.forEach(runCommand),
});

/** Returns the output of git. @throws Error when it fails */
function readGit(...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout.trim();
}

/** Returns the reasons for which no release can be made now. */
function listObstacles(tag: string): readonly string[] {
  const changes = readGit('status', '--porcelain');
  const branch = readGit('rev-parse', '--abbrev-ref', 'HEAD');
  return [
    ...(changes === '' ? [] : [`the checkout has changes that are not committed:\n${changes}`]),
    ...(branch === 'main' ? [] : [`the branch is ${branch}, not main`]),
    ...(readGit('tag', '--list', tag) === '' ? [] : [`the tag ${tag} exists`]),
    ...(readUnreleased(read(CHANGELOG)) === '' ? [`${CHANGELOG} has no entries below "Unreleased"`] : []),
  ];
}

/** Writes SHA256SUMS in the form that `sha256sum --check` reads. */
function writeChecksums(): void {
  const files = readdirSync(join(ROOT, ARTIFACTS)).filter((name) => name !== 'SHA256SUMS');
  const lines = files.toSorted().map((name) => {
    const digest = createHash('sha256').update(readFileSync(join(ROOT, ARTIFACTS, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  write(`${ARTIFACTS}/SHA256SUMS`, lines.join(''));
}

/** Makes the wheel and the sdist, where there is a Python. */
function packagePython(): Step {
  const title = 'Python package';
  const { status } = spawnSync('python3', ['--version']);
  if (status !== 0) return { title, does: ['skipped: there is no Python 3 here'], run: () => undefined };
  const venv = '.data/python-build';
  return runCommands(title, [
    'npm run package:python',
    `python3 -m venv ${venv}`,
    `${venv}/bin/pip install --quiet build==1.3.0`,
    `${venv}/bin/python -m build --outdir ${ARTIFACTS} dist/python`,
  ]);
}

/** Returns the steps of a release in their order: what can fail is before what is hard to take back. */
function listSteps(from: string, version: string): readonly Step[] {
  const tag = `v${version}`;
  const image = `workflow-automation-service:${version}`;
  const commit = readGit('rev-parse', 'HEAD');
  const date = new Date(systemClock.now()).toISOString().slice(0, 10);
  const sbom = 'npm sbom --sbom-format cyclonedx';
  return [
    {
      title: `Version ${from} becomes ${version}`,
      does: VERSIONED_FILES.map(({ path }) => path),
      run() {
        for (const file of VERSIONED_FILES)
          write(file.path, replaceVersion(read(file.path), file, { from, to: version }));
      },
    },
    {
      title: `Changelog: "Unreleased" becomes ${version} (${date})`,
      does: [CHANGELOG],
      run: () => write(CHANGELOG, cutRelease(read(CHANGELOG), { version, date })),
    },
    runCommands('Generated files', ['npm run docs']),
    runCommands('Tests', ['npm test']),
    {
      title: 'Empty folder for the artifacts',
      does: [ARTIFACTS],
      run() {
        rmSync(join(ROOT, ARTIFACTS), { recursive: true, force: true });
        mkdirSync(join(ROOT, ARTIFACTS), { recursive: true });
      },
    },
    runCommands('Package', [`npm run package -- --pack-destination ${ARTIFACTS}`]),
    packagePython(),
    runCommands('Image', [
      `docker build --build-arg BUILD_COMMIT=${commit} --tag ${image} .`,
      `docker save --output ${ARTIFACTS}/workflow-automation-service-${version}.tar ${image}`,
    ]),
    runCommands('SBOM (CycloneDX)', [
      `${sbom} --package-lock-only --omit dev > ${ARTIFACTS}/workflow-automation-service-${version}.cdx.json`,
      'npm install --package-lock-only --ignore-scripts --prefix dist/package',
      `${sbom} --package-lock-only --prefix dist/package > ${ARTIFACTS}/workflow-automation-client-${version}.cdx.json`,
    ]),
    { title: 'Checksums', does: [`${ARTIFACTS}/SHA256SUMS`], run: writeChecksums },
    {
      title: `Rolling upgrades are tested from ${commit} on`,
      does: [EARLIER_RELEASE],
      run: () => write(EARLIER_RELEASE, `${commit}\n`),
    },
    {
      title: 'Later changes of the API are compared with this release',
      does: [RELEASED_CONTRACT],
      run: () => write(RELEASED_CONTRACT, read(CONTRACT)),
    },
    runCommands('Commit and tag', [
      `git commit --all --message "Release ${version}"`,
      `git tag --annotate ${tag} --message "Release ${version}"`,
    ]),
  ];
}

/** Makes a release, or tells it. @throws Error for a step that fails */
function release(asked: string, isDry: boolean): void {
  const { version: from } = JSON.parse(read('package.json')) as { readonly version: string };
  const version = chooseVersion(from, asked);
  for (const file of VERSIONED_FILES) replaceVersion(read(file.path), file, { from, to: version });
  const obstacles = listObstacles(`v${version}`);
  if (obstacles.length > 0 && !isDry) throw new Error(obstacles.join('\n'));
  for (const obstacle of obstacles) tell(`Before the release: ${obstacle}`);
  tell(`Release ${version}:\n\n${readUnreleased(read(CHANGELOG))}\n`);
  const steps = listSteps(from, version);
  for (const [at, { title, does, run }] of steps.entries()) {
    tell(`${at + 1}/${steps.length} ${title}`);
    if (isDry) for (const line of does) tell(`    ${line}`);
    else run();
  }
  tell(
    isDry
      ? '\nNothing was changed.'
      : `\n${version} is in ${ARTIFACTS} and has the tag v${version}. To publish it:`,
  );
  if (isDry) tell('To publish it afterwards:');
  tell('    git push --follow-tags');
  tell(`    npm publish ${ARTIFACTS}/workflow-automation-client-${version}.tgz`);
  tell(`    python3 -m twine upload ${ARTIFACTS}/workflow_automation_client-${version}*`);
  tell(`    docker push workflow-automation-service:${version}   # tagged for your registry`);
}

const [asked = 'patch', ...unknown] = process.argv.slice(2).filter((word) => word !== '--dry-run');
try {
  if (unknown.length > 0 || asked.startsWith('-')) throw new Error(USAGE);
  release(asked, process.argv.includes('--dry-run'));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
