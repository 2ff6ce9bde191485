/** One rehearsal, at an address of its own: what was rehearsed, and what it found. */
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { moment } from '../kit/moment.ts';
import { Page, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { useWorkflowName } from '../kit/use-workflow-name.ts';
import { usePeople } from '../people/use-people.ts';
import { RehearsalResult } from '../rehearsals/rehearsal-result.tsx';
import { useRehearsal } from '../rehearsals/use-rehearsals.ts';
import { findAuthor } from '../runs/find-author.ts';
import { rehearsalWords } from '../words-rehearsals.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';

const route = getRouteApi('/workflows/$workflowId/rehearsals/$rehearsalId');

export function RehearsalPage() {
  const { workflowId, rehearsalId } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const name = useWorkflowName({ client, organizationId, workflowId });
  const people = usePeople(client, organizationId);
  const { data, error, isPending } = useRehearsal(rehearsalId);
  if (isPending) return <Waiting />;
  if (data === undefined) return <UnreadPage title={rehearsalWords.title} error={error} />;
  const author = findAuthor(data.created_by, people);
  return (
    <Page
      title={name === undefined ? rehearsalWords.section : rehearsalWords.one(name)}
      actions={
        <>
          <TextLink to="/workflows/$workflowId/rehearsals" params={{ workflowId }} size="sm">
            {rehearsalWords.all}
          </TextLink>
          <TextLink to="/workflows/$workflowId/versions" params={{ workflowId }} size="sm">
            {words.versions}
          </TextLink>
        </>
      }
    >
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[rehearsalWords.walkedIn(data.definition), moment(data.created_at), author]
          .filter((part) => part !== '')
          .join(' · ')}
      </Text>
      <RehearsalResult rehearsal={data} />
    </Page>
  );
}
