/** The plan of the organization: its credits of this period, what each day has used, its wallet, and what was booked. */
import { Button, Group, NumberInput, Progress, Switch, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import type { Reply } from '../../client/operations.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { moment } from '../kit/moment.ts';
import { LoadMore } from '../kit/load-more.tsx';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { DataTable } from '../kit/data-table.tsx';
import { usageWords } from '../words-usage.ts';
import { words } from '../words.ts';
import { UsageChart } from './usage-chart.tsx';

const route = getRouteApi('/usage');

const PERIOD = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

type Subscription = Reply<'getSubscription'>;
type Entry = Reply<'listWalletLedger'>['items'][number];

function Credits({ plan }: { readonly plan: Subscription }) {
  const { used, limit } = plan.credits;
  return (
    <div>
      <Text>
        {usageWords.planName} <b style={{ textTransform: 'capitalize' }}>{plan.plan}</b> ·{' '}
        {PERIOD.formatRange(new Date(plan.period_start), new Date(plan.period_end))}
      </Text>
      <Text>
        {used} {limit === null ? usageWords.creditsUsed : usageWords.creditsLimited(limit)}
      </Text>
      {limit !== null && limit > 0 && (
        <Progress value={Math.min(100, (100 * used) / limit)} aria-label={words.credits} mt="xs" />
      )}
    </div>
  );
}

interface TopupDialogProps {
  readonly client: WorkflowClient;
  readonly onClose: () => void;
}

/** Asks for the amount, and goes on to the page of the payment provider. */
function TopupDialog({ client, onClose }: TopupDialogProps) {
  const [amount, setAmount] = useState(10);
  const topup = useMutation({
    mutationFn: () => client.request('POST', '/subscriptions/wallet/topup', { body: { amount } }),
    onSuccess: ({ checkout_url: url }) => {
      if (url.startsWith('https://')) location.assign(url);
    },
  });
  return (
    <FormDialog
      title={usageWords.topupTitle}
      action={usageWords.pay}
      isReady={amount >= 1}
      isPending={topup.isPending}
      error={withoutFields(topup.error, ['amount'])}
      onClose={onClose}
      onSubmit={() => topup.mutate()}
    >
      <NumberInput
        data-autofocus
        label={usageWords.amount}
        min={1}
        allowDecimal={false}
        value={amount}
        error={findFieldProblem(topup.error, 'amount')}
        onChange={(value) => setAmount(Number(value))}
      />
    </FormDialog>
  );
}

function Ledger({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <DataTable heads={[words.when, words.kind, usageWords.amount, usageWords.balance]} numbers={[3, 4]}>
      {entries.map((entry) => (
        <Table.Tr key={entry.id}>
          <Table.Td>{moment(entry.created_at)}</Table.Td>
          <Table.Td>{entry.kind}</Table.Td>
          <Table.Td>{entry.amount}</Table.Td>
          <Table.Td>{entry.balance}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

export function UsagePage() {
  const { client, organizationId } = route.useRouteContext().app;
  const plan = useQuery({
    queryKey: [organizationId, 'subscription'],
    queryFn: () => client.request('GET', '/subscriptions'),
  });
  const ledger = useInfiniteQuery({
    queryKey: [organizationId, 'ledger'],
    queryFn: ({ pageParam }) =>
      client.request('GET', '/subscriptions/wallet/ledger', {
        query: { limit: 50, ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const extra = useMutation({
    mutationFn: (enabled: boolean) =>
      client.request('POST', '/subscriptions/wallet/extra-usage', { body: { enabled } }),
    onSuccess: () => plan.refetch(),
  });
  const [isToppingUp, setToppingUp] = useState(false);
  const entries = ledger.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Page title={words.usage}>
      <Failure error={plan.error ?? ledger.error ?? extra.error} />
      {plan.isPending && <Waiting />}
      {plan.data !== undefined && (
        <>
          <Credits plan={plan.data} />
          <UsageChart client={client} organizationId={organizationId} />
          <Title order={2} size="h4">
            {usageWords.wallet}
          </Title>
          <Text>
            {usageWords.balance}: <b>{plan.data.wallet.balance}</b>
          </Text>
          <Switch
            label={usageWords.extraUsage}
            checked={plan.data.wallet.extra_usage_enabled}
            disabled={extra.isPending}
            onChange={(event) => extra.mutate(event.currentTarget.checked)}
          />
          <Group>
            <Button onClick={() => setToppingUp(true)}>{usageWords.topup}</Button>
          </Group>
        </>
      )}
      {isToppingUp && <TopupDialog client={client} onClose={() => setToppingUp(false)} />}
      {ledger.isSuccess && entries.length === 0 && <Text c="dimmed">{usageWords.noEntries}</Text>}
      {entries.length > 0 && <Ledger entries={entries} />}
      <LoadMore list={ledger} />
    </Page>
  );
}
