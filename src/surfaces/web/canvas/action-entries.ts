/** The actions of the catalog as entries of the "Add node" menu. */
import type { Reply } from '../../client/client.ts';
import { readText } from './binding.ts';
import { findKindStyle } from './kinds.ts';
import { PALETTE, type PaletteEntry } from './palette.ts';

type Integration = Reply<'listIntegrations'>['integrations'][number];

const nameAction = (integration: string, action: string): string => `${integration} ${action}`;

/** Entries of the palette that stand for an action already. */
const KNOWN = new Set(
  PALETTE.map(({ config }) => nameAction(readText(config, 'integration'), readText(config, 'action'))),
);

/** @param integrations of the catalog; the form of the node asks for the parameters of its action */
export function listActionEntries(integrations: readonly Integration[]): readonly PaletteEntry[] {
  const { type, color } = findKindStyle('tool');
  return integrations.flatMap(({ name, display_name: label, category, tags, actions }) =>
    actions
      .filter((action) => !KNOWN.has(nameAction(name, action.name)))
      .map(({ name: action, display_name: title, description }): PaletteEntry => ({
        key: `${name}_${action}`.replaceAll(/\W/g, '_'),
        type,
        color,
        icon: 'plug',
        label: `${label}: ${title}`,
        hint: description,
        keywords: `${name} ${category} ${tags.join(' ')} integration action`.toLowerCase(),
        config: {
          kind: 'integration',
          integration: name,
          action,
          parameters: {},
        },
      })),
  );
}
