/** Reads how a sender describes a file. */
import { basename } from 'node:path';
import { cutText } from '../../language/graph/values/cut-text.ts';
import { toStorableText } from '../../language/graph/values/storable.ts';
import { shownName } from '../../language/graph/values/shown-name.ts';

const MAX_NAME = 255;
/** RFC 6838, 4.2. */
const MEDIA_TYPE = /^[a-z\d][a-z\d!#$&^_.+-]{0,126}\/[a-z\d][a-z\d!#$&^_.+-]{0,126}$/;

/** Reads a name without folders, of at most 255 characters; `file` where nothing is left of it. */
export function readFileName(given: string): string {
  const plain = cutText(toStorableText(shownName(basename(given.replaceAll('\\', '/')))), MAX_NAME);
  return plain === '' ? 'file' : plain;
}

/** Reads a `Content-Type` without its parameters; `application/octet-stream` for any other text. */
export function readMediaType(given: string): string {
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? type : 'application/octet-stream';
}
