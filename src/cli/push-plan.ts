/** Plans a push: matches each file of a folder with a workflow of the organization, and finds problems. */
import { findDifferingPointers } from '../graph/diff.ts';
import { listReferencesTo, type ResourceReference } from '../graph/references.ts';
import { addNodeFields } from '../graph/state-fields.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { WorkflowApiError } from '../client/client.ts';
import {
  findProblems,
  isError,
  locateProblems,
  pickFileFields,
  readFolder,
  type Fields,
  type Finding,
  type WorkflowFile,
} from './definition-files.ts';
import { formatError } from './exit.ts';
import { FolderIds, IDS_FILE, mapIds } from './folder-ids.ts';
import type { Session } from './session.ts';

export interface PlannedFile {
  readonly file: WorkflowFile;
  readonly action: 'create' | 'update' | 'unchanged';
  /** Id of the workflow in this organization; null when it does not exist yet. */
  readonly id: string | null;
  readonly changes: readonly string[];
  /** The files whose workflows it calls. */
  readonly calls: readonly WorkflowFile[];
}

export interface PushPlan {
  /** Called workflows come before their callers, except in cycles. */
  readonly planned: readonly PlannedFile[];
  /** Errors, which keep a file from being pushed, and warnings. */
  readonly findings: readonly Finding[];
  /** Files that cannot be read. */
  readonly unread: readonly string[];
  /** Files that are not pushed. */
  readonly refused: ReadonlySet<string>;
  readonly ids: FolderIds;
}

const makeError = (
  file: WorkflowFile,
  code: string,
  message: string,
  path: Finding['path'] = [],
): Finding[] => locateProblems(file, [{ severity: 'error', code, message, path }]);

const MIRRORED = ['name', 'description', 'version', 'tags'] as const;
const pickMirrored = (value: Fields): Fields =>
  Object.fromEntries(MIRRORED.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]));

/**
 * Converts a file to the form in which the service stores it: each node has its state field, and metadata and fields are
 * equal, with priority for the metadata (SPEC API-definition). Otherwise every pushed file would show a difference.
 */
function toStoredForm(fields: Fields, theirs: Fields): Fields {
  const schema: Fields = addNodeFields(fields['workflow_schema'] as JsonObject);
  const metadata = (schema['metadata'] ?? {}) as Fields;
  const mirrored = { ...pickMirrored(theirs), ...pickMirrored(fields), ...pickMirrored(metadata) };
  return { ...fields, ...mirrored, workflow_schema: { ...schema, metadata: { ...mirrored, ...metadata } } };
}

/** @returns the fields of a file with the ids of this organization */
export const toRemoteFields = ({ fields }: WorkflowFile, idFor: (id: string) => string): Fields => ({
  ...fields,
  workflow_schema: mapIds(fields.workflow_schema as JsonObject, idFor),
});

/** @returns the service's findings about a file; null when the failure is not about the file */
export function toFindings(file: WorkflowFile, failure: unknown): Finding[] | null {
  if (!(failure instanceof WorkflowApiError) || ![400, 404, 409, 413, 422].includes(failure.status))
    return null;
  const { status, problems } = failure;
  if (problems.length === 0) return makeError(file, String(status), formatError(failure));
  return problems.flatMap(({ loc, msg, type }) => {
    const isInSchema = loc[0] === 'body' && loc[1] === 'workflow_schema';
    const path = isInSchema ? loc.slice(2) : [];
    return makeError(file, type, isInSchema ? msg : `${loc.join('.')}: ${msg}`, path);
  });
}

interface RemoteWorkflow {
  readonly id: string;
  readonly name: string;
}

/** Matches each file with a workflow of the organization: by its id, by its mapped id, or by its name. */
class Targets {
  readonly findings: Finding[] = [];
  readonly #byFile = new Map<WorkflowFile, string | null>();
  readonly #taken = new Map<string, WorkflowFile>();

