/** Saves texts and bytes as files of the browser. */
import { gatherLines } from './gather-lines.ts';

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

const saveParts = (name: string, parts: readonly BlobPart[], type: string): void =>
  saveBlob(name, new Blob([...parts], { type }));

export const saveFile = (name: string, text: string, type = 'application/json'): void =>
  saveParts(name, [text], type);

/** Saves rows as JSON Lines. */
export async function saveLines(name: string, rows: AsyncIterable<unknown>): Promise<void> {
  saveParts(name, await gatherLines(rows), 'application/jsonl');
}
