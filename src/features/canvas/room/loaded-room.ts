/** The beginning of a room: the loaded definition, with the logged operations that no save contains applied again. */
import { readDocument } from './document.ts';
import type { LoadResult, RoomPorts } from './ports.ts';
import type { ReplayResult } from './replay.ts';
import { replayInSlices } from './sliced-replay.ts';

type Loaded = Extract<LoadResult, { outcome: 'loaded' }>;

export interface LoadedRoom {
  readonly loaded: Loaded;
  readonly replayed: ReplayResult<Loaded['unsaved'][number]>;
}

/** Replays the unsaved operations of a loaded room. */
export async function replayLoaded(ports: RoomPorts, loaded: Loaded): Promise<LoadedRoom> {
  const input = { base: readDocument(loaded.document), list: () => loaded.unsaved };
  return replayInSlices(ports, input, (replayed) => ({ loaded, replayed }));
}
