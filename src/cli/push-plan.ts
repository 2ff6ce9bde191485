/** The plan of a push: which workflow of the organization each file of a folder is, and what is wrong with the files. */
import { differingPlaces } from '../graph/diff.ts';
import { listReferences, type Reference } from '../graph/references.ts';
import { withNodeFields } from '../graph/state-fields.ts';
import type { Json, JsonObject } from '../graph/value.ts';
import { WorkflowApiError } from '../client/client.ts';
import {
  findProblems,
  isError,
  keptOf,
  locate,
  readFolder,
  type Fields,
  type Finding,
  type WorkflowFile,
} from './definition-files.ts';
import { explain } from './exit.ts';
import { FolderIds, IDS_FILE, withIds } from './folder-ids.ts';
import type { Session } from './session.ts';

export interface Planned {
  readonly file: WorkflowFile;
  readonly action: 'create' | 'update' | 'unchanged';
  /** Of the workflow here; null: it is not made yet. */
  readonly id: string | null;
  readonly changes: readonly string[];
  /** Files that it calls. */
  readonly calls: readonly WorkflowFile[];
}

export interface PushPlan {
  /** What is called stands before what calls it, but in circles. */
  readonly planned: readonly Planned[];
  /** What keeps files from being pushed, and warnings. */
  readonly findings: readonly Finding[];
  /** Files that cannot be read. */
  readonly unread: readonly string[];
  /** Files that are not pushed. */
  readonly refused: ReadonlySet<string>;
  readonly ids: FolderIds;
}

type Finds = Pick<Finding, 'code' | 'message'>;
const error = (file: WorkflowFile, { code, message }: Finds, path: Finding['path'] = []): Finding[] =>
  locate(file, [{ severity: 'error', code, message, path }]);

const MIRRORED = ['name', 'description', 'version', 'tags'] as const;
const mirroredOf = (value: Fields): Fields =>
  Object.fromEntries(MIRRORED.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]));

/**
 * A file as the service stores it over what is there: each node has its field of the state, and metadata and fields say
 * the same, the metadata first (SPEC API-definition). Without it a file would differ from what it was pushed to.
 */
function settled(fields: Fields, theirs: Fields): Fields {
  const schema: Fields = withNodeFields(fields['workflow_schema'] as JsonObject);
  const said = (schema['metadata'] ?? {}) as Fields;
  const told = { ...mirroredOf(theirs), ...mirroredOf(fields), ...mirroredOf(said) };
  return { ...fields, ...told, workflow_schema: { ...schema, metadata: { ...told, ...said } } };
}

/** The fields of a file with the ids of this organization. */
export const fieldsHere = ({ fields }: WorkflowFile, idFor: (id: string) => string): Fields => ({
  ...fields,
  workflow_schema: withIds(fields.workflow_schema as JsonObject, idFor),
});

/** Findings of the service about a file; null where the failure is not about the file. */
export function findingsOf(file: WorkflowFile, failure: unknown): Finding[] | null {
  if (!(failure instanceof WorkflowApiError) || ![400, 404, 409, 413, 422].includes(failure.status))
    return null;
  const { status, problems } = failure;
  if (problems.length === 0) return error(file, { code: String(status), message: explain(failure) });
  return problems.flatMap(({ loc, msg, type }) => {
    const isInSchema = loc[0] === 'body' && loc[1] === 'workflow_schema';
    const path = isInSchema ? loc.slice(2) : [];
    return error(file, { code: type, message: isInSchema ? msg : `${loc.join('.')}: ${msg}` }, path);
  });
}

interface Known {
  readonly id: string;
  readonly name: string;
}

/** Decides which workflow of the organization each file is: by its id, by what stands for its id here, or by its name. */
class Targets {
  readonly findings: Finding[] = [];
  readonly #byFile = new Map<WorkflowFile, string | null>();
  readonly #taken = new Map<string, WorkflowFile>();

