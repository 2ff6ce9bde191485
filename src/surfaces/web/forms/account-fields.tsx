/** Form fields for the secret of a credential, from the JSON Schema of its integration in the catalog. */
import { TextInput } from '@mantine/core';
import type { Reply } from '../../client/operations.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findFieldProblem } from '../kit/field-problem.ts';
import { credentialWords } from '../words-credentials.ts';

export type Integration = Reply<'listIntegrations'>['integrations'][number];
export type AuthScheme = Integration['auth'][number];

/** The values of the form. `hosts` is stored beside the secret, not in it. */
interface AccountDraft {
  readonly data: Readonly<Record<string, string>>;
  readonly hosts: string;
}
export const EMPTY_ACCOUNT: AccountDraft = { data: {}, hosts: '' };

interface AccountField {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  readonly isAddress: boolean;
  readonly isRequired: boolean;
}

const readText = (value: Json, key: string): string | null => {
  const found = ownValue(value, key);
  return typeof found === 'string' ? found : null;
};

function listAccountFields({ schema }: AuthScheme): AccountField[] {
  const { properties, required } = schema as JsonObject;
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => ({
    name,
    label: readText(property, 'title') ?? name,
    isSecret: ownValue(property, 'x-secret') === true,
    isAddress: readText(property, 'format') === 'uri',
    isRequired: Array.isArray(required) && required.includes(name),
  }));
}

/** An account without a URL field needs the list of hosts that its secret may be sent to. */
const needsHosts = (scheme: AuthScheme): boolean =>
  scheme.type !== 'oauth2' && listAccountFields(scheme).every(({ isAddress }) => !isAddress);

/** True when every required field of the scheme is filled. */
export const isComplete = (scheme: AuthScheme, { data, hosts }: AccountDraft): boolean =>
  listAccountFields(scheme).every(({ name, isRequired }) => !isRequired || (data[name] ?? '') !== '') &&
  (!needsHosts(scheme) || hosts.trim() !== '');

/** Converts the draft to fields of a request; empty ones are omitted. */
export function toAccount({ data, hosts }: AccountDraft) {
  const listed = hosts.split(/[\s,]+/).filter((host) => host !== '');
  return {
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== '')),
    ...(listed.length === 0 ? {} : { allowed_hosts: listed }),
  };
}

interface AccountFieldsProps {
  readonly scheme: AuthScheme;
  readonly draft: AccountDraft;
  readonly error: Error | null;
  /** True for an existing account: empty hosts then keep the stored ones. */
  readonly isChange?: boolean;
  readonly onChange: (draft: AccountDraft) => void;
}

export function AccountFields(props: AccountFieldsProps) {
  const { scheme, draft, error, isChange = false, onChange } = props;
  return (
    <>
      {listAccountFields(scheme).map(({ name, label, isSecret, isRequired }) => (
        <TextInput
          key={name}
          // The browser must not save secrets: it would suggest one organization's key in another.
          type={isSecret ? 'password' : 'text'}
          autoComplete={isSecret ? 'new-password' : 'off'}
          label={label}
          required={isRequired}
          value={draft.data[name] ?? ''}
          error={findFieldProblem(error, 'data', name)}
          onChange={({ currentTarget }) =>
            onChange({ ...draft, data: { ...draft.data, [name]: currentTarget.value } })
          }
        />
      ))}
      {needsHosts(scheme) && (
        <TextInput
          label={credentialWords.hosts}
          description={isChange ? credentialWords.hostsStay : credentialWords.hostsWhy}
          required={!isChange}
          value={draft.hosts}
          error={findFieldProblem(error, 'allowed_hosts')}
          onChange={({ currentTarget }) => onChange({ ...draft, hosts: currentTarget.value })}
        />
      )}
    </>
  );
}
