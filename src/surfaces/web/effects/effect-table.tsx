/** The rows of the ledger of effects. */
import { Badge, Table, Text } from '@mantine/core';
import type { Reply } from '../../client/operations.ts';
import { EffectTarget, nameAccount, type Names } from '../deploy/effect-line.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { moment } from '../kit/moment.ts';
import { TextLink } from '../kit/text-link.tsx';
import { findAuthor } from '../runs/find-author.ts';
import { effectWords } from '../words-effects.ts';
import { words } from '../words.ts';

type Effect = Reply<'listEffects'>['effects'][number];

const COLORS: Readonly<Record<Effect['outcome'], string>> = {
  done: 'green',
  refused: 'red',
  not_sent: 'gray',
  unknown: 'orange',
  settled: 'blue',
  given_up: 'gray',
};

function Outcome({ effect: { outcome, error_code: code, door, attempt } }: { readonly effect: Effect }) {
  const count = door === 'message' ? effectWords.message(attempt) : effectWords.attempt(attempt);
  const more = [...(code === null ? [] : [code]), ...(attempt > 1 ? [count] : [])];
  return (
    <>
      <Badge
        variant="dot"
        color={COLORS[outcome]}
        miw="max-content"
        tt="none"
        title={effectWords.outcomesWhy[outcome]}
      >
        {effectWords.outcomes[outcome]}
      </Badge>
      {more.length > 0 && (
        <Text size="xs" c="dimmed">
          {more.join(' · ')}
        </Text>
      )}
    </>
  );
}

function NodeLink({ effect }: { readonly effect: Effect }) {
  const { workflow_id: workflowId, node_id: node, node_name: name, run_pk: run } = effect;
  if (workflowId === null) return <Text size="sm">{name}</Text>;
  return (
    <TextLink to="/workflows/$workflowId" params={{ workflowId }} search={{ node, run }} size="sm">
      {name}
    </TextLink>
  );
}

interface EffectTableProps {
  readonly rows: readonly Effect[];
  /** Names of credentials by their ids. */
  readonly names: Names;
  /** E-mail addresses by user_id. */
  readonly people: ReadonlyMap<string, string>;
}

export const EffectTable = ({ rows, names, people }: EffectTableProps) => (
  <DataTable
    heads={[
      words.when,
      effectWords.what,
      effectWords.outcome,
      effectWords.account,
      effectWords.run,
      effectWords.node,
      effectWords.by,
    ]}
  >
    {rows.map((effect) => (
      <Table.Tr key={effect.id}>
        <Table.Td>{moment(effect.created_at)}</Table.Td>
        <Table.Td>
          <EffectTarget row={effect} names={names} />
        </Table.Td>
        <Table.Td>
          <Outcome effect={effect} />
        </Table.Td>
        <Table.Td>{nameAccount(effect, names)}</Table.Td>
        <Table.Td>
          <TextLink to="/runs/$runPk" params={{ runPk: effect.run_pk }} size="sm">
            {effect.workflow_name}
          </TextLink>
        </Table.Td>
        <Table.Td>
          <NodeLink effect={effect} />
        </Table.Td>
        <Table.Td>{findAuthor(effect.created_by, people)}</Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
);
