/** Tells a Temporal that cannot serve from a call that it refuses. */
import { TemporalUnavailable } from '../../src/base/errors.ts';
import { GRPC, readGrpcMessage, readGrpcStatus } from './grpc-status.ts';

/** Statuses of a server that cannot serve, whatever the call. An expired API key is PERMISSION_DENIED. */
const OUTAGES: readonly (number | null)[] = [
  GRPC.CANCELLED,
  GRPC.UNKNOWN,
  GRPC.DEADLINE_EXCEEDED,
  GRPC.PERMISSION_DENIED,
  GRPC.RESOURCE_EXHAUSTED,
  GRPC.ABORTED,
  GRPC.INTERNAL,
  GRPC.UNAVAILABLE,
  GRPC.UNAUTHENTICATED,
];

/** Converts an error of an unavailable server to TemporalUnavailable; returns any other error unchanged. */
export function toUnavailable(error: unknown): unknown {
  if (!OUTAGES.includes(readGrpcStatus(error))) return error;
  return new TemporalUnavailable(`Temporal is unavailable: ${readGrpcMessage(error)}`, { cause: error });
}
