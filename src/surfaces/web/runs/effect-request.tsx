/** A request that waits for approval: what will leave, what differs from the last one, and who has changed it. */
import { Code, Stack, Table, Text } from '@mantine/core';
import type { WorkflowClient } from '../../client/client.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { DataTable } from '../kit/data-table.tsx';
import { moment } from '../kit/moment.ts';
import { useOwner } from '../kit/owner.ts';
import { usePeople } from '../people/use-people.ts';
import { approvalWords } from '../words-approval.ts';

const WRAPPED = { overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;

const toText = (value: Json | undefined): string => {
  if (value === undefined) return approvalWords.none;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

const toList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function Differences({ title, rows }: { readonly title: string; readonly rows: readonly Json[] }) {
  const { value, before, after } = approvalWords;
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <DataTable heads={[value, before, after]}>
        {rows.map((row) => {
          const path = toText(ownValue(row, 'path'));
          return (
            <Table.Tr key={path}>
              {[path, toText(ownValue(row, 'before')), toText(ownValue(row, 'after'))].map((text, at) => (
                // The cells of a row never change their order.
                <Table.Td key={at} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {text}
                </Table.Td>
              ))}
            </Table.Tr>
          );
        })}
      </DataTable>
    </div>
  );
}

function Part({ title, value }: { readonly title: string; readonly value: Json }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Code block tabIndex={0} mah={320} style={WRAPPED}>
        {toText(value)}
      </Code>
    </div>
  );
}

const toLines = (headers: JsonObject): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${toText(value)}`)
    .join('\n');

/** The parts of a request: those of HTTP as people know them, those of any other by their names. */
export function RequestParts({ request }: { readonly request: JsonObject }) {
  const { method, url, headers, body, ...others } = request;
  if (method === undefined || url === undefined)
    return <Part title={approvalWords.request} value={request} />;
  return (
    <>
      <Part title={approvalWords.request} value={`${toText(method)} ${toText(url)}`} />
      {isObject(headers) && Object.keys(headers).length > 0 && (
        <Part title={approvalWords.headers} value={toLines(headers)} />
      )}
      {body !== undefined && body !== null && <Part title={approvalWords.body} value={body} />}
      {Object.keys(others).length > 0 && <Part title={approvalWords.request} value={others} />}
    </>
  );
}

interface EffectRequestProps {
  readonly client: WorkflowClient;
  readonly payload: JsonObject;
}

export function EffectRequest({ client, payload }: EffectRequestProps) {
  const people = usePeople(client, useOwner().organizationId);
  const { request = {}, difference = null } = payload;
  const credential = ownValue(payload['credential'], 'name');
  const findName = (change: Json): string => {
    const id = ownValue(change, 'responded_by');
    const email = ownValue(change, 'responded_email');
    if (typeof email === 'string') return email;
    return (typeof id === 'string' ? people.get(id) : undefined) ?? approvalWords.somebody;
  };
  const { rule, tool, description } = payload;
  return (
    <Stack gap="sm">
      {typeof rule === 'string' && <Text size="sm">{approvalWords.byRule(rule)}</Text>}
      {typeof tool === 'string' && (
        <Text size="sm">
          {approvalWords.tool(tool)}
          {typeof description === 'string' && description !== '' && `: ${description}`}
        </Text>
      )}
      {isObject(request) && <RequestParts request={request} />}
      {typeof credential === 'string' && <Text size="sm">{approvalWords.credential(credential)}</Text>}
      {toList(payload['changes']).map((change) => {
        const at = toText(ownValue(change, 'changed_at'));
        const title = approvalWords.changed(findName(change), moment(at));
        return <Differences key={at} title={title} rows={toList(ownValue(change, 'changes'))} />;
      })}
      {toList(difference).length > 0 && (
        <Differences title={approvalWords.difference} rows={toList(difference)} />
      )}
      {/* Earlier calls of a tool are not compared. */}
      {typeof tool !== 'string' && toList(difference).length === 0 && (
        <Text size="sm" c="dimmed">
          {difference === null ? approvalWords.first : approvalWords.same}
        </Text>
      )}
    </Stack>
  );
}
