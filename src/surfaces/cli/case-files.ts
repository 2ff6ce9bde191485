/** Finds cases, which are exported runs, and the workflow file that each belongs to. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { RunCase } from '../../engine/runs/rehearse/case.ts';
import { readFolder, readText, readWorkflowFile, toSlug, type WorkflowFile } from './definition-files.ts';
import { CommandError, EXIT } from './exit.ts';

/** The folder of cases, beside the files of workflows. */
const CASES = 'cases';

/** A case of a file, or why there is none. */
export interface FoundCase {
  readonly path: string;
  readonly given: { readonly read: RunCase; readonly workflow: WorkflowFile } | { readonly problem: string };
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Lists the JSON files of a folder of cases and of those in it; none without the folder. */
async function listCases(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`Cannot read ${folder}: ${error.message}`, EXIT.usage);
  });
  return names
    .filter((name) => name.endsWith('.json') && !basename(name).startsWith('.'))
    .sort()
    .map((name) => join(folder, name));
}

/** The folder of the workflow of a case: the one with the folder of cases that it is in, else its own. */
function findHome(path: string): string {
  const parts = dirname(path).split(sep);
  const at = parts.lastIndexOf(CASES);
  return at < 0 ? dirname(path) : parts.slice(0, at).join(sep) || (path.startsWith(sep) ? sep : '.');
}

/** @returns what may be cases, and for each file of a workflow its slug, whose cases alone are meant */
async function listCandidates(given: string): Promise<{ paths: string[]; slug: string | null }> {
  if (await isFolder(given)) {
    const isOfCases = basename(given) === CASES || dirname(given).split(sep).includes(CASES);
    return { paths: await listCases(isOfCases ? given : join(given, CASES)), slug: null };
  }
  const isCase = given.endsWith('.json') && /"case"\s*:/.test(await readText(given));
  if (isCase) return { paths: [given], slug: null };
  const { slug } = await readWorkflowFile(given);
  return { paths: await listCases(join(dirname(given), CASES)), slug };
}

/** The files of a folder, read once. */
class Homes {
  readonly #read = new Map<string, Promise<readonly WorkflowFile[]>>();

  async find(home: string, { workflow, run }: RunCase): Promise<WorkflowFile | null> {
    let reading = this.#read.get(home);
    if (reading === undefined) {
      reading = readFolder(home).then(({ files }) => files);
      this.#read.set(home, reading);
    }
    const files = await reading;
    const isIt: readonly ((file: WorkflowFile) => boolean)[] = [
      ({ slug }) => slug === workflow,
      ({ id }) => id !== null && id === run.workflow_id,
      ({ fields }) => fields.name === workflow || fields.name === run.workflow_name,
      ({ slug }) => slug === toSlug(workflow),
    ];
    return isIt.map((is) => files.find(is)).find((file) => file !== undefined) ?? null;
  }
}

/**
 * Finds the cases of files and folders.
 * @param only the file of a workflow that all cases are walked in; null: each in the file of its own workflow
 * @throws CommandError for a path that cannot be read, and when there is no case
 */
export async function findCases(given: readonly string[], only: string | null): Promise<FoundCase[]> {
  const { readCase } = await import('../../engine/runs/rehearse/case.ts');
  const file = only === null ? null : await readWorkflowFile(only);
  const homes = new Homes();
  const found = new Map<string, FoundCase>();
  for (const each of given) {
    const { paths, slug } = await listCandidates(each);
    for (const path of paths) {
      const one = await readOne(path);
      if (slug !== null && 'workflow' in one.given && one.given.workflow.slug !== slug) continue;
      found.set(path, one);
    }
  }
  if (found.size === 0) {
    const hint = `Make one: workflow runs export RUN_ID --values -o ${CASES}/NAME.json`;
    throw new CommandError(`There is no case in ${given.join(', ')}. ${hint}`, EXIT.usage);
  }
  return [...found.values()];

  async function readOne(path: string): Promise<FoundCase> {
    let value: unknown;
    try {
      value = JSON.parse(await readText(path));
    } catch (error) {
      return { path, given: { problem: (error as Error).message } };
    }
    const read = readCase(value);
    if ('problem' in read) return { path, given: read };
    const home = findHome(path);
    const workflow = file ?? (await homes.find(home, read.read));
    if (workflow !== null) return { path, given: { read: read.read, workflow } };
    const name = JSON.stringify(read.read.workflow);
    const where = relative('.', home) || '.';
    return { path, given: { problem: `${where} has no file of the workflow ${name}` } };
  }
}
