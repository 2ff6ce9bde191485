/** Exports and erases the own data of a person, whatever their role. */
import { Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/page.tsx';
import { dataWords } from '../words-data.ts';

const route = getRouteApi('/data');

export function OwnData({ onRequested }: { readonly onRequested: () => void }) {
  const { client, organizationId } = route.useRouteContext().app;
  const [isErasing, setErasing] = useState(false);
  const [confirm, setConfirm] = useState('');
  const request = useMutation({
    mutationFn: (kind: 'export' | 'erasure') =>
      client.request('POST', '/auth/me/data-jobs', {
        body: { kind, organization_id: organizationId, ...(kind === 'erasure' ? { confirm } : {}) },
      }),
    onSuccess: () => {
      setErasing(false);
      onRequested();
    },
  });
  return (
    <>
      <Title order={2} size="h4" mt="lg">
        {dataWords.mine}
      </Title>
      <Text c="dimmed">{dataWords.mineHint}</Text>
      <Group>
        <Button variant="default" loading={request.isPending} onClick={() => request.mutate('export')}>
          {dataWords.exportMine}
        </Button>
        <Button variant="default" color="red.9" onClick={() => setErasing(true)}>
          {dataWords.eraseMine}…
        </Button>
      </Group>
      {!isErasing && <Failure error={request.error} />}
      {isErasing && (
        <FormDialog
          title={dataWords.eraseMine}
          action={dataWords.eraseMine}
          isReady={confirm !== ''}
          isPending={request.isPending}
          error={request.error}
          onClose={() => setErasing(false)}
          onSubmit={() => request.mutate('erasure')}
        >
          <Text>
            {dataWords.mineErased} {dataWords.dialogs.erasure.end}
          </Text>
          <TextInput
            label={dataWords.confirmMine}
            value={confirm}
            onChange={({ currentTarget: { value } }) => setConfirm(value)}
          />
        </FormDialog>
      )}
    </>
  );
}
