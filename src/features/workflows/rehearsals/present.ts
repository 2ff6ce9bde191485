/** Rehearsals as the API shows them, with the examples of its documents. */
import { AT, IDS } from '../../../platform/http/docs/example-ids.ts';
import type { RehearsalGroup, RehearsalRow, RehearsedRow } from './store.ts';

export const present = ({ source: definition, ...row }: RehearsalRow): object => ({
  ...row,
  definition,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
});

export function presentFound(row: Omit<RehearsedRow, 'place' | 'created_at'>): object {
  const change = row.first_change;
  return {
    run_pk: row.run_pk,
    verdict: row.verdict,
    doubt: row.doubt,
    group: row.group_key,
    differences: row.differences.map(({ nodeId, itemIndex, ...rest }) => ({
      ...rest,
      node_id: nodeId,
      item_index: itemIndex,
    })),
    first_change:
      change === null
        ? null
        : {
            node_id: change.nodeId,
            visit: change.visit,
            // Of those that were walked by an earlier release, nothing is kept.
            before: change.before ?? null,
            after: change.after ?? null,
            places: change.places,
          },
  };
}

export const presentRun = (row: Omit<RehearsedRow, 'place'>): object => ({
  ...presentFound(row),
  created_at: row.created_at.toISOString(),
});
export const presentGroup = (group: RehearsalGroup): object => ({ ...presentFound(group), runs: group.runs });

export const example = present({
  id: 'c3d4e5f6-7081-492a-a3b4-c5d6e7f80910',
  organization_id: IDS.organization,
  workflow_id: IDS.workflow,
  source: 'draft',
  definition_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  status: 'completed',
  total: 200,
  walked: 200,
  counts: { same: 187, sends_other: 11, branches: 2 },
  created_by: IDS.user,
  created_at: new Date(AT),
  started_at: new Date(AT),
  completed_at: new Date(AT),
  expires_at: new Date(AT),
});
export const exampleFound: Omit<RehearsedRow, 'place'> = {
  run_pk: IDS.run,
  created_at: new Date(AT),
  verdict: 'sends_other',
  doubt: null,
  group_key: '5d41402abc4b2a76',
  differences: [
    {
      kind: 'sends',
      nodeId: 'mail',
      visit: 1,
      itemIndex: -1,
      before: { door: 'http', request: { body: { subject: 'Your order' } } },
      after: { door: 'http', request: { body: { subject: 'Your order A17' } } },
      places: ['/request/body/subject'],
    },
  ],
  first_change: {
    nodeId: 'letter',
    visit: 1,
    before: { subject: 'Your order' },
    after: { subject: 'Your order A17' },
    places: ['/subject'],
  },
};
