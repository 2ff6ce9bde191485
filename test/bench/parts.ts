/** The parts of the bench, in their order: `memory` first, for heaps shrink late; `history` last, for it fills the database. */
import type { Part } from './part.ts';
import { accept } from './parts/accept.ts';
import { client } from './parts/client.ts';
import { connections } from './parts/connections.ts';
import { fanOut } from './parts/fan-out.ts';
import { flood } from './parts/flood.ts';
import { growth } from './parts/growth.ts';
import { history } from './parts/history.ts';
import { knowledge } from './parts/knowledge.ts';
import { memory } from './parts/memory.ts';
import { realtime } from './parts/realtime.ts';
import { sequence } from './parts/sequence.ts';
import { throughput } from './parts/throughput.ts';
import { soak } from './parts/soak.ts';
import { tokens } from './parts/tokens.ts';
import { web } from './parts/web.ts';

export const PARTS: readonly Part[] = [
  memory,
  sequence,
  fanOut,
  throughput,
  accept,
  client,
  tokens,
  growth,
  flood,
  realtime,
  web,
  connections,
  knowledge,
  history,
  soak,
];
