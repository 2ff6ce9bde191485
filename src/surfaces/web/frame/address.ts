/** The organization in the address: `/app/o/<organization_id>/…`. Addresses without it show the organization of the last visit. */
import { createBrowserHistory } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { keptAt } from '../kit/kept-state.ts';
import { BASE } from '../session/return-address.ts';

const WITH_ORGANIZATION = new RegExp(`^${BASE}/o/([^/]+)(/.*)?$`);

/** One history for the routers of all organizations. */
export const pageHistory = createBrowserHistory();

interface OrganizationAddress {
  /** Null: the address names none. */
  readonly organizationId: string | null;
  /** The part behind the organization, from its slash. */
  readonly rest: string;
}

function parseAddress(pathname: string): OrganizationAddress {
  const found = WITH_ORGANIZATION.exec(pathname);
  if (found !== null) return { organizationId: found[1] ?? null, rest: found[2] ?? '/' };
  return { organizationId: null, rest: pathname.slice(BASE.length) || '/' };
}

export const buildBase = (organizationId: string): string => `${BASE}/o/${organizationId}`;

export function useOrganizationAddress(): OrganizationAddress {
  return parseAddress(useSyncExternalStore(pageHistory.subscribe, () => pageHistory.location.pathname));
}

/** Shows the first page of an organization. */
export const openOrganization = (organizationId: string): void =>
  pageHistory.push(`${buildBase(organizationId)}/`);

/** Puts the organization into an address that names none; the rest of it stays. */
export function nameOrganization(organizationId: string, rest: string): void {
  const { search, hash } = pageHistory.location;
  pageHistory.replace(buildBase(organizationId) + rest + search + hash);
}

export const readLastVisit = (): string | null => keptAt('organization', null).read();
export const keepLastVisit = (organizationId: string): void =>
  keptAt('organization', null).write(organizationId);
