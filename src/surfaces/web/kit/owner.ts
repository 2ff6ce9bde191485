/** Whom the values belong to that the pages below keep in the browser. */
import { createContext, useContext } from 'react';
import type { OrganizationOwner } from './kept-state.ts';

export const OwnerContext = createContext<OrganizationOwner | null>(null);

/** @throws where no organization is around it: a mistake of the program */
export function useOwner(): OrganizationOwner {
  const owner = useContext(OwnerContext);
  if (owner === null) throw new Error('Nothing is kept outside of an organization.');
  return owner;
}
