/** Resolves the names in a folder's files to the ids of one organization, and back. */
import type { ResourceReference } from '../../language/graph/template/references.ts';
import { isUuid } from '../../base/uuid.ts';
import type { OpenEnvironment } from './environments.ts';
import type { FileForm } from './file-form.ts';
import type { FolderIds } from './folder-ids.ts';
import type { FolderLock } from './folder-lock.ts';
import { listWrittenReferences, mapReferences, type WrittenReference } from './references.ts';
import type { Session } from './session.ts';

type ReferenceKind = ResourceReference['kind'];
export interface NamedResource {
  readonly id: string;
  readonly name: string;
}

/** The id of a name; `missing` and `ambiguous` names have none. */
type Resolved = { readonly id: string } | { readonly id: null; readonly count: number };

async function listResources(kind: ReferenceKind, { client }: Session): Promise<NamedResource[]> {
  const found: NamedResource[] = [];
  if (kind === 'workflow') for await (const { id, name } of client.workflows.list()) found.push({ id, name });
  else if (kind === 'credential')
    for await (const { credential_id: id, name } of client.credentials.list()) found.push({ id, name });
  else if (kind === 'table')
    for await (const { id, name } of client.tables.list({ limit: 100 })) found.push({ id, name });
  else for await (const { id, name } of client.knowledgeBases.list()) found.push({ id, name });
  return found;
}

/** The files that know the ids of an organization. */
interface Sources {
  readonly lock: FolderLock;
  readonly legacy: FolderIds;
}

export class ResourceNames {
  readonly #open: OpenEnvironment;
  readonly #sources: Sources;
  readonly #listed = new Map<ReferenceKind, readonly NamedResource[]>();
  /** Ids of the workflows of the folder by slug; null while the workflow does not exist. */
  readonly #slugs = new Map<string, string | null>();

  constructor(open: OpenEnvironment, sources: Sources) {
    this.#open = open;
    this.#sources = sources;
  }

  /** Lists the resources of the kinds that the definitions refer to, and all workflows. */
  async load(forms: readonly FileForm[]): Promise<void> {
    const kinds = forms.flatMap((form) =>
      listWrittenReferences(form.workflow_schema).map(({ kind }) => kind),
    );
    for (const kind of new Set<ReferenceKind>(['workflow', ...kinds]))
      if (!this.#listed.has(kind)) this.#listed.set(kind, await listResources(kind, this.#open.session));
  }

  list(kind: ReferenceKind): readonly NamedResource[] {
    return this.#listed.get(kind) ?? [];
  }

  /** Stores the id of a file's workflow, so that other files can refer to it. */
  setSlug(slug: string, id: string | null): void {
    this.#slugs.set(slug, id);
  }

  /** Resolves a name; an id stands for itself, or for the id that an older folder maps it to. */
  resolve(kind: ReferenceKind, name: string): Resolved {
    const resources = this.list(kind);
    const isHere = (given: string): boolean => resources.some(({ id }) => id === given);
    const own = kind === 'workflow' ? this.#slugs.get(name) : undefined;
    if (own !== undefined) return own === null ? { id: null, count: 0 } : { id: own };
    const locked = kind === 'workflow' ? this.#sources.lock.get(name)?.id : undefined;
    if (locked !== undefined && isHere(locked)) return { id: locked };
    const wanted = this.#open.environment?.names[kind].get(name) ?? name;
    if (isUuid(wanted)) {
      const id = this.#sources.legacy.toRemoteId(wanted.toLowerCase());
      return isHere(id) ? { id } : { id: null, count: 0 };
    }
    const found = resources.filter((one) => one.name === wanted);
    const [only] = found;
    return only !== undefined && found.length === 1 ? { id: only.id } : { id: null, count: found.length };
  }

  /** @returns the name by which the files refer to a resource; the id when no name is clear */
  toName(kind: ReferenceKind, id: string): string {
    const slug = kind === 'workflow' ? this.#findSlug(id) : null;
    if (slug !== null) return slug;
    const resource = this.list(kind).find((one) => one.id === id);
    const alias = [...(this.#open.environment?.names[kind] ?? [])].find(
      ([, target]) => target === id || target === resource?.name,
    );
    if (alias !== undefined) return alias[0];
    const name = resource?.name ?? '';
    const resolved = name === '' || name.includes('{{') ? null : this.resolve(kind, name).id;
    return resolved === id ? name : id;
  }

  #findSlug(id: string): string | null {
    const known = [...this.#slugs].find(([, one]) => one === id)?.[0];
    return known ?? this.#sources.lock.findSlug(id);
  }

  /** Replaces ids by names. */
  toNamedForm(form: FileForm): FileForm {
    const replace = ({ kind, name }: WrittenReference): string =>
      isUuid(name) ? this.toName(kind, name) : name;
    return { ...form, workflow_schema: mapReferences(form.workflow_schema, replace) };
  }

  /** Replaces names by ids; a name that cannot be resolved stays, and the service reports it. */
  toResolvedForm(form: FileForm): FileForm {
    const replace = ({ kind, name }: WrittenReference): string => this.resolve(kind, name).id ?? name;
    return { ...form, workflow_schema: mapReferences(form.workflow_schema, replace) };
  }
}
