/** Changes a credential: its name, its secret as a whole, whether it is in use; or authorizes its account again. */
import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { AccountFields, toAccount, EMPTY_ACCOUNT, isComplete } from '../forms/account-fields.tsx';
import { useIntegrations } from '../forms/use-integrations.ts';
import { useAuthorization } from '../forms/use-authorization.ts';
import { SubmitAccount } from '../forms/submit-account.tsx';
import { useUncachedRequest } from '../forms/use-uncached-request.ts';
import { Failure } from '../kit/page.tsx';
import { credentialWords } from '../words-credentials.ts';
import { words } from '../words.ts';
import { Uses } from './credential-uses.tsx';

const route = getRouteApi('/credentials');

export type CredentialRow = Reply<'listCredentials'>['credentials'][number];

interface ChangeDialogProps {
  readonly row: CredentialRow;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function ChangeDialog({ row, onClose, onChanged }: ChangeDialogProps) {
  const { client } = route.useRouteContext().app;
  const [name, setName] = useState(row.name);
  const { isPending, error, send } = useUncachedRequest();
  const change = (body: Parameters<typeof client.credentials.update>[1]): void =>
    send(async () => {
      await client.credentials.update(row.credential_id, body);
      onChanged();
      onClose();
    });
  return (
    <Modal opened onClose={onClose} title={credentialWords.changeCredential(row.name)}>
      <Stack>
        <Uses credentialId={row.credential_id} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change({ name: name.trim() });
          }}
        >
          <Group align="end">
            <TextInput
              label={credentialWords.credentialName}
              maxLength={255}
              autoComplete="off"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button type="submit" loading={isPending} disabled={name.trim() === '' || name === row.name}>
              {words.rename}
            </Button>
          </Group>
        </form>
        <Failure error={error} />
        <Title order={3} size="h5">
          {credentialWords.newSecret}
        </Title>
        <NewSecret row={row} onClose={onClose} onChanged={onChanged} />
        {row.status !== 'revoked' && (
          <>
            <Title order={3} size="h5">
              {words.revoke}
            </Title>
            <Text>{credentialWords.revokeWhy}</Text>
            <Group justify="flex-end">
              <Button color="red.9" loading={isPending} onClick={() => change({ status: 'revoked' })}>
                {words.revoke}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  );
}

function NewSecret({ row, onClose, onChanged }: ChangeDialogProps) {
  const { app } = route.useRouteContext();
  const { client } = app;
  const catalog = useIntegrations(app);
  const [draft, setDraft] = useState(EMPTY_ACCOUNT);
  const { isPending, error, send } = useUncachedRequest();
  const { authorize, cancel } = useAuthorization(client);
  const integration = catalog.data?.integrations.find((one) => one.name === row.integration);
  const scheme = integration?.auth.find(({ type }) => type === row.auth_type);
  if (integration === undefined || scheme === undefined) return <Failure error={catalog.error} />;
  const usesOAuth = scheme.type === 'oauth2';
  // Without new hosts, the stored ones stay.
  const isReady = isComplete(
    { integration, scheme },
    { ...draft, hosts: draft.hosts || row.allowed_hosts.join(' ') },
  );
  const replace = (): Promise<unknown> =>
    usesOAuth
      ? authorize({ integration: integration.name, credential_id: row.credential_id })
      : client.credentials.update(row.credential_id, toAccount(draft));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(async () => {
          await replace();
          onChanged();
          onClose();
        });
      }}
    >
      <Stack>
        {!usesOAuth && (
          <AccountFields {...{ integration, scheme, draft, error }} onChange={setDraft} isChange />
        )}
        <SubmitAccount
          provider={usesOAuth ? integration.display_name : null}
          label={credentialWords.replaceSecret}
          isPending={isPending}
          isDisabled={!usesOAuth && !isReady}
          error={error}
          onCancel={cancel}
        />
      </Stack>
    </form>
  );
}
