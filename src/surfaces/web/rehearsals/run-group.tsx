/** Runs with the same differences: a row that opens to the differences, the node that made them first, and links to the runs. */
import { Badge, Box, Group, List, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { LoadMore } from '../kit/load-more.tsx';
import { moment } from '../kit/moment.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { rehearsalWords } from '../words-rehearsals.ts';
import { DifferenceList } from './difference-list.tsx';
import type { RehearsalWithGroups } from './rehearsal-result.tsx';
import { useGroupRuns, type NodeNames } from './use-rehearsals.ts';

export type FoundGroup = RehearsalWithGroups['groups'][number];

const COLORS: Readonly<Record<FoundGroup['verdict'], string>> = {
  fails: 'red',
  sends_other: 'orange',
  new_effect: 'orange',
  branches: 'blue',
  other_output: 'blue',
  cannot_tell: 'gray',
  same: 'green',
};

/** Says where the runs of a group differ: the node of the first difference, and the one that made it. */
function describePlace({ differences, first_change: change }: FoundGroup, names: NodeNames): string {
  const [first] = differences;
  const nodeId = first?.node_id ?? null;
  return [
    ...(nodeId === null ? [] : [rehearsalWords.at(names(nodeId))]),
    ...(change === null || change.node_id === nodeId ? [] : [rehearsalWords.because(names(change.node_id))]),
  ].join(', ');
}

function Runs({ rehearsalId, group }: { readonly rehearsalId: string; readonly group: FoundGroup }) {
  const list = useGroupRuns(rehearsalId, group.group);
  const runs = list.data?.pages.flatMap((page) => page.runs) ?? [];
  return (
    <Stack gap={4} role="group" aria-label={rehearsalWords.runs}>
      <Text size="sm" fw={600}>
        {rehearsalWords.runs}
      </Text>
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      <List listStyleType="none" size="sm">
        {runs.map(({ run_pk: runPk, created_at: at }) => (
          <List.Item key={runPk}>
            <TextLink to="/runs/$runPk" params={{ runPk }} size="sm">
              {rehearsalWords.runAt(moment(at))}
            </TextLink>
          </List.Item>
        ))}
      </List>
      <LoadMore list={list} />
    </Stack>
  );
}

interface RunGroupProps {
  readonly rehearsalId: string;
  readonly group: FoundGroup;
  readonly names: NodeNames;
}

export function RunGroup({ rehearsalId, group, names }: RunGroupProps) {
  const [isOpen, setOpen] = useState(false);
  const body = useId();
  const { verdict, doubt, runs } = group;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const place = describePlace(group, names);
  return (
    <Paper withBorder role="listitem">
      <UnstyledButton
        w="100%"
        p="sm"
        mih={44}
        aria-expanded={isOpen}
        aria-controls={body}
        onClick={() => setOpen(!isOpen)}
      >
        <Group gap="xs" wrap="nowrap" align="start">
          <Box component={Chevron} size={18} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
          <Text span size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
            <b>{rehearsalWords.group(verdict, runs)}</b>
            {place !== '' && ` ${place}`}
          </Text>
          <Badge variant="dot" color={COLORS[verdict]} miw="max-content" tt="none">
            {rehearsalWords.verdicts[verdict]}
          </Badge>
        </Group>
      </UnstyledButton>
      <div id={body}>
        {isOpen && (
          <Stack gap="md" p="sm" pt={0}>
            {doubt !== null && <Text size="sm">{rehearsalWords.doubts[doubt] ?? doubt}</Text>}
            <DifferenceList found={group} names={names} />
            <Runs rehearsalId={rehearsalId} group={group} />
          </Stack>
        )}
      </div>
    </Paper>
  );
}
