/** Versions of a workflow as sides of a comparison: what was deployed, by whom and when; the draft, and who edited it last. */
import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { DeploymentDetail } from '../../client/openapi.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { moment } from '../kit/moment.ts';
import { versionWords } from '../words-versions.ts';
import type { ComparedDefinition } from './definition-comparison.tsx';

export type People = ReadonlyMap<string, string>;

/** Finds the e-mail address of a user; empty while the members are unknown. */
export const findPerson = (userId: string | null, people: People): string =>
  userId === null || people.size === 0 ? '' : (people.get(userId) ?? versionWords.formerMember);

/** Reads what was deployed: it never changes. */
export function useDeployment(workflowId: string, deploymentId: string | null) {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  return useQuery({
    queryKey: [organizationId, 'workflow', workflowId, 'deployment', deploymentId],
    queryFn: () => client.workflows.getDeployment({ workflowId, deploymentId: deploymentId ?? '' }),
    enabled: deploymentId !== null,
    staleTime: 'static',
  });
}

/** Stands for the live version of a workflow that has none. */
const EMPTY: JsonObject = { nodes: [], edges: [] };
const NOT_DEPLOYED: ComparedDefinition = { title: versionWords.neverLive, caption: '', definition: EMPTY };

export const describeDeployment = (
  deployment: DeploymentDetail | undefined,
  people: People,
): ComparedDefinition =>
  deployment === undefined
    ? NOT_DEPLOYED
    : {
        title: versionWords.titled(deployment.version),
        caption: versionWords.deployedAt(
          findPerson(deployment.deployed_by, people),
          moment(deployment.created_at),
        ),
        definition: deployment.workflow_schema as unknown as JsonObject,
      };

interface Draft {
  readonly workflow_schema: object;
  readonly last_edited_by: string | null;
  readonly last_edited_at: string | null;
}

/** Says who edited the draft last; empty while that is unknown. */
export function describeEdit({ last_edited_by: editor, last_edited_at: at }: Draft, people: People): string {
  const person = findPerson(editor, people);
  return at === null || person === '' ? '' : versionWords.editedBy(person, moment(at));
}

export const describeDraft = (draft: Draft, people: People): ComparedDefinition => ({
  title: versionWords.draft,
  caption: describeEdit(draft, people),
  definition: draft.workflow_schema as JsonObject,
});
