/** Creates, finds, lists, changes and deletes the knowledge bases of an organization. */
import { resolveOwnerScope } from '../../access/membership.ts';
import type { Scope } from '../../access/caller.ts';
import { requireQuota } from '../../billing/admission.ts';
import type { Sql, Db } from '../../../base/db/client.ts';
import type { Config } from '../../../base/config/config.ts';
import { conflict, invalid, notFound } from '../../../base/errors.ts';
import { readCreation, readCursorPage } from '../../http/cursor-page.ts';
import { selectBase, type KnowledgeBase } from '../bases.ts';
import { removeBase } from '../documents.ts';
import { chooseEmbedding, type EmbeddingChoice } from './embedding-choice.ts';
import { chunkingConfig, type BaseChange, type NewBase } from './schema.ts';
import {
  lockAndCountBases,
  hasDocuments,
  insertBase,
  listBases,
  readCounts,
  lockAccount,
  updateBase,
  type BaseWithCounts,
  type BaseFields,
} from './store.ts';

export interface KnowledgeDeps {
  readonly db: Db;
  readonly config: Config;
}

/** @throws ApiError 404 for a missing account, 422 for one of another integration */
async function requireAccount(tx: Sql, organizationId: string, choice: EmbeddingChoice): Promise<void> {
  if (choice.credentialId === null) return;
  const account = await lockAccount(tx, organizationId, choice.credentialId);
  if (account === null) throw notFound('Credential');
  if (account.integration === 'openai') return;
  const msg = 'Must be a credential for the openai integration';
  throw invalid([{ loc: ['body', 'credential_id'], msg, type: 'value_error' }]);
}

/**
 * Creates a base: managed, or on an account of the organization.
 * @throws ApiError 403 shape D `quota_exceeded`, 403 for an organization that is not the caller's, 404, 422, 503
 */
export async function createBase(deps: KnowledgeDeps, scope: Scope, body: NewBase): Promise<BaseWithCounts> {
  const owner = await resolveOwnerScope(deps.db, scope, body.organization_id);
  const choice = chooseEmbedding(deps.config, body.embedding_config ?? {}, body.credential_id ?? null);
  const { organizationId } = owner;
  const base = await deps.db.transaction(async (tx) => {
    requireQuota(owner.subscription, 'knowledge_bases', await lockAndCountBases(tx, organizationId));
    await requireAccount(tx, organizationId, choice);
    return insertBase(
      tx,
      { organizationId, userId: scope.caller.userId },
      {
        ...choice,
        name: body.name,
        description: body.description ?? '',
        chunking: body.chunking_config ?? chunkingConfig.parse({}),
      },
    );
  });
  if (base === undefined) throw new Error('the knowledge base was not inserted');
  return { base, byStatus: {}, searches: 0 };
}

/** @throws ApiError 404 */
export async function findBase(
  sql: Sql,
  scope: Pick<Scope, 'organizationId'>,
  knowledgeBaseId: string,
): Promise<KnowledgeBase> {
  const base = await selectBase(sql, { organizationId: scope.organizationId, knowledgeBaseId });
  if (base === null) throw notFound('Knowledge base');
  return base;
}

/** @throws ApiError 404 */
export async function describeBase(
  deps: KnowledgeDeps,
  scope: Scope,
  knowledgeBaseId: string,
): Promise<BaseWithCounts> {
  const base = await findBase(deps.db, scope, knowledgeBaseId);
  const [facts] = await readCounts(deps.db, [base]);
  return facts ?? { base, byStatus: {}, searches: 0 };
}

/** Lists a page of the organization's bases, newest first. @throws ApiError 400 for a cursor of another list */
export async function listKnowledgeBases(
  deps: KnowledgeDeps,
  scope: Scope,
  page: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly facts: readonly BaseWithCounts[]; readonly nextCursor: string | null }> {
  const { rows, nextCursor } = await readCursorPage(deps.config.auth, page, {
    name: `knowledge-bases/${scope.organizationId}`,
    read: (read) => listBases(deps.db, scope.organizationId, read),
    readPosition: readCreation,
  });
  return { facts: await readCounts(deps.db, rows), nextCursor };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the fields after a change; fields that the body omits stay. */
function changedFields(deps: KnowledgeDeps, base: KnowledgeBase, body: BaseChange): BaseFields {
  const named = body.credential_id === undefined ? base.credential_id : body.credential_id;
  const choice =
    body.embedding_config === undefined && named === base.credential_id
      ? { credentialId: base.credential_id, embedding: base.embedding_config }
      : chooseEmbedding(
          deps.config,
          body.embedding_config ?? (named === null ? {} : base.embedding_config),
          body.embedding_config?.credential_id === undefined ? named : (body.credential_id ?? null),
        );
  return {
    ...choice,
    name: body.name ?? base.name,
    description: body.description ?? base.description,
    chunking: body.chunking_config ?? base.chunking_config,
  };
}

/** A base with documents keeps its model and chunking; another account of the same model is allowed. */
function requireUnfrozen(base: KnowledgeBase, fields: BaseFields): void {
  const isSameModel =
    isSame(base.embedding_config, fields.embedding) &&
    (base.credential_id === null) === (fields.credentialId === null);
  if (isSameModel && isSame(base.chunking_config, fields.chunking)) return;
  throw conflict(
    'knowledge_base_config_fixed',
    'The settings of a knowledge base cannot change while it has documents',
  );
}

/** @throws ApiError 404, 409 for a change of model or chunking while the base has documents, 422, 503 */
export async function changeBase(
  deps: KnowledgeDeps,
  scope: Scope,
  { knowledgeBaseId, body }: { readonly knowledgeBaseId: string; readonly body: BaseChange },
): Promise<BaseWithCounts> {
  await deps.db.transaction(async (tx) => {
    const base = await selectBase(tx, { organizationId: scope.organizationId, knowledgeBaseId }, 'update');
    if (base === null) throw notFound('Knowledge base');
    const fields = changedFields(deps, base, body);
    const isFrozen = await hasDocuments(tx, base.id);
    if (isFrozen) requireUnfrozen(base, fields);
    if (fields.credentialId !== base.credential_id) await requireAccount(tx, scope.organizationId, fields);
    await updateBase(tx, base, { fields, forgetsDimension: !isFrozen });
  });
  return describeBase(deps, scope, knowledgeBaseId);
}

/** Deletes a base with its documents. @throws ApiError 404 */
export async function deleteBase(deps: KnowledgeDeps, scope: Scope, knowledgeBaseId: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const base = await selectBase(tx, { organizationId: scope.organizationId, knowledgeBaseId }, 'update');
    if (base === null) throw notFound('Knowledge base');
    await removeBase(tx, base);
  });
}
