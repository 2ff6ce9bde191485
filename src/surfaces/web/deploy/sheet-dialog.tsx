/** The effects of one version, in a dialog. */
import { Modal, Stack, Text } from '@mantine/core';
import { Failure, Waiting } from '../kit/page.tsx';
import { sheetWords } from '../words-sheet.ts';
import { SheetTable } from './sheet-table.tsx';
import { useDeploymentSheet, useNames } from './use-sheets.ts';

interface SheetDialogProps {
  readonly workflowId: string;
  readonly version: { readonly id: string; readonly version: string };
  readonly onClose: () => void;
}

export function SheetDialog({ workflowId, version, onClose }: SheetDialogProps) {
  const sheet = useDeploymentSheet(workflowId, version.id);
  const names = useNames();
  return (
    <Modal opened onClose={onClose} size="min(900px, 95vw)" title={sheetWords.of(version.version)}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {sheetWords.why}
        </Text>
        <Failure error={sheet.error} />
        {sheet.isPending && <Waiting />}
        {sheet.data === null && <Text>{sheetWords.invalid}</Text>}
        {sheet.data !== undefined && sheet.data !== null && <SheetTable sheet={sheet.data} names={names} />}
      </Stack>
    </Modal>
  );
}
