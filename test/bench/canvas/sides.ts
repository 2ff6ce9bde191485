/** The two sides of the part `realtime`: the built realtime server and bare Socket.io, each a process of its own. */
import { findAnyPort } from '../../../src/processes/local/ports.ts';
import { waitUntilHealthy } from '../../../src/processes/local/services.ts';
import { HEALTH_KEY } from '../server-metrics.ts';
import { nodeFlags, type Bench } from '../system.ts';
import type { CanvasSide } from './load.ts';

export interface Sides {
  readonly service: CanvasSide;
  readonly bare: CanvasSide;
  stop(): Promise<void>;
}

export async function startSides(bench: Bench): Promise<Sides> {
  const [port, barePort] = [await findAnyPort(), await findAnyPort()];
  const built = [...nodeFlags(), '--enable-source-maps', 'dist/src/processes/serve-realtime.js'];
  const [service, bare] = await Promise.all([
    bench.launch('realtime', built, { REALTIME_PORT: String(port), HEALTH_API_KEY: HEALTH_KEY }),
    bench.launch('peer-sockets', ['--import', 'tsx', 'test/bench/peer/sockets.ts'], {
      PORT: String(barePort),
    }),
  ]);
  const at = (number: number): string => `http://127.0.0.1:${number}`;
  await Promise.all([
    waitUntilHealthy(service, `${at(port)}/health`),
    waitUntilHealthy(bare, `${at(barePort)}/`),
  ]);
  return {
    service: {
      url: at(port),
      pid: service.pid,
      async auth(user) {
        const { headers, organizationId } = await bench.tenant(user);
        return { token: headers['authorization'], organizationId };
      },
    },
    bare: { url: at(barePort), pid: bare.pid, auth: async () => ({}) },
    async stop() {
      await Promise.all([service.stop(), bare.stop()]);
    },
  };
}

export interface CanvasShape {
  readonly nodes: number;
  /** Characters of text in each node. */
  readonly text?: number;
}

/** A workflow of the user of this number; its nodes are n0, n1, ... */
export async function canvasOf(
  bench: Bench,
  user: number,
  { nodes, text = 0 }: CanvasShape,
): Promise<string> {
  const tenant = await bench.tenant(user);
  const made = await tenant.post('/workflows', {
    name: 'canvas',
    workflow_schema: {
      nodes: Array.from({ length: nodes }, (_, seat) => ({
        id: `n${seat}`,
        type: 'transformer',
        position: { x: 0, y: 0 },
        ...(text === 0
          ? {}
          : { config: { text: 'lorem ipsum '.repeat(Math.ceil(text / 12)).slice(0, text) } }),
      })),
      edges: [],
    },
  });
  return String(made['id']);
}
