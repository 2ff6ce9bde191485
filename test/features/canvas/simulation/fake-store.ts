/**
 * An in-memory `RoomStore` (compare-and-set, fence, log) with database faults: slow answers, failures before the commit, and
 * lost answers after it.
 */
import type { JsonObject } from '../../../../src/language/graph/values/value.ts';
import type { PatchOperation } from '../../../../src/language/graph/definition/patch.ts';
import type {
  ExternalEntry,
  ExternalSource,
  ExternalState,
  LoadResult,
  MirroredColumns,
  RememberedOp,
  RoomKey,
  RoomStore,
  SaveRequest,
  SaveResult,
  SavedRange,
  WalRow,
} from '../../../../src/features/canvas/room/ports.ts';
import type { Chance, VirtualClock } from './virtual-clock.ts';

export interface HistoryEntry extends ExternalEntry {
  readonly patches: readonly PatchOperation[];
  /** The document after it. */
  readonly document: string;
  readonly isOurs: boolean;
}

export interface Row {
  readonly organizationId: string;
  readonly initial: string;
  document: string;
  editVersion: number;
  mirrors: MirroredColumns;
  readonly history: HistoryEntry[];
  epoch: bigint;
  wal: WalRow[];
}

export interface Faults {
  /** Probability that an answer is an error, half of them before the work is done and half after; 2 is always. */
  error: number;
  /** Longest time that an answer takes. */
  slowMs: number;
}

const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;

export class FakeStore implements RoomStore {
  readonly rows = new Map<string, Row>();
  faults: Faults = { error: 0, slowMs: 20 };
  saves = 0;
  loads = 0;
  readonly #clock: VirtualClock;
  readonly #chance: Chance;

  constructor(clock: VirtualClock, chance: Chance) {
    this.#clock = clock;
    this.#chance = chance;
  }

  create(workflowId: string, organizationId: string, document: JsonObject, editVersion = 0): Row {
    const text = JSON.stringify(document);
    const row: Row = {
      organizationId,
      initial: text,
      document: text,
      editVersion,
      mirrors: {},
      history: [],
      epoch: 0n,
      wal: [],
    };
    this.rows.set(workflowId, row);
    return row;
  }

  /** Half of the time passes before the work, half after; each half may end in an error. */
  async #answer<T>(work: () => T): Promise<T> {
    await this.#clock.wait(this.#chance.between(0.5, this.faults.slowMs / 2));
    if (this.#chance.happens(this.faults.error / 2)) throw new Error('connection refused');
    const result = work();
    await this.#clock.wait(this.#chance.between(0.5, this.faults.slowMs / 2));
    if (this.#chance.happens(this.faults.error / 2)) throw new Error('connection lost');
    return result;
  }

  #row({ workflowId, organizationId }: RoomKey): Row | null {
    const row = this.rows.get(workflowId);
    return row?.organizationId === organizationId ? row : null;
  }

  load(key: RoomKey): Promise<LoadResult> {
    return this.#answer(() => {
      const row = this.#row(key);
      if (row === null) return { outcome: 'not-found' };
      this.loads += 1;
      row.epoch += 1n;
      return {
        outcome: 'loaded',
        epoch: row.epoch,
        editVersion: row.editVersion,
        document: parse(row.document),
        unsaved: row.wal.filter((op) => op.savedIn === null).toSorted(byPlace),
        remembered: row.wal.flatMap(({ opId, contentHash, version, savedIn }): RememberedOp[] =>
          savedIn === null ? [] : [{ opId, contentHash, version, savedIn }],
        ),
      };
    });
  }

  save(request: SaveRequest): Promise<SaveResult> {
    this.saves += 1;
    return this.#answer(() => this.#save(request));
  }

  #save(request: SaveRequest): SaveResult {
    const row = this.#row(request);
    if (row === null) return { outcome: 'row-gone' };
    if (row.epoch !== request.epoch) return { outcome: 'lease-lost' };
    if (row.editVersion !== request.baseEditVersion) {
      return { outcome: 'external', ...this.#since(row, request.baseEditVersion) };
    }
    row.editVersion += 1;
    row.document = request.documentJson;
    row.mirrors = { ...row.mirrors, ...request.mirrors };
    row.history.push({
      historyId: request.historyId,
      editVersion: row.editVersion,
      userId: request.userId,
      source: 'unknown',
      patches: JSON.parse(JSON.stringify(request.patches)) as PatchOperation[],
      document: row.document,
      isOurs: true,
    });
    this.#settle(row, request.epoch, request.savedThrough, row.editVersion);
    return { outcome: 'saved', editVersion: row.editVersion };
  }

  #settle(row: Row, epoch: bigint, through: number, savedIn: number): void {
    row.wal = row.wal.map((op) =>
      op.savedIn === null && (op.epoch < epoch || (op.epoch === epoch && op.version <= through))
        ? { ...op, savedIn }
        : op,
    );
  }

  markOpsSaved(key: RoomKey, { epoch, through, savedIn }: SavedRange): Promise<void> {
    return this.#answer(() => {
      const row = this.#row(key);
      if (row?.epoch === epoch) this.#settle(row, epoch, through, savedIn);
    });
  }

  appendOps(rows: readonly WalRow[]): Promise<void> {
    return this.#answer(() => {
      for (const op of rows) {
        const row = this.#row(op);
        const isKnown = row?.wal.some((other) => other.epoch === op.epoch && other.version === op.version);
        if (row?.epoch === op.epoch && isKnown === false)
          row.wal.push(JSON.parse(bare(op), revive) as WalRow);
      }
    });
  }

  #since(row: Row, editVersion: number): ExternalState {
    const entries = row.history.filter((entry) => entry.editVersion > editVersion);
    return { editVersion: row.editVersion, document: parse(row.document), entries };
  }

  readExternal(key: RoomKey, sinceEditVersion: number): Promise<ExternalState | null> {
    return this.#answer(() => {
      const row = this.#row(key);
      return row === null ? null : this.#since(row, sinceEditVersion);
    });
  }

  release(): Promise<void> {
    return this.#answer(() => undefined);
  }

  /** Somebody else saves. @returns the new edit_version */
  writeExternally(
    workflowId: string,
    source: ExternalSource,
    change: (document: JsonObject) => readonly PatchOperation[],
  ): number {
    const row = this.rows.get(workflowId);
    if (row === undefined) throw new Error('no such workflow');
    const document = parse(row.document);
    const patches = change(document);
    row.document = JSON.stringify(document);
    row.editVersion += 1;
    const historyId = this.#clock.newId();
    const { editVersion } = row;
    const entry = { historyId, editVersion, userId: 'outside', source, patches, document: row.document };
    row.history.push({ ...entry, isOurs: false });
    return editVersion;
  }
}

const byPlace = (a: WalRow, b: WalRow): number =>
  a.epoch === b.epoch ? a.version - b.version : a.epoch < b.epoch ? -1 : 1;

/** As a column of JSON keeps it: a copy, and keys in an order of its own. */
const bare = (op: WalRow): string =>
  JSON.stringify(op, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toReversed());
  });
const revive = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'bigint' in value ? BigInt(String(value.bigint)) : value;
