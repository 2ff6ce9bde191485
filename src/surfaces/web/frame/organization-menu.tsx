/** The organization that the pages show, and the way to another one. */
import { Button, Menu } from '@mantine/core';
import { Link, useRouteContext } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { words } from '../words.ts';
import { openOrganization } from './address.ts';
import { useMyOrganizations } from './memberships.ts';

export function OrganizationMenu() {
  const { client, organizationId } = useRouteContext({ from: '__root__' }).app;
  const memberships = useMyOrganizations(client).data?.organizations ?? [];
  const name = memberships.find((one) => one.organization_id === organizationId)?.name ?? '';
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          miw={0}
          maw={260}
          rightSection={<ChevronsUpDown size={14} aria-hidden />}
          aria-label={`${words.organization}: ${name}`}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown style={{ maxHeight: '70vh', overflowY: 'auto' }}>
        <Menu.Label>{words.organizations}</Menu.Label>
        {memberships.map((one) => (
          <Menu.Item
            key={one.organization_id}
            rightSection={one.organization_id === organizationId && <Check size={14} aria-hidden />}
            style={{ overflowWrap: 'anywhere' }}
            onClick={() => openOrganization(one.organization_id)}
          >
            {one.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/members" leftSection={<Plus size={14} aria-hidden />}>
          {words.newOrganization}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