  constructor(files: readonly WorkflowFile[], known: readonly RemoteWorkflow[], ids: FolderIds) {
    const isHere = new Set(known.map(({ id }) => id));
    const byId = ({ id }: WorkflowFile): string | null =>
      id === null ? null : ([id, ids.toRemoteId(id)].find((one) => isHere.has(one)) ?? null);
    const copies = new Set(files.filter((file) => this.#refuseCopy(file, files)));
    for (const file of files) if (!copies.has(file) && byId(file) !== null) this.#take(file, byId(file));
    for (const file of files) {
      if (copies.has(file) || byId(file) !== null) continue;
      const named = known.filter(({ name, id }) => name === file.fields.name && !this.#taken.has(id));
      if (named.length > 1) this.#refuseMany(file, named.length);
      else this.#take(file, named[0]?.id ?? null);
    }
  }

  /** @returns the id of the file's workflow; null when it must be created; undefined when the file is refused */
  get(file: WorkflowFile): string | null | undefined {
    return this.#byFile.get(file);
  }

  #take(file: WorkflowFile, id: string | null): void {
    const other = id === null ? undefined : this.#taken.get(id);
    if (other !== undefined) {
      this.#refuse(file, 'same_workflow', `it is the same workflow as ${other.path}`);
      return;
    }
    if (id !== null) this.#taken.set(id, file);
    this.#byFile.set(file, id);
  }

  #refuse(file: WorkflowFile, code: string, message: string): void {
    this.findings.push(...makeError(file, code, message));
  }

  /** @returns whether an earlier file has the same id */
  #refuseCopy(file: WorkflowFile, files: readonly WorkflowFile[]): boolean {
    const first = files.find(({ id }) => id !== null && id === file.id);
    if (first === undefined || first === file) return false;
    const message = `it has the id of ${first.path}; remove the id from the copy`;
    this.#refuse(file, 'same_workflow', message);
    return true;
  }

  #refuseMany(file: WorkflowFile, count: number): void {
    const message = `${count} workflows of this organization are called ${JSON.stringify(file.fields.name)}; add the id of one to the file`;
    this.#refuse(file, 'ambiguous_name', message);
  }
}

const findReferences = (file: WorkflowFile, kind: ResourceReference['kind']): ResourceReference[] =>
  listReferencesTo(kind, file.fields.workflow_schema as JsonObject);

/** Indexes files by their ids. */
export const indexById = (files: readonly WorkflowFile[]): ReadonlyMap<string, WorkflowFile> =>
  new Map(files.flatMap((file) => (file.id === null ? [] : [[file.id, file] as const])));

/** Finds calls of workflows that are neither in the folder nor in the organization. */
function findMissingCalls(file: WorkflowFile, isThere: (id: string) => boolean): Finding[] {
  return findReferences(file, 'workflow')
    .filter(({ id }) => !isThere(id))
    .flatMap(({ id, nodeId, path }) =>
      makeError(
        file,
        'workflow_not_found',
        `node ${JSON.stringify(nodeId)} calls the workflow ${id}, which is neither in this folder nor in this organization. ` +
          `To add it, run in its organization: workflow workflows pull FOLDER ${id}`,
        path,
      ),
    );
}

const REFERENCED = {
  credential: { code: 'credential_not_found', what: 'credential' },
  knowledge_base: { code: 'knowledge_base_not_found', what: 'knowledge base' },
} as const;

/** Warns about credentials and knowledge bases that the organization does not have; files do not contain them. */
async function findAbsentResources(
  files: readonly WorkflowFile[],
  { client }: Session,
  ids: FolderIds,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const kind of ['credential', 'knowledge_base'] as const) {
    const named = files.flatMap((file) => findReferences(file, kind).map((one) => ({ file, one })));
    if (named.length === 0) continue;
    const here = new Set<string>();
    if (kind === 'credential')
      for await (const { credential_id: id } of client.credentials.list()) here.add(id);
    else for await (const { id } of client.knowledgeBases.list()) here.add(id);
    const { code, what } = REFERENCED[kind];
    for (const { file, one } of named.filter(({ one: { id } }) => !here.has(ids.toRemoteId(id)))) {
      const message =
        `node ${JSON.stringify(one.nodeId)} uses the ${what} ${one.id}, which this organization does not have. ` +
        `Before you deploy, create one and map the id to its id in ${IDS_FILE}`;
      findings.push(...locateProblems(file, [{ severity: 'warning', code, message, path: one.path }]));
    }
  }
  return findings;
}

