/** Form fields for the secret of a credential, from the JSON Schema of its integration in the catalog. */
import { Textarea, TextInput } from '@mantine/core';
import type { Reply } from '../../client/operations.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { findFieldProblem } from '../kit/field-problem.ts';
import { credentialWords } from '../words-credentials.ts';

export type Integration = Reply<'listIntegrations'>['integrations'][number];
export type AuthScheme = Integration['auth'][number];

interface AccountType {
  readonly integration: Pick<Integration, 'base_url'>;
  readonly scheme: AuthScheme;
}

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
  /** A private key: a field of one line would lose its line breaks. */
  readonly hasLines: boolean;
}

const readText = (value: Json, key: string): string | null => {
  const found = ownValue(value, key);
  return typeof found === 'string' ? found : null;
};

function listAccountFields({ type, schema }: AuthScheme): AccountField[] {
  const { properties, required } = schema as JsonObject;
  const needed = Array.isArray(required) ? required : [];
  const typed = Object.entries(isObject(properties) ? properties : {}).filter(
    ([name, property]) =>
      // Tokens that the service requests by itself.
      ownValue(property, 'readOnly') !== true &&
      // A provider gives the secrets of its accounts; a person says which company they are for.
      (type !== 'oauth2' || (needed.includes(name) && ownValue(property, 'x-secret') !== true)),
  );
  return typed.map(([name, property]) => ({
    name,
    label: readText(property, 'title') ?? name,
    isSecret: ownValue(property, 'x-secret') === true,
    isAddress: readText(property, 'format') === 'uri',
    hasLines: ownValue(property, 'x-multiline') === true,
    isRequired: needed.includes(name),
  }));
}

/** An account without any URL needs the list of hosts that its secret may be sent to. */
const needsHosts = ({ integration, scheme }: AccountType): boolean =>
  integration.base_url === null &&
  scheme.type !== 'oauth2' &&
  listAccountFields(scheme).every(({ isAddress }) => !isAddress);

/** True when every required field of the scheme is filled. */
export const isComplete = (type: AccountType, { data, hosts }: AccountDraft): boolean =>
  listAccountFields(type.scheme).every(({ name, isRequired }) => !isRequired || (data[name] ?? '') !== '') &&
  (!needsHosts(type) || hosts.trim() !== '');

/** Converts the draft to fields of a request; empty ones are omitted. */
export function toAccount({ data, hosts }: AccountDraft) {
  const listed = hosts.split(/[\s,]+/).filter((host) => host !== '');
  return {
    data: Object.fromEntries(Object.entries(data).filter(([, value]) => value !== '')),
    ...(listed.length === 0 ? {} : { allowed_hosts: listed }),
  };
}

interface AccountFieldsProps extends AccountType {
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
      {listAccountFields(scheme).map(({ name, label, isSecret, isRequired, hasLines }) => {
        const field = {
          label,
          required: isRequired,
          value: draft.data[name] ?? '',
          error: findFieldProblem(error, 'data', name),
          onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
            onChange({ ...draft, data: { ...draft.data, [name]: currentTarget.value } }),
        };
        if (hasLines) return <Textarea key={name} autoComplete="off" rows={4} {...field} />;
        return (
          <TextInput
            key={name}
            // The browser must not save secrets: it would suggest one organization's key in another.
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            {...field}
          />
        );
      })}
      {needsHosts(props) && (
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
