/** Everything that the service leaves behind, as text: what a sweep for secrets reads. */
import { Client, Connection } from '@temporalio/client';
import type { Db } from '../../../src/base/db/client.ts';
import { parseEncryptionKeys } from '../../../src/base/config/variable-kinds.ts';
import { encryptionCodec } from '../../../temporal/codec/payload-codec.ts';
import { payloadsIn } from '../../support/histories.ts';

/** Every row of every table, as PostgreSQL writes it: bytes are hexadecimal. */
export async function rowsOf(db: Db): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`);
      return `${name}\n${rows.map(({ row }) => row).join('\n')}`;
    }),
  );
  return texts.join('\n');
}

/** The histories of a task queue: as Temporal has them, and with their payloads opened. */
export async function historiesOf(
  address: string,
  taskQueue: string,
  encryptionKeys: string,
): Promise<{ readonly closed: string; readonly opened: string }> {
  const [first, ...others] = parseEncryptionKeys(encryptionKeys) ?? [];
  if (first === undefined) throw new Error('the payloads are meant to be encrypted');
  const codec = encryptionCodec([first, ...others]);
  const connection = await Connection.connect({ address });
  try {
    // Lists decode memos; histories come as they are.
    const client = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
    const closed: string[] = [];
    const opened: string[] = [];
    for await (const execution of client.workflow.list({ query: `TaskQueue = "${taskQueue}"` })) {
      const handle = client.workflow.getHandle(execution.workflowId, execution.runId);
      const history = await handle.fetchHistory();
      const payloads = payloadsIn(history);
      closed.push(
        JSON.stringify(history),
        ...payloads.map(({ data }) => Buffer.from(data ?? []).toString('utf8')),
      );
      const sealed = payloads.filter(({ metadata }) => metadata?.['encryption-key-id'] !== undefined);
      for (const { data } of await codec.decode(sealed))
        opened.push(Buffer.from(data ?? []).toString('utf8'));
    }
    return { closed: closed.join('\n'), opened: opened.join('\n') };
  } finally {
    await connection.close();
  }
}

/** A secret as it may be written: plain, in JSON, in an address, in base64 at any offset, as hexadecimal. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // At each offset, without the characters that depend on the neighbours.
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    ...base64,
    ...url,
  ];
}

/** @returns `secret in place` for each that is found, by name */
export function leaks(
  secrets: Readonly<Record<string, string>>,
  places: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(places)
      .filter(([, text]) => spellings(secret).some((spelling) => text.includes(spelling)))
      .map(([place]) => `${name} in ${place}`),
  );
}
