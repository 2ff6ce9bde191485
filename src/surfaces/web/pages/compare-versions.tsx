/** Any two versions of a workflow, or one and the draft, side by side; the pair stands in the address. */
import { Select, SimpleGrid, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { describeDeployment, describeDraft, useDeployment } from '../diff/compared-versions.ts';
import { DefinitionComparison, type ComparedDefinition } from '../diff/definition-comparison.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { usePeople } from '../people/use-people.ts';
import { versionWords } from '../words-versions.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';
import { useVersions } from './use-versions.ts';

const route = getRouteApi('/workflows/$workflowId/compare');
/** In the address, beside the ids of deployments. */
const DRAFT = 'draft';

export function CompareVersionsPage() {
  const { workflowId } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const people = usePeople(client, organizationId);
  const { draft, list } = useVersions(workflowId);
  const versions = list.data ?? [];
  const chosen = {
    from: search.from ?? draft.data?.live_deployment_id ?? versions[0]?.id ?? DRAFT,
    to: search.to ?? DRAFT,
  };
  const ids = [chosen.from, chosen.to].map((id) => (id === DRAFT ? null : id));
  const deployments = [useDeployment(workflowId, ids[0] ?? null), useDeployment(workflowId, ids[1] ?? null)];
  if (draft.data === undefined || list.data === undefined)
    return draft.isError || list.isError ? (
      <UnreadPage title={words.versions} error={draft.error ?? list.error} />
    ) : (
      <Waiting />
    );
  const workflow = draft.data;
  const sides = deployments.flatMap(({ data }, side): ComparedDefinition[] => {
    if (ids[side] === null) return [describeDraft(workflow, people)];
    return data === undefined ? [] : [describeDeployment(data, people)];
  });
  const [before, after] = sides;
  const options = [
    { value: DRAFT, label: versionWords.draft },
    ...versions.map(({ id, version, deployment_note: note }) => ({
      value: id,
      label: [versionWords.titled(version), note].filter((text) => text !== null && text !== '').join(' · '),
    })),
  ];
  const pick = (side: 'from' | 'to') => (id: string | null) => {
    if (id !== null) void navigate({ search: { ...chosen, [side]: id }, replace: true });
  };
  return (
    <Page
      title={versionWords.compare(workflow.name)}
      actions={
        <>
          <TextLink to="/workflows/$workflowId/versions" params={{ workflowId }} size="sm">
            {words.versions}
          </TextLink>
          {chosen.to === DRAFT && chosen.from !== DRAFT && (
            <TextLink
              to="/workflows/$workflowId"
              params={{ workflowId }}
              search={{ restore: chosen.from }}
              size="sm"
              title={versionWords.restoreWhy}
            >
              {versionWords.restore}
            </TextLink>
          )}
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {(['from', 'to'] as const).map((side) => (
          <Select
            key={side}
            label={versionWords[side]}
            data={options}
            value={chosen[side]}
            allowDeselect={false}
            onChange={pick(side)}
          />
        ))}
      </SimpleGrid>
      {deployments.map(({ error }, side) => (
        // Two fixed sides.
        <Failure key={side} error={error} />
      ))}
      {chosen.from === chosen.to && <Text c="dimmed">{versionWords.sameVersion}</Text>}
      {chosen.from !== chosen.to && before !== undefined && after !== undefined && (
        <DefinitionComparison key={`${chosen.from} ${chosen.to}`} before={before} after={after} />
      )}
    </Page>
  );
}
