/** Definitions that a compiler cannot check: from files, editors and other services. */
import type { WorkflowDraft } from './openapi.ts';

/** Takes any object as a draft. The service tells its mistakes, and refuses to deploy or run it while it has any. */
export const toDraft = (definition: object): WorkflowDraft => definition as WorkflowDraft;
