/** Knowledge bases and documents without an API in front: what the engine's tests upload, and what becomes of it. */
import { randomUUID } from 'node:crypto';
import { buildAdmission } from '../../src/platform/billing/admission.ts';
import type { Db } from '../../src/base/db/client.ts';
import type { JsonObject } from '../../src/language/graph/values/value.ts';
import type { Dispatcher } from '../../src/platform/outbox/dispatcher.ts';
import { selectBase } from '../../src/platform/knowledge/bases.ts';
import { acceptDocument, type DocumentRow } from '../../src/platform/knowledge/documents.ts';
import { chunkingConfig } from '../../src/platform/knowledge/api/schema.ts';
import { insertBase } from '../../src/platform/knowledge/api/store.ts';
import type { TestEngine } from './engine.ts';
import { eventually } from './waiting.ts';

const subscription = { plan: 'pro', overrides: {}, isSuspended: false };

/** Makes a managed base. @returns its id */
export async function storedBase(db: Db, organizationId: string): Promise<string> {
  const [user] = await db.query<{ id: string }>(
    `INSERT INTO users (subject, email) VALUES (gen_random_uuid(), 'a@example.test') RETURNING id`,
  );
  const made = await insertBase(
    db,
    { organizationId, userId: user?.id ?? '' },
    {
      name: 'Docs',
      description: '',
      credentialId: null,
      embedding: { provider: 'managed', model: 'test-embedding', dimensions: null },
      chunking: chunkingConfig.parse({ chunk_size: 50 }),
    },
  );
  return made?.id ?? '';
}

/** Accepts a document of this text, as an upload does. */
export async function uploadTo(
  {
    db,
    organizationId,
    dispatcher,
  }: Pick<TestEngine, 'db' | 'organizationId'> & { dispatcher: Pick<Dispatcher, 'kick'> },
  base: string,
  text: string,
  docMetadata: JsonObject = {},
): Promise<DocumentRow> {
  const { document } = await db.transaction(async (tx) => {
    const found = await selectBase(tx, { organizationId, knowledgeBaseId: base }, 'key share');
    if (found === null) throw new Error('there is no base');
    const about = {
      // A document of the same name would be a new version of the earlier one.
      name: `${randomUUID()} a.txt`,
      isNamed: false,
      mimeType: 'text/plain',
      docMetadata,
      chunking: null,
      createdBy: null,
    };
    const upload = { ...about, content: Buffer.from(text) };
    return acceptDocument(tx, { base: found, upload }, () =>
      buildAdmission({ organizationId, subscription }),
    );
  });
  dispatcher.kick();
  return document;
}

/** The document as its row is now. */
export async function documentNow(
  db: Db,
  document: Pick<DocumentRow, 'id'>,
): Promise<DocumentRow | undefined> {
  const rows = await db.query<DocumentRow>('SELECT * FROM knowledge_documents WHERE id = $1', [document.id]);
  return rows[0];
}

/** Waits until a document is completed or failed. */
export const ingested = (db: Db, document: Pick<DocumentRow, 'id'>): Promise<DocumentRow> =>
  eventually('the ingest to end', 40_000, async () => {
    const row = await documentNow(db, document);
    return row?.status === 'completed' || row?.status === 'failed' ? row : null;
  });
