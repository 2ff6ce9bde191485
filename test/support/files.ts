/** Files as a client uploads them. */
import type { Answer, Tenant } from './api-server.ts';
import { filePart, multipart } from './knowledge.ts';

/** Uploads a file of the organization. */
export const uploadFile = (
  tenant: Pick<Tenant, 'call'>,
  bytes: Uint8Array | string,
  { name = 'a.bin', type = 'application/octet-stream' } = {},
): Promise<Answer> => tenant.call('POST', '/files', multipart([filePart(bytes, name, type)]));
