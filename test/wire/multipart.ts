/** Multipart bodies with a fixed boundary. */

const BOUNDARY = 'a-boundary-of-the-corpus';

export interface Part {
  readonly name: string;
  readonly value: string;
  readonly fileName?: string;
}

/** The raw body and its header. */
export function multipart(parts: readonly Part[]): {
  readonly raw: Uint8Array<ArrayBuffer>;
  readonly headers: Record<string, string>;
} {
  const pieces = parts.map(({ name, value, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  const raw = new Uint8Array(Buffer.from(`${pieces.join('')}--${BOUNDARY}--\r\n`));
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } };
}

export const filePart = (value: string, fileName: string): Part => ({ name: 'file', value, fileName });
