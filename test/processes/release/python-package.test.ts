/** A programmer could not install the Python package, or a type checker would say nothing about its calls. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../../docs/readmes.ts';
import { findPython, makePythonPackage } from '../../support/python.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'python-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A type checker finds an error in the lines that say so, and nowhere else. */
const WRONG = `
from workflow_automation_client import AsyncWorkflowClient, WorkflowClient
client = WorkflowClient("http://localhost", "key")
client.create_workflow({"nane": "x"})  # wrong
client.get_workflow("w")["nane"]  # wrong
client.get_workflow(1)  # wrong
client.list_runs(status="done")  # wrong
client.runs.start({"workflow_id": "w"}, patience=3)  # wrong
for run in client.list_runs(status="failed"):
    run["nane"]  # wrong
async def main() -> None:
    async with AsyncWorkflowClient("http://localhost", "key") as client:
        client.runs.by_run_id("r").result()["type"]  # wrong
for event in client.runs.by_run_id("r").events():
    if event["type"] == "token":
        event["node_id"], event["delta"]
    if event["type"] == "run_failed":
        event["output"]  # wrong
`;

test('its wheel installs, has its types, and mypy --strict takes the README and finds what is wrong', async ({
  skip,
}) => {
  const python = await findPython();
  if (python === null) return skip();
  const made = await makePythonPackage(folder);
  const built = join(folder, 'built');
  await run(python, ['-m', 'build', '--no-isolation', '--outdir', built, made]);
  const files = readdirSync(built).toSorted();
  expect(files).toEqual([
    'workflow_automation_client-1.2.3-py3-none-any.whl',
    'workflow_automation_client-1.2.3.tar.gz',
  ]);
  const site = join(folder, 'site');
  const flags = ['--quiet', '--no-deps', '--no-compile', '--disable-pip-version-check', '--target', site];
  await run('python3', ['-m', 'pip', 'install', ...flags, join(built, files[0] ?? '')]);
  const readme = readFileSync(join(ROOT, 'src', 'surfaces', 'client', 'python', 'README.md'), 'utf8');
  writeFileSync(join(folder, 'readme.py'), /```python\n([\s\S]*?)```/.exec(readme)?.[1] ?? '');
  writeFileSync(join(folder, 'wrong.py'), WRONG);
  const env = { ...process.env, MYPYPATH: site };
  const check = ['-m', 'mypy', '--strict', '--python-version', '3.10', '--no-error-summary', '--no-pretty'];
  const { stdout } = await run(python, [...check, site, 'readme.py', 'wrong.py'], { cwd: folder, env }).catch(
    (error: { stdout: string }) => error,
  );
  const lines = stdout.split('\n').filter((line) => line.includes(': error: '));
  const isWrong = /^wrong\.py:(\d+): /;
  const expected = WRONG.split('\n').flatMap((line, at) => (line.endsWith('# wrong') ? [at + 1] : []));
  expect(new Set(lines.map((line) => Number(isWrong.exec(line)?.[1])))).toEqual(new Set(expected));
});
