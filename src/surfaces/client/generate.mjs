// Generates openapi.ts, the types of the client, only when a source of the OpenAPI document changed since the last time.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const types = join(root, 'src/surfaces/client/openapi.ts');
const stamp = join(root, 'src/surfaces/client/openapi-types/.source-hash');

/** The wings below this one, whose routes and schemas the document describes, and the program that writes the types. */
const WINGS = ['base', 'language', 'platform', 'engine', 'features', 'processes'];
/** The versions of the packages that build the document are pinned in the manifest; its own version is in the document. */
const FILES = [
  'package.json',
  'src/surfaces/client/openapi-types/package.json',
  'src/surfaces/client/openapi-types/write.mjs',
];

const sources = WINGS.flatMap((wing) =>
  readdirSync(join(root, 'src', wing), { recursive: true })
    .filter((path) => /\.(ts|json)$/.test(path))
    .map((path) => join('src', wing, path)),
);
const hash = createHash('sha256');
for (const path of [...FILES, ...sources.sort((a, b) => a.localeCompare(b))])
  hash.update(`${path}\n`).update(readFileSync(join(root, path)));
const digest = hash.digest('hex');

if (!existsSync(types) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  process.stderr.write("Generating the client's types...\n");
  const program = join(root, 'src/processes/write-client-types.ts');
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', program], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, digest);
}
