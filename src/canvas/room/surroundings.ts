/** What a room needs of the process that it lives in. */
import type { RoomOptions } from './doors.ts';
import type { OpLog } from './op-log.ts';
import type { RoomPorts } from './ports.ts';
import type { Refusal } from './rejection.ts';

export interface RoomSurroundings {
  readonly ports: RoomPorts;
  readonly options: RoomOptions;
  readonly opLog: OpLog;
  /** Why no operation may be accepted now by any room; null when they may. */
  closedFor(): Refusal | null;
  /** The last member left. */
  onEmpty(): void;
  /** The room has ended by itself; it accepts nothing any more. */
  onQuit(): void;
}
