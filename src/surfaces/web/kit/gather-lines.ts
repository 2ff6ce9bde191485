/** Gathers many rows as JSON Lines for a file. */

/** Lines that are gathered before the browser takes them: it keeps large blobs outside of the page's memory. */
const LINES_PER_PART = 1_000;

/** Gathers rows in blobs of `LINES_PER_PART` lines, so that the page holds no more of them. */
export async function gatherLines(rows: AsyncIterable<unknown>): Promise<Blob[]> {
  const parts: Blob[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) parts.push(new Blob(lines));
    lines = [];
  };
  for await (const row of rows) {
    lines.push(`${JSON.stringify(row)}\n`);
    if (lines.length === LINES_PER_PART) flush();
  }
  flush();
  return parts;
}
