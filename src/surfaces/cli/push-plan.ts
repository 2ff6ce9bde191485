/** Plans a push: compares each workflow with the one of the environment, and finds problems. Writes nothing. */
import { sameJson } from '../../language/graph/values/value.ts';
import { WorkflowApiError } from '../client/client.ts';
import { isUuid } from '../../base/uuid.ts';
import { findProblems, isError, type Finding, type WorkflowFile } from './definition-files.ts';
import { listDifferences, showValues, summarizeDifferences, type Difference } from './differences.ts';
import { formatError } from './exit.ts';
import { toFileForm, type FileForm } from './file-form.ts';
import { mergeForms } from './file-merge.ts';
import { isPushedSinceLock, makeError, normalizeForm, type Folder, type FolderState } from './folder.ts';
import { WorkflowMatches } from './match-workflows.ts';
import { listWrittenReferences, type WrittenReference } from './references.ts';

/** A workflow to push: the content of a file, or what is deployed in another environment. */
export interface PushItem {
  readonly file: WorkflowFile;
  readonly form: FileForm;
}

export interface PlannedItem extends PushItem {
  /** `behind`: only the service has changes, so there is nothing to push. */
  readonly action: 'create' | 'update' | 'behind' | 'unchanged';
  /** Id of the workflow in the environment; null when it does not exist there yet. */
  readonly id: string | null;
  /** The version that the plan read; the push fails when it has changed. */
  readonly editVersion: number | null;
  readonly changes: readonly Difference[];
  /** The push overwrites changes of the service. */
  readonly isForced: boolean;
  /** The draft is deployed afterwards. */
  readonly isDeployed: boolean;
  /** The files whose workflows it calls. */
  readonly calls: readonly WorkflowFile[];
}

export interface PushOptions {
  /** Overwrites changes of the service. */
  readonly isForced: boolean;
  /** Where the items come from: files, which a pull can merge, or another environment. */
  readonly source: 'files' | 'environment';
  /** Deploys what is not live yet. */
  readonly isDeployed: boolean;
  /** Errors of a file keep it from being pushed, or are warnings; `ignored` when the definition is not the file's. */
  readonly problems: 'refused' | 'warned' | 'ignored';
}

export interface PushPlan {
  /** Called workflows come before their callers, except in cycles. */
  readonly planned: readonly PlannedItem[];
  /** Errors, which keep a file from being pushed, and warnings. */
  readonly findings: readonly Finding[];
  /** Files that cannot be read. */
  readonly unread: readonly string[];
  /** Paths of the files that are not pushed. */
  readonly refused: ReadonlySet<string>;
}

/** @returns the service's findings about a file; null when the failure is not about the file */
export function toFindings(file: WorkflowFile, failure: unknown): Finding[] | null {
  if (!(failure instanceof WorkflowApiError) || ![400, 404, 409, 413, 422].includes(failure.status))
    return null;
  const { status, code, problems } = failure;
  if (problems.length === 0) return makeError(file, code ?? String(status), formatError(failure));
  return problems.flatMap(({ loc, msg, type }) => {
    const path = loc[0] === 'body' ? loc.slice(1) : loc;
    const isInSchema = path[0] === 'workflow_schema';
    return makeError(file, type, isInSchema ? msg : `${loc.join('.')}: ${msg}`, isInSchema ? path : []);
  });
}

const WORDS = {
  workflow: 'workflow',
  credential: 'credential',
  knowledge_base: 'knowledge base',
  table: 'table',
} as const;

/** Finds references that the environment cannot resolve. A missing called workflow keeps a file from being pushed. */
function findMissing(
  { file, form }: PushItem,
  folder: Folder,
  state: FolderState,
  options: PushOptions,
): Finding[] {
  const { names, open } = state;
  return listWrittenReferences(form.workflow_schema).flatMap((reference: WrittenReference) => {
    const { kind, name, nodeId, path } = reference;
    const resolved = names.resolve(kind, name);
    const isInFolder = kind === 'workflow' && folder.files.some(({ slug }) => slug === name);
    if (resolved.id !== null || isInFolder) return [];
    const what = `${WORDS[kind]} ${isUuid(name) ? name : JSON.stringify(name)}`;
    const many = `${resolved.count} ${WORDS[kind]}s of ${open.title} are called ${JSON.stringify(name)}`;
    const hint = kind === 'workflow' ? 'Pull it into this folder, or name it' : 'Create it there, or name it';
    const message =
      resolved.count > 1
        ? `node ${JSON.stringify(nodeId)}: ${many}; choose one in environments.yaml`
        : `node ${JSON.stringify(nodeId)} ${kind === 'workflow' ? 'calls' : 'uses'} the ${what}, which ${open.title} does not have. ${hint} in environments.yaml`;
    const isHard = kind === 'workflow' ? options.problems !== 'warned' : options.isDeployed;
    const code = resolved.count > 1 ? 'ambiguous_name' : `${kind}_not_found`;
    return makeError(file, code, message, ['workflow_schema', ...path]).map((finding) => ({
      ...finding,
      severity: isHard ? ('error' as const) : ('warning' as const),
    }));
  });
}

