/** A wire that can be cut: TCP on loopback, passed on, held back without a word, or refused. */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export type Wire = 'open' | 'silent' | 'refused';

export interface TcpProxy {
  readonly port: number;
  /** `silent`: connections stay and say nothing more. `refused`: they are reset, and new ones, too. */
  become(wire: Wire): void;
  close(): Promise<void>;
}

/** @param target where connections lead */
export async function startTcpProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let wire: Wire = 'open';
  const server = createServer((near) => {
    if (wire === 'refused') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target.port, target.host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      // What comes in silence is lost: a connection that has missed a word is good for nothing afterwards.
      from.on('data', (chunk) => {
        if (wire === 'open') to.write(chunk);
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    become(next) {
      wire = next;
      if (next === 'refused') for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
