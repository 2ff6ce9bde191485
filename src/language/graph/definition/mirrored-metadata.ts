/** The metadata fields of a definition that columns of its workflow mirror. */
import type { Json } from '../values/value.ts';

interface MirroredMetadata {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly tags: readonly string[];
}

/** Reads the mirrored fields; those that are missing or of another type are left out. */
export function readMirroredMetadata(
  metadata: Readonly<Record<string, Json | undefined>>,
): Partial<MirroredMetadata> {
  const { name, description, version, tags } = metadata;
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(Array.isArray(tags) ? { tags: tags.filter((tag) => typeof tag === 'string') } : {}),
  };
}
