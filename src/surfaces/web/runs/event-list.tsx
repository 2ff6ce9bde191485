/** The frames of a run's stream as they were sent, the newest last. */
import { Code, Table, Text } from '@mantine/core';
import { DataTable } from '../kit/data-table.tsx';
import { nameZone } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { runWords } from '../words-runs.ts';
import type { StreamState } from './run-stream.ts';

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

export function EventList({ stream }: { readonly stream: StreamState | null }) {
  if (stream === null) return <Waiting />;
  const { events, older, end } = stream;
  const [first] = events;
  if (events.length === 0 && end === null) return <Waiting />;
  return (
    <>
      <Failure error={end instanceof Error ? end : null} />
      {events.length === 0 && end === 'over' && <Text c="dimmed">{runWords.noEvents}</Text>}
      {older > 0 && <Text c="dimmed">{runWords.olderEvents(older)}</Text>}
      {first !== undefined && (
        <DataTable
          heads={[
            runWords.seq,
            runWords.time(nameZone(first.timestamp)),
            runWords.event,
            runWords.node,
            runWords.data,
          ]}
        >
          {events.map((event, index) => (
            <Table.Tr key={'seq' in event ? event.seq : `${event.type} ${index}`}>
              <Table.Td>{'seq' in event ? event.seq : ''}</Table.Td>
              <Table.Td>{TIME.format(new Date(event.timestamp))}</Table.Td>
              <Table.Td>{event.type}</Table.Td>
              <Table.Td>{'node_id' in event ? event.node_id : ''}</Table.Td>
              <Table.Td>
                <details>
                  <summary>{runWords.data}</summary>
                  <Code block style={{ whiteSpace: 'pre-wrap' }}>
                    {JSON.stringify(event, null, 2)}
                  </Code>
                </details>
              </Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </>
  );
}
