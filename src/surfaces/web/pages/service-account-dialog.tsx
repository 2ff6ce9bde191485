/** Changes the name, the role and the limit of a service account. */
import { NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import type { ServiceAccount, ServiceAccountChange } from '../../client/openapi.ts';
import { findFieldProblem, withoutFields } from '../kit/field-problem.ts';
import { FormDialog } from '../kit/form-dialog.tsx';
import { NameInput } from '../kit/name-input.tsx';
import { keyWords } from '../words-keys.ts';
import { words } from '../words.ts';

interface ServiceAccountDialogProps {
  readonly account: ServiceAccount;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSave: (change: ServiceAccountChange) => void;
}

const FIELDS = ['name', 'role', 'rate_limit_per_minute'];
const ROLES = [
  { value: 'admin', label: words.roles.admin },
  { value: 'owner', label: words.roles.owner },
];

export function ServiceAccountDialog(props: ServiceAccountDialogProps) {
  const { account, isPending, error, onClose, onSave } = props;
  const [name, setName] = useState(account.name);
  const [role, setRole] = useState(account.role === 'owner' ? 'owner' : 'admin');
  const [limit, setLimit] = useState<number | null>(account.rate_limit_per_minute);
  return (
    <FormDialog
      title={keyWords.serviceAccounts.change(account.name)}
      action={keyWords.serviceAccounts.save}
      isReady={name.trim() !== '' && limit !== null}
      isPending={isPending}
      error={withoutFields(error, FIELDS)}
      onClose={onClose}
      onSubmit={() => {
        if (limit !== null)
          onSave({
            name: name.trim(),
            role: role === 'owner' ? 'owner' : 'admin',
            rate_limit_per_minute: limit,
          });
      }}
    >
      <NameInput value={name} error={error} onChange={setName} />
      <Select
        label={words.role}
        data={ROLES}
        allowDeselect={false}
        value={role}
        error={findFieldProblem(error, 'role')}
        onChange={(next) => setRole(next ?? 'admin')}
      />
      <NumberInput
        label={keyWords.serviceAccounts.perMinute}
        min={1}
        max={100_000}
        clampBehavior="strict"
        allowDecimal={false}
        hideControls
        value={limit ?? ''}
        error={findFieldProblem(error, 'rate_limit_per_minute')}
        onChange={(next) => setLimit(next === '' ? null : Number(next))}
      />
    </FormDialog>
  );
}
