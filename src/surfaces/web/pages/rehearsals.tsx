/** The rehearsals of a workflow, newest first. */
import { Button, Table } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Drama } from 'lucide-react';
import { DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { useWorkflowName } from '../kit/use-workflow-name.ts';
import { usePeople } from '../people/use-people.ts';
import { useRunChoice } from '../rehearsals/run-choice.tsx';
import { isUnderWay, useRehearsals, useRehearseAndShow } from '../rehearsals/use-rehearsals.ts';
import { findAuthor } from '../runs/find-author.ts';
import { rehearsalWords, summarize, type Rehearsal } from '../words-rehearsals.ts';
import { words } from '../words.ts';
import { UnreadPage } from './unread-page.tsx';

const route = getRouteApi('/workflows/$workflowId/rehearsals');

function describeResult({ status, walked, total, counts }: Rehearsal): string {
  if (isUnderWay(status)) return rehearsalWords.progress(walked, total);
  return status === 'cancelled' ? rehearsalWords.cancelled(walked, total) : summarize(counts);
}

export function RehearsalsPage() {
  const { workflowId } = route.useParams();
  const { client, organizationId } = route.useRouteContext().app;
  const name = useWorkflowName({ client, organizationId, workflowId });
  const people = usePeople(client, organizationId);
  const list = useRehearsals(workflowId);
  const rehearse = useRehearseAndShow(workflowId);
  const choice = useRunChoice(workflowId);
  if (list.isPending) return <Waiting />;
  if (list.data === undefined) return <UnreadPage title={rehearsalWords.title} error={list.error} />;
  const { rehearsals } = list.data;
  const button = (
    <Button
      loading={rehearse.isPending}
      disabled={rehearsals.some(({ status }) => isUnderWay(status))}
      onClick={() => rehearse.begin(choice.runs)}
    >
      {rehearsalWords.rehearse}
    </Button>
  );
  return (
    <Page
      title={name === undefined ? rehearsalWords.title : rehearsalWords.of(name)}
      actions={
        <>
          <TextLink to="/workflows/$workflowId/versions" params={{ workflowId }} size="sm">
            {words.versions}
          </TextLink>
          {rehearsals.length > 0 && button}
        </>
      }
    >
      <Failure error={rehearse.error ?? list.error} />
      {rehearsals.length > 0 && choice.form}
      {rehearsals.length === 0 && (
        <EmptyState
          icon={Drama}
          title={rehearsalWords.noneTitle}
          text={rehearsalWords.noneText}
          action={button}
        />
      )}
      {rehearsals.length > 0 && (
        <DataTable
          heads={[
            rehearsalWords.started,
            rehearsalWords.definition,
            rehearsalWords.by,
            rehearsalWords.result,
          ]}
        >
          {rehearsals.map((rehearsal) => (
            <Table.Tr key={rehearsal.id}>
              <Table.Td>
                <TextLink
                  to="/workflows/$workflowId/rehearsals/$rehearsalId"
                  params={{ workflowId, rehearsalId: rehearsal.id }}
                >
                  {moment(rehearsal.created_at)}
                </TextLink>
              </Table.Td>
              <Table.Td>{rehearsalWords.walkedIn(rehearsal.definition)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {findAuthor(rehearsal.created_by, people)}
              </Table.Td>
              <Table.Td>{describeResult(rehearsal)}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </Page>
  );
}
