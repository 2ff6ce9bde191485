/** The parts of the bench, in the order in which they run: `history` last, because it fills the database. */
import type { Part } from './part.ts';
import { fanOut } from './parts/fan-out.ts';
import { sequence } from './parts/sequence.ts';
import { throughput } from './parts/throughput.ts';

export const PARTS: readonly Part[] = [sequence, fanOut, throughput];