/** Refuses files that call a refused file without a workflow, directly or through other files. */
function refuseBlocked(
  files: readonly WorkflowFile[],
  refused: Set<string>,
  calls: (file: WorkflowFile) => WorkflowFile[],
  exists: (file: WorkflowFile) => boolean,
): Finding[] {
  const findings: Finding[] = [];
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const file of files.filter(({ path }) => !refused.has(path))) {
      const blocking = calls(file).find((called) => refused.has(called.path) && !exists(called));
      if (blocking === undefined) continue;
      refused.add(file.path);
      isNew = true;
      findings.push(...makeError(file, 'calls_refused', `it calls ${blocking.path}, which is not pushed`));
    }
  }
  return findings;
}

/** Sorts files so that called files come first; in a cycle, one file calls a workflow that does not exist yet. */
function sortByCalls(
  files: readonly WorkflowFile[],
  calls: (file: WorkflowFile) => readonly WorkflowFile[],
): WorkflowFile[] {
  const ordered = new Set<WorkflowFile>();
  const seen = new Set<WorkflowFile>();
  // Iterative, because a chain of files may be longer than the call stack.
  for (const first of files) {
    const path = [first];
    for (let file = path.at(-1); file !== undefined; file = path.at(-1)) {
      seen.add(file);
      const next = calls(file).find((called) => !seen.has(called));
      if (next !== undefined) path.push(next);
      else {
        ordered.add(file);
        path.pop();
      }
    }
  }
  return [...ordered];
}

async function planUpdate(
  { file, id, calls }: Pick<PlannedFile, 'file' | 'calls'> & { readonly id: string },
  session: Session,
  idFor: (id: string) => string,
): Promise<PlannedFile> {
  const theirs = pickFileFields({ ...(await session.client.workflows.get(id)) });
  const changes = Object.entries(toStoredForm(toRemoteFields(file, idFor), theirs)).flatMap(([key, value]) =>
    findDifferingPointers(value as Json, theirs[key] as Json).map((place) => `/${key}${place}`),
  );
  return { file, action: changes.length === 0 ? 'unchanged' : 'update', id, changes, calls };
}

/** Plans a push of a folder without writing anything. */
export async function planPush(folder: string, session: Session): Promise<PushPlan> {
  const { files, unread } = await readFolder(folder);
  const ids = await FolderIds.read(folder, session.organizationId ?? 'default');
  const known: RemoteWorkflow[] = [];
  for await (const summary of session.client.workflows.list()) known.push(summary);
  const targets = new Targets(files, known, ids);
  const inFolder = indexById(files);
  const isKnown = new Set(known.map(({ id }) => id));
  const idFor = (id: string): string => {
    const file = inFolder.get(id);
    return (file === undefined ? null : targets.get(file)) ?? ids.toRemoteId(id);
  };
  const findings = [...(await findProblems(files)), ...targets.findings];
  const isThere = (id: string): boolean => inFolder.has(id) || isKnown.has(idFor(id));
  findings.push(...files.flatMap((file) => findMissingCalls(file, isThere)));
  const refused = new Set(findings.filter(isError).map(({ file }) => file));
  const calls = (file: WorkflowFile): WorkflowFile[] =>
    findReferences(file, 'workflow').flatMap(({ id }) => inFolder.get(id) ?? []);
  const exists = (file: WorkflowFile): boolean => typeof targets.get(file) === 'string';
  findings.push(...refuseBlocked(files, refused, calls, exists));
  const left = files.filter(({ path }) => !refused.has(path));
  findings.push(...(await findAbsentResources(left, session, ids)));
  const planned: PlannedFile[] = [];
  for (const file of sortByCalls(left, (one) => calls(one).filter(({ path }) => !refused.has(path)))) {
    const id = targets.get(file) ?? null;
    const called = calls(file);
    if (id === null) planned.push({ file, action: 'create', id, changes: [], calls: called });
    else
      try {
        planned.push(await planUpdate({ file, id, calls: called }, session, idFor));
      } catch (failure) {
        const found = toFindings(file, failure);
        if (found === null) throw failure;
        findings.push(...found);
        refused.add(file.path);
      }
  }
  for (const { path } of unread) refused.add(path);
  return { planned, findings, unread: unread.map(({ message }) => message), refused, ids };
}
