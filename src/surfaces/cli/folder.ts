/** A folder of workflow files, opened in one environment. */
import type { Command } from 'commander';
import { dirname } from 'node:path';
import { sameJson, type JsonObject } from '../../language/graph/values/value.ts';
import { isUuid } from '../../base/uuid.ts';
import { locateProblems, readFolder, type Finding, type WorkflowFile } from './definition-files.ts';
import { findEnvironment, openEnvironment, type OpenEnvironment } from './environments.ts';
import { CommandError } from './exit.ts';
import { toFileForm, type FileForm } from './file-form.ts';
import { FolderIds } from './folder-ids.ts';
import { FolderLock } from './folder-lock.ts';
import { findWritingCommit, readCommittedVersions } from './git-history.ts';
import { listWrittenReferences, mapReferences } from './references.ts';
import { ResourceNames } from './resource-names.ts';
import type { Session, Sessions } from './session.ts';

/** The files of a folder. */
export interface Folder {
  readonly path: string;
  readonly files: readonly WorkflowFile[];
  readonly unread: readonly { readonly path: string; readonly message: string }[];
}

/** A folder's knowledge of one environment. */
export interface FolderState {
  readonly open: OpenEnvironment;
  readonly lock: FolderLock;
  readonly legacy: FolderIds;
  readonly names: ResourceNames;
}

export async function readFolderFiles(path: string): Promise<Folder> {
  return { path, ...(await readFolder(path)) };
}

/** @param name of the environment; undefined for that of the current login */
export async function openFolder(
  sessions: Sessions,
  command: Command,
  { folder, name }: { readonly folder: string; readonly name: string | undefined },
): Promise<FolderState> {
  return readState(folder, await openEnvironment(sessions, command, { folder, name }));
}

async function readState(folder: string, open: OpenEnvironment): Promise<FolderState> {
  const lock = await FolderLock.read(folder, open.organizationId);
  const legacy = await FolderIds.read(folder, open.organizationId);
  return { open, lock, legacy, names: new ResourceNames(open, { lock, legacy }) };
}

/** The form of a file; calls by the ids that older files contain become calls by slug. */
export function readForm(file: WorkflowFile, files: readonly WorkflowFile[]): FileForm {
  const slugs = new Map(files.flatMap(({ id, slug }) => (id === null ? [] : [[id, slug] as const])));
  const definition = mapReferences(file.fields.workflow_schema as JsonObject, ({ kind, name }) =>
    kind === 'workflow' ? (slugs.get(name.toLowerCase()) ?? name) : name,
  );
  return toFileForm({ ...file.fields, workflow_schema: definition });
}

/**
 * Resolves the names in a file for a run of it.
 * @param env the environment of `--env`
 * @throws CommandError with file and line for a name that the organization does not have
 */
export async function resolveDefinition(
  file: WorkflowFile,
  session: Session,
  env: string | undefined,
): Promise<JsonObject> {
  const definition = file.fields.workflow_schema as JsonObject;
  if (listWrittenReferences(definition).every(({ name }) => isUuid(name))) return definition;
  const folder = dirname(file.path);
  const { names, open } = await readState(folder, await findEnvironment(folder, session, env));
  await names.load([toFileForm(file.fields)]);
  return mapReferences(definition, ({ kind, name, path }) => {
    const { id } = names.resolve(kind, name);
    if (id !== null || isUuid(name)) return id ?? name;
    const message = `${JSON.stringify(name)} is not in ${open.title}`;
    const [found] = makeError(file, `${kind}_not_found`, message, ['workflow_schema', ...path]);
    throw new CommandError(`${file.path}:${found?.line ?? 1}: error ${kind}_not_found: ${message}`);
  });
}

/** Rewrites references the way that the environment names them, so that forms of files and of the service compare. */
export const normalizeForm = ({ names }: FolderState, form: FileForm): FileForm =>
  names.toNamedForm(names.toResolvedForm(form));

/**
 * Whether the service has a version of a file that was committed after the lock: a job pushed it without committing its lock. An
 * older version on the service counts as an edit made there. Without a lock, any version counts.
 */
export async function isPushedSinceLock(
  file: WorkflowFile,
  theirs: FileForm,
  { folder, state }: { readonly folder: Folder; readonly state: FolderState },
): Promise<boolean> {
  const locked = state.lock.get(file.slug)?.form ?? null;
  const since = locked === null ? null : await findWritingCommit(state.lock.findPath(file.slug));
  let isFound = false;
  for await (const version of readCommittedVersions(file, since)) {
    const form = normalizeForm(state, readForm(version, folder.files));
    isFound ||= sameJson(form, theirs);
    if (isFound && (locked === null || since !== null)) return true;
    // Of a lock that is not committed as it is, the version may be: what was committed since is newer.
    if (since === null && locked !== null && sameJson(form, locked)) return isFound;
  }
  return false;
}

/** An error of a file, with the line of the place. @param path in the form */
export function makeError(
  file: WorkflowFile,
  code: string,
  message: string,
  path: readonly (string | number)[] = [],
): Finding[] {
  // Fields beside the definition have no line of their own.
  const inSchema = path[0] === 'workflow_schema' ? path.slice(1) : [];
  return locateProblems(file, [{ severity: 'error', code, message, path: inSchema }]);
}
