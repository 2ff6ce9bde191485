/** The fields that say how a sender signs, where it is none of the known ones. */
import { Select, TextInput } from '@mantine/core';
import type { Reply } from '../../client/operations.ts';
import { findFieldProblem } from '../kit/field-problem.ts';
import { webhookWords } from '../words-webhooks.ts';

type HookSignature = NonNullable<Reply<'listHooks'>['hooks'][number]['signature']>;

/** The texts as they are typed; empty: none. */
type TypedSignature = Readonly<Record<keyof HookSignature, string>>;

const ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const;
const ENCODINGS = ['hex', 'base64'] as const;
const OPTIONAL = ['prefix', 'field', 'time_header', 'time_field'] as const;

export function readSignature(signature: HookSignature | null): TypedSignature {
  return {
    header: signature?.header ?? '',
    algorithm: signature?.algorithm ?? 'sha256',
    encoding: signature?.encoding ?? 'hex',
    signed: signature?.signed ?? '{body}',
    prefix: signature?.prefix ?? '',
    field: signature?.field ?? '',
    time_header: signature?.time_header ?? '',
    time_field: signature?.time_field ?? '',
  };
}

export function buildSignature(typed: TypedSignature): HookSignature {
  const given = OPTIONAL.filter((name) => typed[name] !== '').map((name) => [name, typed[name]]);
  const { header, algorithm, encoding, signed } = typed;
  return {
    header: header.trim(),
    algorithm,
    encoding,
    signed,
    ...Object.fromEntries(given),
  } as HookSignature;
}

interface SignatureFieldsProps {
  readonly typed: TypedSignature;
  readonly error: Error | null;
  readonly onChange: (typed: TypedSignature) => void;
}

export function SignatureFields({ typed, error, onChange }: SignatureFieldsProps) {
  const words = webhookWords.signature;
  const text = (name: keyof HookSignature) => ({
    value: typed[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...typed, [name]: currentTarget.value }),
  });
  const choice = (name: keyof HookSignature, data: readonly string[]) => ({
    data: [...data],
    value: typed[name],
    allowDeselect: false,
    onChange: (value: string | null) => onChange({ ...typed, [name]: value ?? '' }),
  });
  return (
    <>
      <TextInput
        {...text('header')}
        label={words.header}
        placeholder="X-Signature"
        error={findFieldProblem(error, 'signature')}
      />
      <Select {...choice('algorithm', ALGORITHMS)} label={words.algorithm} />
      <Select {...choice('encoding', ENCODINGS)} label={words.encoding} />
      <TextInput {...text('signed')} label={words.signed} description={words.signedWhy} />
      <TextInput {...text('prefix')} label={words.prefix} placeholder="sha256=" />
      <TextInput {...text('field')} label={words.field} description={words.fieldWhy} />
      <TextInput {...text('time_header')} label={words.timeHeader} placeholder="X-Timestamp" />
      <TextInput {...text('time_field')} label={words.timeField} description={words.timeFieldWhy} />
    </>
  );
}
