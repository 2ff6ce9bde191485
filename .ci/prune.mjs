/**
 * Leaves of node_modules what the production processes need, for the image. `npm prune --omit=dev` keeps optional peers
 * of production packages when development installed them (the Prisma CLI and TypeScript, 300 MB with what they need).
 *
 * Usage: node .ci/prune.mjs <directory with package-lock.json and node_modules>
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where npm finds `name` from the package at `from`; undefined when the lock has none. */
export function locate(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('node_modules/') - 1, 0))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (at === '') return undefined;
  }
}

/** The packages (paths of the lock file) that production reaches without optional peers. */
export function production(packages) {
  const reached = new Set(['']);
  for (const path of reached) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path];
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = locate(packages, path, name);
      if (found !== undefined) reached.add(found);
    }
  }
  reached.delete('');
  return reached;
}

/**
 * Never read at run time: maps and types of packages, engines of other databases, binaries of other platforms; of pdfjs-dist
 * all but its CMaps (unpdf brings the rest), and the canvas that it would draw on.
 */
const UNUSED_FILE =
  /\.(?:map|d\.[cm]?ts)$|\/query_compiler_\w+_bg\.(?:cockroachdb|mysql|sqlite|sqlserver)\.|\/pdfjs-dist\/(?!cmaps\/|package\.json$)|\/@napi-rs\/canvas/;
const TARGET = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];

function isUnused(path) {
  const release = /core-bridge\/releases\/([^/]+)\//.exec(path)?.[1];
  if (release !== undefined) return !release.startsWith(`${TARGET}-`) || !release.includes(process.platform);
  return UNUSED_FILE.test(path);
}

function prune(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const kept = production(packages);
  for (const path of Object.keys(packages)) {
    if (path === '' || kept.has(path)) continue;
    const holdsKept = [...kept].some((other) => other.startsWith(`${path}/`));
    if (!holdsKept) rmSync(join(root, path), { recursive: true, force: true });
  }
  const modules = join(root, 'node_modules');
  rmSync(join(modules, '.bin'), { recursive: true, force: true });
  for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && isUnused(path)) rmSync(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , root = '.'] = process.argv;
  if (!existsSync(join(root, 'node_modules'))) throw new Error(`${root} has no node_modules`);
  prune(root);
}
