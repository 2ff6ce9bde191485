/** Converts values to Temporal payloads; client, worker and bundle must use the same converter. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultPayloadConverter, type DataConverter, type Payload } from '@temporalio/common';
import type { Config } from '../../src/base/config/config.ts';
import { encryptionCodec, sizeGuard } from './payload-codec.ts';

/** The path differs between source (`.cts`) and build (`.cjs`). */
function failureConverterPath(): string {
  const extension = extname(import.meta.url) === '.ts' ? '.cts' : '.cjs';
  return fileURLToPath(new URL(`./failure-converter${extension}`, import.meta.url));
}

/** Builds the data converter: encrypting when there are keys. */
export function dataConverterOptions(config: Pick<Config, 'encryptionKeys'>): DataConverter {
  const [first, ...others] = config.encryptionKeys;
  if (first === undefined) return { payloadCodecs: [sizeGuard] };
  return {
    payloadCodecs: [sizeGuard, encryptionCodec([first, ...others])],
    failureConverterPath: failureConverterPath(),
  };
}

/** Reads payloads that the SDK hands out raw, such as heartbeat details. */
export async function decodePayloads(
  converter: DataConverter,
  payloads: readonly Payload[],
): Promise<unknown[]> {
  let decoded = [...payloads];
  for (const codec of [...(converter.payloadCodecs ?? [])].reverse()) decoded = await codec.decode(decoded);
  return decoded.map((payload) => defaultPayloadConverter.fromPayload(payload));
}
