/** Replays accepted operations in slices, with a turn of the event loop between them: tens of thousands may be unsaved. */
import type { CanvasDocument } from './document.ts';
import type { RoomPorts } from './ports.ts';
import { Replay, type ReplayableOp, type ReplayResult } from './replay.ts';

interface ReplayInput<T> {
  readonly base: CanvasDocument;
  /** Returns the operations; later calls only add some at the end. */
  readonly list: () => readonly T[];
}

/**
 * Replays operations on a document. Others may be accepted between the slices, so the list is read again in each: what is adopted
 * contains all of them.
 * @param adopt takes the result in the turn of the last slice, before anything else can happen
 */
export async function replayInSlices<T extends ReplayableOp, Result>(
  { takeTurn }: Pick<RoomPorts, 'takeTurn'>,
  { base, list }: ReplayInput<T>,
  adopt: (merged: ReplayResult<T>) => Result,
): Promise<Result> {
  const replay = new Replay<T>(base);
  while (!replay.run(list())) await takeTurn();
  return adopt(replay.finish());
}