  constructor(files: readonly WorkflowFile[], known: readonly Known[], ids: FolderIds) {
    const isHere = new Set(known.map(({ id }) => id));
    const byId = ({ id }: WorkflowFile): string | null =>
      id === null ? null : ([id, ids.idHere(id)].find((one) => isHere.has(one)) ?? null);
    const copies = new Set(files.filter((file) => this.#refuseCopy(file, files)));
    for (const file of files) if (!copies.has(file) && byId(file) !== null) this.#take(file, byId(file));
    for (const file of files) {
      if (copies.has(file) || byId(file) !== null) continue;
      const named = known.filter(({ name, id }) => name === file.fields.name && !this.#taken.has(id));
      if (named.length > 1) this.#refuseMany(file, named.length);
      else this.#take(file, named[0]?.id ?? null);
    }
  }

  /** @returns the id of the workflow that the file is here; null when it is to be made; undefined when it is refused */
  get(file: WorkflowFile): string | null | undefined {
    return this.#byFile.get(file);
  }

  #take(file: WorkflowFile, id: string | null): void {
    const other = id === null ? undefined : this.#taken.get(id);
    if (other !== undefined) {
      this.#refuse(file, { code: 'same_workflow', message: `it is the workflow that ${other.path} is here` });
      return;
    }
    if (id !== null) this.#taken.set(id, file);
    this.#byFile.set(file, id);
  }

  #refuse(file: WorkflowFile, finds: Finds): void {
    this.findings.push(...error(file, finds));
  }

  /** @returns whether another file before it has its id */
  #refuseCopy(file: WorkflowFile, files: readonly WorkflowFile[]): boolean {
    const first = files.find(({ id }) => id !== null && id === file.id);
    if (first === undefined || first === file) return false;
    const message = `it has the id of ${first.path}: take the id out of the copy`;
    this.#refuse(file, { code: 'same_workflow', message });
    return true;
  }

  #refuseMany(file: WorkflowFile, count: number): void {
    const message = `${count} workflows of this organization are called ${JSON.stringify(file.fields.name)}; give the file the id of one`;
    this.#refuse(file, { code: 'ambiguous_name', message });
  }
}

const referencesOf = (file: WorkflowFile, kind: Reference['kind']): Reference[] =>
  listReferences(file.fields.workflow_schema as JsonObject).filter((one) => one.kind === kind);

/** The files of a folder by their ids. */
export const filesById = (files: readonly WorkflowFile[]): ReadonlyMap<string, WorkflowFile> =>
  new Map(files.flatMap((file) => (file.id === null ? [] : [[file.id, file] as const])));

/** Findings of calls of workflows that are neither in the folder nor in the organization. */
function findMissing(file: WorkflowFile, isThere: (id: string) => boolean): Finding[] {
  return referencesOf(file, 'workflow')
    .filter(({ id }) => !isThere(id))
    .flatMap(({ id, nodeId, path }) =>
      error(
        file,
        {
          code: 'workflow_not_found',
          message:
            `node ${JSON.stringify(nodeId)} calls the workflow ${id}, which is neither in this folder nor in this organization: ` +
            `pull it into the folder from where it is (workflow workflows pull FOLDER ${id}), or name another`,
        },
        path,
      ),
    );
}

const MEANT = {
  credential: { code: 'credential_not_found', what: 'credential' },
  knowledge_base: { code: 'knowledge_base_not_found', what: 'knowledge base' },
} as const;

/** Warnings of credentials and bases that the organization does not have: their contents are in no file. */
async function findAbsent(
  files: readonly WorkflowFile[],
  { client }: Session,
  ids: FolderIds,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const kind of ['credential', 'knowledge_base'] as const) {
    const named = files.flatMap((file) => referencesOf(file, kind).map((one) => ({ file, one })));
    if (named.length === 0) continue;
    const here = new Set<string>();
    if (kind === 'credential')
      for await (const { credential_id: id } of client.credentials.list()) here.add(id);
    else for await (const { id } of client.knowledgeBases.list()) here.add(id);
    const { code, what } = MEANT[kind];
    for (const { file, one } of named.filter(({ one: { id } }) => !here.has(ids.idHere(id)))) {
      const message =
        `node ${JSON.stringify(one.nodeId)} names the ${what} ${one.id}, which this organization does not have: it cannot be deployed ` +
        `until you make one here and put its id behind this one in ${IDS_FILE}, or name it in the file`;
      findings.push(...locate(file, [{ severity: 'warning', code, message, path: one.path }]));
    }
  }
  return findings;
}

