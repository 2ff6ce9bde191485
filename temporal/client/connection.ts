/** Connections to the Temporal server: address, TLS, and reconnects. */
import { Connection, type ConnectionLike, type ConnectionOptions, type TLSConfig } from '@temporalio/client';
import { systemClock } from '../../src/base/clock.ts';
import type { Config } from '../../src/base/config/config.ts';

/** No call to Temporal waits longer. Without a deadline one was seen to block for 20 s. */
export const CALL_DEADLINE_MS = 2_000;

function tlsOptions(tls: NonNullable<Config['temporal']['tls']>): TLSConfig {
  return {
    ...(tls.serverName === undefined ? {} : { serverNameOverride: tls.serverName }),
    ...(tls.ca === undefined ? {} : { serverRootCACertificate: Buffer.from(tls.ca) }),
    ...(tls.cert === undefined || tls.key === undefined
      ? {}
      : { clientCertPair: { crt: Buffer.from(tls.cert), key: Buffer.from(tls.key) } }),
  };
}

/** Builds the options that client and worker connections share. */
export function connectionOptions(
  config: Config,
): Pick<ConnectionOptions, 'address'> & { tls?: TLSConfig; apiKey?: string } {
  const { address, tls, apiKey } = config.temporal;
  return {
    address,
    ...(tls === null ? {} : { tls: tlsOptions(tls) }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

/** Opens a connection that connects at the first call and reconnects after a loss, so that processes start without Temporal. */
export function openConnection(config: Config): Connection {
  return Connection.lazy({
    ...connectionOptions(config),
    channelArgs: {
      // gRPC waits up to 2 minutes by default; accepted runs shall start within 5 s after Temporal is back (SPEC REL-R33).
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 1_000,
    },
  });
}

/** Makes a call that fails when Temporal has not answered within the time. */
export function callWithin<T>(
  connection: Pick<ConnectionLike, 'withDeadline'>,
  ms: number,
  call: () => Promise<T>,
): Promise<T> {
  return connection.withDeadline(systemClock.now() + ms, call);
}
