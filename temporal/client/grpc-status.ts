/** The statuses of gRPC in which Temporal refuses a call (https://grpc.io/docs/guides/status-codes/). */
import { isGrpcServiceError, ServiceError } from '@temporalio/client';

export const GRPC = {
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

/** The error of gRPC: the SDK wraps that of a call on a workflow, and passes on that of any other. */
const unwrap = (error: unknown): unknown => (error instanceof ServiceError ? error.cause : error);

/** Reads the status of a failed call; null when the error is none of gRPC. */
export function readGrpcStatus(error: unknown): number | null {
  const cause = unwrap(error);
  return isGrpcServiceError(cause) ? cause.code : null;
}

/** Reads what the server says of a failed call. */
export function readGrpcMessage(error: unknown): string {
  const cause = unwrap(error) ?? error;
  return cause instanceof Error ? cause.message : String(cause);
}
