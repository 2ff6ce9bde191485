/** Rows that stay in a list although it no longer has them: somebody has typed in one, or its action was refused. */
import { useState } from 'react';

interface HeldRow<Row> {
  readonly row: Row;
  /** The id of the row above it; null for the first one. */
  readonly above: string | null;
}

interface ShownRow<Row> {
  readonly row: Row;
  /** The list no longer has it. */
  readonly isGone: boolean;
}

/**
 * Holds rows where they stand until they are released, whatever a refresh of the list brings.
 * @param rows of the list as it is now @param readId tells rows apart
 */
export function useHeldRows<Row>(rows: readonly Row[], readId: (row: Row) => string) {
  const [held, setHeld] = useState<ReadonlyMap<string, HeldRow<Row>>>(new Map());
  const listed = rows.map(readId);
  const shown: ShownRow<Row>[] = rows.map((row) => ({ row, isGone: false }));
  for (const [id, { row, above }] of held) {
    if (listed.includes(id)) continue;
    const before = shown.findIndex((one) => readId(one.row) === above);
    shown.splice(before + 1, 0, { row, isGone: true });
  }
  return {
    rows: shown as readonly ShownRow<Row>[],
    hold: (row: Row): void => {
      const id = readId(row);
      const above = listed[listed.indexOf(id) - 1] ?? null;
      setHeld((now) => (now.has(id) ? now : new Map(now).set(id, { row, above })));
    },
    release: (row: Row): void => {
      const id = readId(row);
      setHeld((now) => (now.has(id) ? new Map([...now].filter(([one]) => one !== id)) : now));
    },
  };
}
