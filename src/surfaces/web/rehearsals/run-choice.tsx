/** The runs that are rehearsed: the newest ones, or those of a status, a time, a version, or named by their ids. */
import { Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { readAll } from '../kit/read-all.ts';
import { choiceWords } from '../words-rehearsals.ts';
import type { RunSelection } from './use-rehearsals.ts';

/** Runs of one rehearsal (`last` of the API). */
const MAX_RUNS = 500;
const USUAL_RUNS = 200;
const RUN_PK = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

interface Chosen {
  readonly last: number;
  readonly status: 'succeeded' | 'failed' | null;
  /** Local times of the controls; empty: any. */
  readonly from: string;
  readonly to: string;
  readonly deploymentId: string | null;
  /** As typed or pasted: ids, or addresses of runs. */
  readonly names: string;
}

const USUAL: Chosen = {
  last: USUAL_RUNS,
  status: null,
  from: '',
  to: '',
  deploymentId: null,
  names: '',
};

const toMoment = (local: string): string => new Date(local).toISOString();

/** Makes the selection of the API. */
function toSelection({ last, status, from, to, deploymentId, names }: Chosen): RunSelection {
  const runPks = [...new Set(names.match(RUN_PK))].slice(0, MAX_RUNS);
  return {
    last,
    ...(status === null ? {} : { status }),
    ...(from === '' ? {} : { from: toMoment(from) }),
    ...(to === '' ? {} : { to: toMoment(to) }),
    ...(deploymentId === null ? {} : { deployment_id: deploymentId }),
    ...(runPks.length === 0 ? {} : { run_pks: runPks }),
  };
}

/** Lists the versions when they are first asked for. */
function useVersionOptions(workflowId: string, isShown: boolean) {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const { data } = useQuery({
    queryKey: [organizationId, 'workflow', workflowId, 'deployments'],
    queryFn: () => readAll(client.workflows.deployments(workflowId, { limit: 100 })),
    enabled: isShown,
  });
  return (data ?? []).map(({ id, version, is_live: isLive }) => ({
    value: id,
    label: isLive ? choiceWords.live(version) : version,
  }));
}

/** The chosen runs, and the folded form that chooses them. */
export function useRunChoice(workflowId: string): { readonly runs: RunSelection; readonly form: ReactNode } {
  const [chosen, setChosen] = useState(USUAL);
  const [isShown, setShown] = useState(false);
  const versions = useVersionOptions(workflowId, isShown);
  const change = (part: Partial<Chosen>): void => setChosen((before) => ({ ...before, ...part }));
  const time = (name: 'from' | 'to') => (
    <TextInput
      type="datetime-local"
      label={choiceWords[name]}
      value={chosen[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  const form = (
    <details onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary style={{ cursor: 'pointer' }}>{choiceWords.title}</summary>
      <Stack gap="xs" mt="xs">
        <Group gap="sm" align="end">
          <NumberInput
            label={choiceWords.last}
            w={130}
            min={1}
            max={MAX_RUNS}
            clampBehavior="strict"
            allowDecimal={false}
            value={chosen.last}
            onChange={(last) => change({ last: typeof last === 'number' && last >= 1 ? last : USUAL_RUNS })}
          />
          <Select
            label={choiceWords.status}
            placeholder={choiceWords.any}
            w={150}
            clearable
            data={[...choiceWords.statuses]}
            value={chosen.status}
            onChange={(status) => change({ status })}
          />
          <Select
            label={choiceWords.version}
            placeholder={choiceWords.any}
            w={150}
            clearable
            searchable
            data={versions}
            value={chosen.deploymentId}
            onChange={(deploymentId) => change({ deploymentId })}
          />
          {time('from')}
          {time('to')}
        </Group>
        <Textarea
          label={choiceWords.names}
          description={choiceWords.namesWhy}
          autosize
          minRows={1}
          maxRows={6}
          value={chosen.names}
          onChange={({ currentTarget }) => change({ names: currentTarget.value })}
        />
      </Stack>
    </details>
  );
  return { runs: toSelection(chosen), form };
}