/** Refuses files that call a refused file without a workflow, directly or through other files. */
function refuseBlocked(
  items: readonly PushItem[],
  refused: Set<string>,
  calls: (item: PushItem) => readonly WorkflowFile[],
  exists: (file: WorkflowFile) => boolean,
): Finding[] {
  const findings: Finding[] = [];
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const item of items.filter(({ file }) => !refused.has(file.path))) {
      const blocking = calls(item).find((called) => refused.has(called.path) && !exists(called));
      if (blocking === undefined) continue;
      refused.add(item.file.path);
      isNew = true;
      findings.push(
        ...makeError(item.file, 'calls_refused', `it calls ${blocking.path}, which is not pushed`),
      );
    }
  }
  return findings;
}

/** Sorts items so that called files come first; in a cycle, one file calls a workflow that does not exist yet. */
function sortByCalls(
  items: readonly PushItem[],
  calls: (item: PushItem) => readonly WorkflowFile[],
): PushItem[] {
  const byFile = new Map(items.map((item) => [item.file, item]));
  const ordered = new Set<PushItem>();
  const seen = new Set<PushItem>();
  // Iterative, because a chain of files may be longer than the call stack.
  for (const first of items) {
    const path = [first];
    for (let item = path.at(-1); item !== undefined; item = path.at(-1)) {
      seen.add(item);
      const next = calls(item)
        .map((file) => byFile.get(file))
        .find((called) => called !== undefined && !seen.has(called));
      if (next !== undefined) path.push(next);
      else {
        ordered.add(item);
        path.pop();
      }
    }
  }
  return [...ordered];
}

/** Plans one workflow after another. */
class Planner {
  readonly #state: FolderState;
  readonly #options: PushOptions;
  readonly #folder: Folder;
  readonly findings: Finding[] = [];

  constructor(folder: Folder, state: FolderState, options: PushOptions) {
    this.#folder = folder;
    this.#state = state;
    this.#options = options;
  }

