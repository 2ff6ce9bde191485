/** Tools that the MCP server of a credential offers now; its words are shown as plain text. */
import { Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Failure, Waiting } from '../kit/page.tsx';
import { credentialWords } from '../words-credentials.ts';

const route = getRouteApi('/credentials');

interface ToolsDialogProps {
  readonly row: { readonly credential_id: string; readonly name: string };
  readonly onClose: () => void;
}

export function ToolsDialog({ row, onClose }: ToolsDialogProps) {
  const { client, organizationId } = route.useRouteContext().app;
  const list = useQuery({
    queryKey: [organizationId, 'credential-tools', row.credential_id],
    queryFn: () => client.credentials.tools(row.credential_id),
    retry: false,
  });
  const tools = list.data?.tools ?? [];
  return (
    <Modal opened onClose={onClose} title={credentialWords.toolsTitle(row.name)}>
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && tools.length === 0 && <Text>{credentialWords.noTools}</Text>}
      <Stack component="ul" gap="xs" pl="md" my={0}>
        {tools.map(({ name, description }) => (
          <li key={name}>
            <Text fw={600}>{name}</Text>
            <Text size="sm">{description}</Text>
          </li>
        ))}
      </Stack>
    </Modal>
  );
}