/** Findings of files that call a file which is to be made and is refused, and of those that call these. */
function findBlocked(
  files: readonly WorkflowFile[],
  refused: Set<string>,
  {
    calls,
    isMade,
  }: {
    readonly calls: (file: WorkflowFile) => WorkflowFile[];
    readonly isMade: (file: WorkflowFile) => boolean;
  },
): Finding[] {
  const findings: Finding[] = [];
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const file of files.filter(({ path }) => !refused.has(path))) {
      const blocking = calls(file).find((called) => refused.has(called.path) && !isMade(called));
      if (blocking === undefined) continue;
      refused.add(file.path);
      isNew = true;
      const message = `it calls ${blocking.path}, which is not pushed`;
      findings.push(...error(file, { code: 'calls_refused', message }));
    }
  }
  return findings;
}

/** Files in the order in which they are pushed: a called one first; in a circle one of them calls what is not made yet. */
function inOrder(
  files: readonly WorkflowFile[],
  calls: (file: WorkflowFile) => readonly WorkflowFile[],
): WorkflowFile[] {
  const ordered = new Set<WorkflowFile>();
  const seen = new Set<WorkflowFile>();
  // A loop and no recursion: a chain of files may be longer than the stack is deep.
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

async function compare(
  { file, id, calls }: Pick<Planned, 'file' | 'calls'> & { readonly id: string },
  session: Session,
  idFor: (id: string) => string,
): Promise<Planned> {
  const theirs = keptOf(await session.client.workflows.get(id));
  const changes = Object.entries(settled(fieldsHere(file, idFor), theirs)).flatMap(([key, value]) =>
    differingPlaces(value as Json, theirs[key] as Json).map((place) => `/${key}${place}`),
  );
  return { file, action: changes.length === 0 ? 'unchanged' : 'update', id, changes, calls };
}

/** Plans a push of a folder; nothing is written. */
export async function planPush(folder: string, session: Session): Promise<PushPlan> {
  const { files, unread } = await readFolder(folder);
  const ids = await FolderIds.read(folder, session.organizationId ?? 'default');
  const known: Known[] = [];
  for await (const summary of session.client.workflows.list()) known.push(summary);
  const targets = new Targets(files, known, ids);
  const inFolder = filesById(files);
  const isKnown = new Set(known.map(({ id }) => id));
  const idFor = (id: string): string => {
    const file = inFolder.get(id);
    return (file === undefined ? null : targets.get(file)) ?? ids.idHere(id);
  };
  const findings = [...(await findProblems(files)), ...targets.findings];
  const isThere = (id: string): boolean => inFolder.has(id) || isKnown.has(idFor(id));
  findings.push(...files.flatMap((file) => findMissing(file, isThere)));
  const refused = new Set(findings.filter(isError).map(({ file }) => file));
  const calls = (file: WorkflowFile): WorkflowFile[] =>
    referencesOf(file, 'workflow').flatMap(({ id }) => inFolder.get(id) ?? []);
  const isMade = (file: WorkflowFile): boolean => typeof targets.get(file) === 'string';
  findings.push(...findBlocked(files, refused, { calls, isMade }));
  const left = files.filter(({ path }) => !refused.has(path));
  findings.push(...(await findAbsent(left, session, ids)));
  const planned: Planned[] = [];
  for (const file of inOrder(left, (one) => calls(one).filter(({ path }) => !refused.has(path)))) {
    const id = targets.get(file) ?? null;
    const called = calls(file);
    if (id === null) planned.push({ file, action: 'create', id, changes: [], calls: called });
    else
      try {
        planned.push(await compare({ file, id, calls: called }, session, idFor));
      } catch (failure) {
        const found = findingsOf(file, failure);
        if (found === null) throw failure;
        findings.push(...found);
        refused.add(file.path);
      }
  }
  for (const { path } of unread) refused.add(path);
  return { planned, findings, unread: unread.map(({ message }) => message), refused, ids };
}
