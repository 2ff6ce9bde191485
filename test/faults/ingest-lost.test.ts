/** A crash would leave an answered upload unfinished, with doubled chunks, or charged twice (SPEC REL-G13). */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ApiSlot } from '../support/service.ts';
import { eventually, sleep } from '../support/waiting.ts';
import { startSituation, type Situation } from './support/situation.ts';

/** The long campaign takes two hundred; a document costs a process of its own. */
const DOCUMENTS = process.env['FAULT_ROUNDS'] === undefined ? 24 : 200;
const PARAGRAPHS = 6;

let situation: Situation;
beforeAll(async () => {
  situation = await startSituation();
});
afterAll(() => situation.close());
afterEach(() => situation.service.restore());

async function makeBase(): Promise<string> {
  const body = { name: 'Docs', chunking_config: { chunk_size: 50, chunk_overlap: 0 } };
  const { service } = situation;
  return (await service.call(service.apis[0], 'POST', '/knowledge-bases', { body })).body.id;
}

async function upload(api: ApiSlot, base: string, number: number): Promise<string | null> {
  const text = Array.from(
    { length: PARAGRAPHS },
    (_, at) => `Document ${number}, paragraph ${at}. ${'lorem ipsum dolor '.repeat(12)}`,
  ).join('\n\n');
  const form = new FormData();
  form.set('file', new Blob([text]), `${number}.txt`);
  const { headers } = situation.service;
  try {
    const response = await fetch(`${api.url}/knowledge-bases/${base}/documents`, {
      method: 'POST',
      headers,
      body: form,
    });
    const { id } = (await response.json()) as { id: string };
    // 200: the answer to an earlier try was lost, its document is there.
    return [200, 202].includes(response.status) ? id : null;
  } catch {
    return null;
  }
}

/** As a client does that wants its document in: again, until it is answered. */
async function insist(base: string, number: number): Promise<string> {
  const { apis } = situation.service;
  return eventually(`document ${number} to be accepted`, 60_000, async () => {
    const api = apis.find(({ isUp }) => isUp);
    return api === undefined ? null : upload(api, base, number);
  });
}

interface Total {
  readonly status: string;
  readonly documents: number;
}
const statuses = (base: string): Promise<Total[]> =>
  situation.db.query<Total>(
    'SELECT status, count(*) AS documents FROM knowledge_documents WHERE knowledge_base_id = $1 GROUP BY 1',
    [base],
  );

const completed = async (base: string): Promise<number> =>
  (await statuses(base)).find(({ status }) => status === 'completed')?.documents ?? 0;

test(`${DOCUMENTS} documents outlive their workers and their API`, { timeout: 600_000 }, async () => {
  const { db, service } = situation;
  const base = await makeBase();
  const [first, second] = service.workers;
  const accepting = Promise.all(Array.from({ length: DOCUMENTS }, (_, number) => insist(base, number)));
  await sleep(200);
  await service.apis[0].kill();
  const ids = await accepting;
  expect(new Set(ids).size).toBe(DOCUMENTS);
  // Now one, now the other, now both: whatever they had in hand is lost to them.
  for (const share of [0.2, 0.4, 0.6]) {
    await eventually('some documents to be in', 300_000, async () =>
      (await completed(base)) >= DOCUMENTS * share ? true : null,
    );
    await Promise.all(share === 0.4 ? [first.kill(), second.kill()] : [first.kill()]);
    await service.restore();
  }
  await eventually('all documents to be in', 500_000, async () => {
    const all = await statuses(base);
    if (all.some(({ status }) => status === 'failed')) throw new Error(JSON.stringify(all));
    return (await completed(base)) === DOCUMENTS ? true : null;
  });
  const odd = await db.query(
    `SELECT d.id FROM knowledge_documents d LEFT JOIN knowledge_chunks c ON c.document_id = d.id
     WHERE d.knowledge_base_id = $1 GROUP BY d.id
     HAVING count(c.id) <> d.chunks_total OR count(DISTINCT c.position) <> d.chunks_total OR d.chunk_count <> d.chunks_total
       OR count(DISTINCT c.content) <> d.chunks_total`,
    [base],
  );
  expect(odd).toEqual([]);
  const [counts] = await db.query(
    `SELECT b.document_count, b.total_chunks = count(c.id) AS chunks_agree, b.total_tokens = sum(c.token_count) AS tokens_agree,
            (SELECT count(*) FROM knowledge_pieces p JOIN knowledge_documents d ON d.id = p.document_id
             WHERE d.knowledge_base_id = b.id) AS pieces
     FROM knowledge_bases b JOIN knowledge_chunks c ON c.knowledge_base_id = b.id WHERE b.id = $1 GROUP BY b.id`,
    [base],
  );
  expect(counts).toEqual({ document_count: DOCUMENTS, chunks_agree: true, tokens_agree: true, pieces: 0 });
  // The server of the test counts a token for each text: as many are on the bill as there are chunks.
  const [bill] = await db.query<{ tokens: number; chunks: number }>(
    `SELECT (SELECT sum(input_tokens)::int FROM credit_usage WHERE kind = 'embedding') AS tokens,
            (SELECT count(*) FROM knowledge_chunks) AS chunks`,
  );
  expect(bill?.tokens).toBe(bill?.chunks);
});
