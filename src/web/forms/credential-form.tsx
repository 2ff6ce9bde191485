/** Makes a credential: by the fields of its integration, or by authorizing it at its provider. */
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';
import {
  AccountFields,
  toAccount,
  EMPTY_ACCOUNT,
  isComplete,
  findFieldProblem,
  type AuthScheme,
  type Integration,
} from './account-fields.tsx';
import { useAuthorization, type Credential } from './use-authorization.ts';
import { useSending } from './use-sending.ts';

interface Place {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

export function useIntegrations({ client, organizationId }: Place) {
  return useQuery({
    queryKey: [organizationId, 'integrations'],
    queryFn: () => client.request('GET', '/integrations'),
  });
}

const authName = (type: string): string => words.authTypes[type as keyof typeof words.authTypes] ?? type;

interface CredentialFormProps extends Place {
  /** The integration that is chosen first; `isFixed`: the only one. */
  readonly integration?: string | undefined;
  readonly isFixed?: boolean | undefined;
  readonly onMade: (credential: Credential) => void;
}

export function CredentialForm(props: CredentialFormProps) {
  const { integration: first, isFixed = false } = props;
  const catalog = useIntegrations(props);
  const [chosen, setChosen] = useState(first ?? '');
  const [type, setType] = useState('');
  const all = catalog.data?.integrations ?? [];
  const integration = all.find(({ name }) => name === chosen) ?? all[0];
  const scheme = integration?.auth.find((one) => one.type === type) ?? integration?.auth[0];
  if (catalog.isPending) return <Waiting />;
  if (integration === undefined || scheme === undefined) return <Failure error={catalog.error} />;
  return (
    <Stack>
      {!isFixed && (
        <NativeSelect
          label={words.integration}
          data={all.map(({ name, display_name: label }) => ({ value: name, label }))}
          value={integration.name}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      )}
      {integration.auth.length > 1 && (
        <NativeSelect
          label={words.authType}
          data={integration.auth.map((one) => ({ value: one.type, label: authName(one.type) }))}
          value={scheme.type}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
        />
      )}
      {/* Keyed, so that texts typed for one kind of account do not go to another. */}
      <SchemeForm
        key={`${integration.name} ${scheme.type}`}
        {...props}
        integration={integration}
        scheme={scheme}
      />
    </Stack>
  );
}

interface SchemeFormProps extends Place {
  readonly integration: Integration;
  readonly scheme: AuthScheme;
  readonly onMade: (credential: Credential) => void;
}

function SchemeForm({ client, organizationId, integration, scheme, onMade }: SchemeFormProps) {
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(EMPTY_ACCOUNT);
  const { isPending, error, send } = useSending();
  const { authorize, giveUp } = useAuthorization(client);
  const isAuthorized = scheme.type === 'oauth2';
  const make = (): Promise<Credential> => {
    const of = { integration: integration.name, name: name.trim() };
    if (isAuthorized) return authorize(of);
    const body = { ...of, auth_type: scheme.type, organization_id: organizationId, ...toAccount(draft) };
    return client.credentials.create(body);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The panel's form may be around a dialog of it: React passes events through portals.
        event.stopPropagation();
        send(async () => onMade(await make()));
      }}
    >
      <Stack>
        <TextInput
          label={words.credentialName}
          required
          data-autofocus
          maxLength={255}
          autoComplete="off"
          value={name}
          error={findFieldProblem(error, 'name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {!isAuthorized && <AccountFields scheme={scheme} draft={draft} error={error} onChange={setDraft} />}
        {isAuthorized && isPending && (
          <Text role="status">{words.authorizing(integration.display_name)}</Text>
        )}
        <Failure error={error} />
        <Group justify="flex-end">
          {isAuthorized && isPending && (
            <Button variant="default" onClick={giveUp}>
              {words.giveUp}
            </Button>
          )}
          <Button
            type="submit"
            loading={isPending}
            disabled={name.trim() === '' || (!isAuthorized && !isComplete(scheme, draft))}
          >
            {isAuthorized ? words.authorizeAt(integration.display_name) : words.storeCredential}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