  /** @returns null when the workflow is refused */
  async plan(item: PushItem, id: string | null, calls: readonly WorkflowFile[]): Promise<PlannedItem | null> {
    const { isDeployed } = this.#options;
    const common = { ...item, id, calls, isDeployed, isForced: false };
    if (id === null) return { ...common, action: 'create', editVersion: null, changes: [] };
    const remote = await this.#state.open.session.client.workflows.get(id);
    const theirs = await this.#read({ ...remote });
    const ours = normalizeForm(this.#state, item.form);
    const at = { ...common, form: ours, editVersion: remote.edit_version ?? 0 };
    if (sameJson(ours, theirs)) {
      const live = isDeployed ? await this.#readLive(id, remote.live_deployment_id) : null;
      const { category: _, ...versioned } = ours;
      const isLive = live !== null && sameJson(live, versioned as FileForm);
      return { ...at, action: 'unchanged', changes: [], isDeployed: isDeployed && !isLive };
    }
    const update = { ...at, action: 'update' as const, changes: listDifferences(theirs, ours) };
    if (await this.#isFromHere(item, theirs, at.editVersion)) return update;
    if (this.#options.isForced) return { ...update, isForced: true };
    return this.#reconcile(at, theirs);
  }

  /** Whether everything that the service has was in the folder before, so that overwriting it loses nothing. */
  async #isFromHere({ file }: PushItem, theirs: FileForm, editVersion: number): Promise<boolean> {
    const entry = this.#state.lock.get(file.slug);
    if (entry !== null && (entry.editVersion === editVersion || sameJson(entry.form, theirs))) return true;
    return isPushedSinceLock(file, theirs, { folder: this.#folder, state: this.#state });
  }

  /** The service has changed: refuses, unless the file has no changes. */
  #reconcile(at: Omit<PlannedItem, 'action' | 'changes'>, theirs: FileForm): PlannedItem | null {
    const { file, form: ours, editVersion } = at;
    const { open, lock } = this.#state;
    const entry = lock.get(file.slug);
    if (entry === null) {
      const places = summarizeDifferences(ours, theirs);
      const message = `${open.title} has this workflow with different content, and this folder has never been pulled from there: ${places}. Choose a side with: ${this.#formatPull(file)}`;
      return this.#refuse(file, message);
    }
    const since = `edit ${entry.editVersion} (now ${editVersion})`;
    const isFromFiles = this.#options.source === 'files';
    if (isFromFiles && sameJson(entry.form, ours))
      return { ...at, action: 'behind', changes: listDifferences(ours, theirs), isDeployed: false };
    const { conflicts } = mergeForms({ base: entry.form, ours, theirs });
    if (!isFromFiles || conflicts.length === 0) {
      const message = `it was changed in ${open.title} since ${since}: ${summarizeDifferences(entry.form, theirs)}`;
      const wayOut = isFromFiles
        ? 'Merge with'
        : 'Overwrite it with --force, or bring the change to the files with';
      return this.#refuse(file, `${message}. ${wayOut}: ${this.#formatPull(file)}`);
    }
    for (const { path, place, ...values } of conflicts) {
      const [mine, other] = showValues(values.ours, values.theirs);
      const message = `${place} is ${mine} here and ${other} in ${open.title}, both changed since ${since}. Settle it with: ${this.#formatPull(file)}`;
      this.#refuse(file, message, { path, values });
    }
    return null;
  }

  /** The command that brings the changes of the service into a file. */
  #formatPull({ slug }: WorkflowFile): string {
    const { environment } = this.#state.open;
    return `workflow pull ${this.#folder.path} ${slug}${environment === null ? '' : ` --env ${environment.name}`}`;
  }

  #refuse(file: WorkflowFile, message: string, at: Partial<Pick<Finding, 'path' | 'values'>> = {}): null {
    const found = makeError(file, 'conflict', message, at.path);
    this.findings.push(...found.map((one) => ({ ...one, ...(at.values && { values: at.values }) })));
    return null;
  }

  /** The named form of a workflow of the environment. */
  async #read(fields: Parameters<typeof toFileForm>[0]): Promise<FileForm> {
    const form = toFileForm(fields);
    await this.#state.names.load([form]);
    return this.#state.names.toNamedForm(form);
  }

  async #readLive(workflowId: string, deploymentId: string | null): Promise<FileForm | null> {
    if (deploymentId === null) return null;
    const { client } = this.#state.open.session;
    const { version: _, ...live } = await client.workflows.getDeployment({ workflowId, deploymentId });
    return this.#read(live);
  }
}

async function findFileProblems(
  files: readonly WorkflowFile[],
  { problems }: PushOptions,
): Promise<Finding[]> {
  const found = await findProblems(files);
  return problems === 'refused' ? found : found.map((one) => ({ ...one, severity: 'warning' }));
}

/** Plans a push of items to an environment. */
export async function planPush(
  { folder, items }: { readonly folder: Folder; readonly items: readonly PushItem[] },
  state: FolderState,
  options: PushOptions,
): Promise<PushPlan> {
  await state.names.load(items.map(({ form }) => form));
  const files = items.map(({ file }) => file);
  const matches = new WorkflowMatches(files, state);
  for (const file of files) state.names.setSlug(file.slug, matches.get(file) ?? null);
  const problems = options.problems === 'ignored' ? [] : await findFileProblems(files, options);
  const findings: Finding[] = [...problems, ...matches.findings];
  findings.push(...items.flatMap((item) => findMissing(item, folder, state, options)));
  const refused = new Set(findings.filter(isError).map(({ file }) => file));
  const bySlug = new Map(files.map((file) => [file.slug, file]));
  const calls = ({ form }: PushItem): WorkflowFile[] =>
    listWrittenReferences(form.workflow_schema).flatMap(({ kind, name }) =>
      kind === 'workflow' ? (bySlug.get(name) ?? []) : [],
    );
  findings.push(...refuseBlocked(items, refused, calls, (file) => typeof matches.get(file) === 'string'));
  const left = items.filter(({ file }) => !refused.has(file.path));
  const planner = new Planner(folder, state, options);
  const planned: PlannedItem[] = [];
  for (const item of sortByCalls(left, (one) => calls(one).filter(({ path }) => !refused.has(path)))) {
    const one = await planner.plan(item, matches.get(item.file) ?? null, calls(item));
    if (one === null) refused.add(item.file.path);
    else planned.push(one);
  }
  for (const { path } of folder.unread) refused.add(path);
  const unread = folder.unread.map(({ message }) => message);
  return { planned, findings: [...findings, ...planner.findings], unread, refused };
}
