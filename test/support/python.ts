/** A Python with what the tests of the package and of generated clients need. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../docs/readmes.ts';

const run = promisify(execFile);

const PACKAGES = [
  'build==1.3.0',
  'hatchling==1.27.0',
  'httpx==0.28.1',
  'httpx-sse==0.4.3',
  'mypy==1.18.2',
  'openapi-python-client==0.29.1',
];

/** Returns the interpreter of a virtual environment in `.data`; null, with the reason, where none can be made. */
export async function findPython(): Promise<string | null> {
  const venv = join(ROOT, '.data', 'python-client-venv');
  const bin = join(venv, 'bin', 'python');
  try {
    await run(bin, ['-c', 'import build, hatchling, httpx, httpx_sse, mypy, openapi_python_client']);
    return bin;
  } catch {
    // Not made yet.
  }
  try {
    // Without a pip of its own, whose unpacking takes longer than all the rest: that of the system installs there.
    await run('python3', ['-m', 'venv', '--without-pip', venv]);
    const flags = ['--quiet', '--no-compile', '--disable-pip-version-check', '--no-input'];
    await run('python3', ['-m', 'pip', '--python', bin, 'install', ...flags, ...PACKAGES]);
    return bin;
  } catch (error) {
    console.log(`skipped, there is no Python with these packages: ${String(error).slice(0, 300)}`);
    return null;
  }
}

/** Makes the package as it is published. @returns its folder */
export async function makePythonPackage(folder: string): Promise<string> {
  const made = join(folder, 'package');
  const document = join(ROOT, 'test', 'wire', 'corpus', 'openapi.json');
  await run('python3', [
    '-B',
    join(ROOT, 'src', 'surfaces', 'client', 'python', 'make.py'),
    document,
    '1.2.3',
    made,
  ]);
  return made;
}
