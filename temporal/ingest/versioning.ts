/** Options of workflows, with their behavior where workers are versioned. */
import { workflowInfo } from '@temporalio/workflow';
import type { VersioningBehavior, WorkflowDefinitionOptions } from '@temporalio/common';

/**
 * Makes the options of a workflow. An unexpected error fails it instead of blocking its task. On workers without versions it declares
 * no behavior: children of a pinned workflow would wait for a version that there is not.
 */
export const declareVersioning = (behavior: VersioningBehavior) => (): WorkflowDefinitionOptions => {
  const isVersioned = (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') !== '';
  return { failureExceptionTypes: [Error], ...(isVersioned ? { versioningBehavior: behavior } : {}) };
};
