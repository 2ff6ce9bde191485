/** The name of a workflow, for the titles of its pages. */
import { useQuery } from '@tanstack/react-query';
import { workflowQuery, type WorkflowRef } from './workflow-query.ts';

/** @returns undefined until it is known */
export const useWorkflowName = (workflow: WorkflowRef): string | undefined =>
  // Its reply has the whole definition: a title does not ask for it again.
  useQuery({ ...workflowQuery(workflow), select: ({ name }) => name, staleTime: Infinity }).data;
