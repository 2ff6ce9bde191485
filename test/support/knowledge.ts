/** Knowledge bases as a client fills them: uploads as multipart bodies. */
import type { Answer, Tenant } from './api-server.ts';

export interface Part {
  readonly name?: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

const BOUNDARY = 'a-boundary-of-the-tests';

/** A multipart body by hand: what a client library would refuse to send can be sent, too. */
export function multipart(
  parts: readonly Part[],
  end = `--${BOUNDARY}--\r\n`,
): { readonly raw: Uint8Array<ArrayBuffer>; readonly headers: Record<string, string> } {
  const pieces = parts.flatMap(({ name, value, fileName, type }) => {
    const words = [
      'form-data',
      ...(name === undefined ? [] : [`name="${name}"`]),
      ...(fileName === undefined ? [] : [`filename="${fileName}"`]),
    ];
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: ${words.join('; ')}\r\n${kind}\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  const raw = new Uint8Array(Buffer.concat([...pieces, Buffer.from(end)]));
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } };
}

export const filePart = (value: string | Uint8Array, fileName = 'a.txt', type = 'text/plain'): Part => ({
  name: 'file',
  value,
  fileName,
  type,
});

/** Uploads a file with texts beside it. */
export function upload(
  tenant: Tenant,
  base: string,
  file: Part,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const texts = Object.entries(fields).map(([name, value]) => ({ name, value }));
  return tenant.call('POST', `/knowledge-bases/${base}/documents`, multipart([...texts, file]));
}

export const uploadText = (
  tenant: Tenant,
  base: string,
  text: string,
  metadata: object = {},
  fileName = 'a.txt',
): Promise<Answer> =>
  upload(tenant, base, filePart(text, fileName), { doc_metadata: JSON.stringify(metadata) });

/** Makes a managed base. @returns its id */
export async function makeBase(tenant: Tenant, body: object = {}): Promise<string> {
  const answer = await tenant.call('POST', '/knowledge-bases', { body: { name: 'Docs', ...body } });
  if (answer.status !== 201) throw new Error(`no knowledge base: ${answer.status} ${answer.text}`);
  return answer.body.id;
}
