/** The fields of an account, as the catalog describes its secret; a credential is made and changed with them. */
import { TextInput } from '@mantine/core';
import { WorkflowApiError } from '../../client/error.ts';
import type { Reply } from '../../client/operations.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { words } from '../words.ts';

export type Integration = Reply<'listIntegrations'>['integrations'][number];
export type AuthScheme = Integration['auth'][number];

/** What was typed into the fields; `hosts` stands beside the secret. */
export interface AccountDraft {
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

const textIn = (value: Json, key: string): string | null => {
  const found = ownValue(value, key);
  return typeof found === 'string' ? found : null;
};

function fieldsOf({ schema }: AuthScheme): AccountField[] {
  const { properties, required } = schema as JsonObject;
  return Object.entries(isObject(properties) ? properties : {}).map(([name, about]) => ({
    name,
    label: textIn(about, 'title') ?? name,
    isSecret: ownValue(about, 'x-secret') === true,
    isAddress: textIn(about, 'format') === 'uri',
    isRequired: Array.isArray(required) && required.includes(name),
  }));
}

/** An account whose data has no address says beside it where it may be sent. */
const needsHosts = (scheme: AuthScheme): boolean =>
  scheme.type !== 'oauth2' && fieldsOf(scheme).every(({ isAddress }) => !isAddress);

/** True when nothing that the scheme asks for is missing. */
export const isWhole = (scheme: AuthScheme, { data, hosts }: AccountDraft): boolean =>
  fieldsOf(scheme).every(({ name, isRequired }) => !isRequired || (data[name] ?? '') !== '') &&
  (!needsHosts(scheme) || hosts.trim() !== '');

/** The draft as the API takes it: what was left empty is left out. */
export function accountOf({ data, hosts }: AccountDraft) {
  const listed = hosts.split(/[\s,]+/).filter((host) => host !== '');
  return {
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== '')),
    ...(listed.length === 0 ? {} : { allowed_hosts: listed }),
  };
}

/** What a refusal says of one field of a body. */
export const problemAt = (error: Error | null, ...path: readonly string[]): string | undefined =>
  error instanceof WorkflowApiError
    ? error.problems.find(({ loc }) => loc.slice(1, path.length + 1).join() === path.join())?.msg
    : undefined;

interface AccountFieldsProps {
  readonly scheme: AuthScheme;
  readonly draft: AccountDraft;
  readonly error: Error | null;
  /** Of an account that is there: its hosts may stay. */
  readonly isChange?: boolean;
  readonly onChange: (draft: AccountDraft) => void;
}

export function AccountFields(props: AccountFieldsProps) {
  const { scheme, draft, error, isChange = false, onChange } = props;
  return (
    <>
      {fieldsOf(scheme).map(({ name, label, isSecret, isRequired }) => (
        <TextInput
          key={name}
          // Never kept by the browser: it would offer one organization's key to another.
          type={isSecret ? 'password' : 'text'}
          autoComplete={isSecret ? 'new-password' : 'off'}
          label={label}
          required={isRequired}
          value={draft.data[name] ?? ''}
          error={problemAt(error, 'data', name)}
          onChange={({ currentTarget }) =>
            onChange({ ...draft, data: { ...draft.data, [name]: currentTarget.value } })
          }
        />
      ))}
      {needsHosts(scheme) && (
        <TextInput
          label={words.hosts}
          description={isChange ? words.hostsStay : words.hostsWhy}
          required={!isChange}
          value={draft.hosts}
          error={problemAt(error, 'allowed_hosts')}
          onChange={({ currentTarget }) => onChange({ ...draft, hosts: currentTarget.value })}
        />
      )}
    </>
  );
}
