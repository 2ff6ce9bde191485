/** What a part of the bench is: a named group of measurements, the rows it prints, and the goals it can judge. */
import type { Bench } from './system.ts';

/** One line of the table. `beside` is what the service is compared with; null where there is nothing of the kind. */
export interface Row {
  readonly workload: string;
  readonly service: string;
  readonly beside: string | null;
  readonly ratio: number | null;
}

export interface Measured {
  readonly rows: readonly Row[];
  /** Values of goals (goals.ts), by name. */
  readonly values: Readonly<Record<string, number>>;
}

export interface Part {
  readonly name: string;
  readonly summary: string;
  /** Its share of the time, relative to the others. */
  readonly weight: number;
  /** Runs only when it is named. */
  readonly isOnDemand?: boolean;
  run(bench: Bench, limits: PartLimits): Promise<Measured>;
}

/** How much a part may do. */
export interface PartLimits {
  readonly quick: boolean;
  /** Streams at once in the part `tokens`. */
  readonly streams: number;
  /** Rows of runs, steps and events in the part `history`. */
  readonly historyRows: number;
  /** Minutes of the part `soak`. */
  readonly soakMinutes: number;
  /** Runs a second of the part `soak`; null: half of the highest rate. */
  readonly soakRate: number | null;
  /** `performance.now()` after which no further round begins. */
  readonly deadline: number;
  /** Says how far the part is; lines that come too fast are left out. */
  tell(line: string): void;
}

/** Rounds of a full or of a quick bench. */
export function roundsOf(limits: PartLimits, full: number, quick: number): number {
  return Math.round(limits.quick ? quick : full);
}
