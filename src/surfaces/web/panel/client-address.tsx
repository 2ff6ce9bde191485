/** The address that clients of a workflow need, with a button that tests what they find there. */
import { Button, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { CopyField } from '../kit/copy-field.tsx';
import { Failure } from '../kit/page.tsx';

interface ClientAddressProps {
  readonly path: string;
  /** Finds the name under which clients see the workflow; null: they do not. */
  readonly check: UseMutationResult<string | null, Error, void>;
  readonly said: {
    readonly address: string;
    readonly copyAddress: string;
    readonly test: string;
    readonly notOffered: string;
    offered(name: string): string;
  };
}

export function ClientAddress({ path, check, said }: ClientAddressProps) {
  return (
    <>
      <div role="group" aria-label={said.address}>
        <div className="wc-label">{said.address}</div>
        <CopyField label={said.copyAddress} value={`${location.origin}${path}`} />
      </div>
      <div>
        <Button size="compact-xs" variant="light" loading={check.isPending} onClick={() => check.mutate()}>
          {said.test}
        </Button>
      </div>
      <Failure error={check.error} />
      <Text size="sm" role="status">
        {check.isSuccess && (check.data === null ? said.notOffered : said.offered(check.data))}
      </Text>
    </>
  );
}
