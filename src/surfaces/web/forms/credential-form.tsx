/** Creates a credential from the fields of its integration, or by OAuth at its provider. */
import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { findFieldProblem } from '../kit/field-problem.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { credentialWords } from '../words-credentials.ts';
import { words } from '../words.ts';
import {
  AccountFields,
  toAccount,
  EMPTY_ACCOUNT,
  isComplete,
  type AuthScheme,
  type Integration,
} from './account-fields.tsx';
import { SubmitAccount } from './submit-account.tsx';
import { useAuthorization, type Credential } from './use-authorization.ts';
import { useIntegrations } from './use-integrations.ts';
import { useUncachedRequest } from './use-uncached-request.ts';

interface OrganizationProps {
  readonly client: WorkflowClient;
  readonly organizationId: string;
}

const nameAuthType = (type: string): string =>
  credentialWords.authTypes[type as keyof typeof credentialWords.authTypes] ?? type;

interface CredentialFormProps extends OrganizationProps {
  /** Name of the selected integration; with `isFixed` it cannot be changed. */
  readonly integration?: string | undefined;
  readonly isFixed?: boolean | undefined;
  readonly onCreated: (credential: Credential) => void;
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
          label={credentialWords.authType}
          data={integration.auth.map((one) => ({ value: one.type, label: nameAuthType(one.type) }))}
          value={scheme.type}
          onChange={({ currentTarget }) => setType(currentTarget.value)}
        />
      )}
      {/* The key resets the form, so that a typed secret is not sent to another integration. */}
      <SchemeForm
        key={`${integration.name} ${scheme.type}`}
        {...props}
        integration={integration}
        scheme={scheme}
      />
    </Stack>
  );
}

interface SchemeFormProps extends OrganizationProps {
  readonly integration: Integration;
  readonly scheme: AuthScheme;
  readonly onCreated: (credential: Credential) => void;
}

function SchemeForm({ client, organizationId, integration, scheme, onCreated }: SchemeFormProps) {
  const [name, setName] = useState('');
  const [draft, setDraft] = useState(EMPTY_ACCOUNT);
  const { isPending, error, send } = useUncachedRequest();
  const { authorize, cancel } = useAuthorization(client);
  const usesOAuth = scheme.type === 'oauth2';
  const create = (): Promise<Credential> => {
    const named = { integration: integration.name, name: name.trim() };
    if (usesOAuth) return authorize({ ...named, data: toAccount(draft).data });
    const body = { ...named, auth_type: scheme.type, organization_id: organizationId, ...toAccount(draft) };
    return client.credentials.create(body);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog may be inside the panel's form, and React propagates its events through the portal.
        event.stopPropagation();
        send(async () => onCreated(await create()));
      }}
    >
      <Stack>
        <TextInput
          label={credentialWords.credentialName}
          required
          data-autofocus
          maxLength={255}
          autoComplete="off"
          value={name}
          error={findFieldProblem(error, 'name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <AccountFields {...{ integration, scheme, draft, error }} onChange={setDraft} />
        <SubmitAccount
          provider={usesOAuth ? integration.display_name : null}
          label={words.save}
          isPending={isPending}
          isDisabled={name.trim() === '' || !isComplete({ integration, scheme }, draft)}
          error={error}
          onCancel={cancel}
        />
      </Stack>
    </form>
  );
}
