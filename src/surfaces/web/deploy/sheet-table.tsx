/** All effects of a version: what, with which account, from which nodes, and what a crash does to it. */
import { Alert, List, Stack, Table, Text } from '@mantine/core';
import type { Sheet, SheetRow } from '../../client/compare-sheets.ts';
import { DataTable } from '../kit/data-table.tsx';
import { sheetWords } from '../words-sheet.ts';
import { EffectTarget, nameAccount, type Names } from './effect-line.tsx';

/** The strictest sentence that holds: tokens of a run, or else of a call, and calls. */
function ModelLimits({ limits }: { readonly limits: NonNullable<SheetRow['model_limits']> }) {
  const {
    max_output_tokens_per_run: perRun,
    max_output_tokens_per_call: perCall,
    max_calls_per_run: calls,
    max_input_tokens_per_call: input,
    max_credits_per_call: credits,
  } = limits;
  const said = [
    ...(perRun === null ? [] : [sheetWords.perRun(perRun.toLocaleString())]),
    ...(perRun !== null || perCall === null ? [] : [sheetWords.perCall(perCall.toLocaleString())]),
    ...(perRun !== null || calls === null ? [] : [sheetWords.calls(calls.toLocaleString())]),
    ...(input === null ? [] : [sheetWords.inputPerCall(input.toLocaleString())]),
    ...(credits === null
      ? []
      : [credits === 0 ? sheetWords.ownAccount : sheetWords.creditsPerCall(credits.toLocaleString())]),
  ];
  return said.length === 0 ? null : (
    <Text span size="xs" c="dimmed" display="block">
      {said.join(', ')}
    </Text>
  );
}

/** Shows nothing without any. */
export function TrustedValues({
  trusted,
}: {
  readonly trusted: readonly NonNullable<Sheet['trusted_values']>[number][];
}) {
  if (trusted.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {sheetWords.trusted}
      </Text>
      <List size="sm" aria-label={sheetWords.trusted} style={{ overflowWrap: 'anywhere' }}>
        {trusted.map(({ node, value, reason }) => (
          <List.Item key={JSON.stringify([node, value, reason])}>
            {sheetWords.trusts(value, node, reason)}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

export function SheetTable({ sheet, names }: { readonly sheet: Sheet; readonly names: Names }) {
  const { what, account, nodes, repeats } = sheetWords;
  return (
    <Stack gap="sm">
      {!sheet.is_complete && (
        <Alert color="orange" role="status">
          {sheetWords.incomplete}
        </Alert>
      )}
      {sheet.rows.length === 0 ? (
        <Text c="dimmed">{sheetWords.none}</Text>
      ) : (
        <DataTable heads={[what, account, nodes, repeats]}>
          {sheet.rows.map((row) => (
            <Table.Tr
              key={JSON.stringify([
                row.door,
                row.target,
                row.effect,
                row.credential_id,
                row.refused_by,
                row.asked_by,
              ])}
            >
              <Table.Td>
                <EffectTarget row={row} names={names} />
                {row.model_limits !== undefined && <ModelLimits limits={row.model_limits} />}
                {row.refused_by !== null && (
                  <Text span inherit c="red" display="block">
                    {sheetWords.refusedBy(row.refused_by)}
                  </Text>
                )}
                {(row.asked_by ?? null) !== null && (
                  <Text span inherit c="orange" display="block">
                    {sheetWords.asksFirst(row.asked_by ?? '')}
                  </Text>
                )}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'break-word' }}>
                {nameAccount(row, names) ?? sheetWords.noAccount}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'break-word' }}>{row.nodes.join(', ')}</Table.Td>
              <Table.Td>{sheetWords.classes[row.effect]}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
      <TrustedValues trusted={sheet.trusted_values ?? []} />
    </Stack>
  );
}
