/** Tells why the API has refused a request. */
import { WorkflowApiError } from '../../client/client.ts';

/** Whether the API has refused with this code (src/base/error-codes.ts). */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof WorkflowApiError && error.code === code;
