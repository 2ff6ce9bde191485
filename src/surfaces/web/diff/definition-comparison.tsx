/** The differences of two definitions: on two synced canvases, and as a list with the old and the new text of each field. */
import { Stack, Text } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { ownValue, type JsonObject } from '../../../language/graph/values/value.ts';
import { indexElements } from '../../../language/graph/definition/diff.ts';
import { Waiting } from '../kit/page.tsx';
import { listDefinitionChanges, type Change } from '../pages/definition-diff.ts';
import { versionWords } from '../words-versions.ts';
import { ChangeList, makeKey } from './change-list.tsx';

// React Flow is loaded when there is something to draw.
const DefinitionGraphs = lazy(async () => ({
  default: (await import('./definition-graphs.tsx')).DefinitionGraphs,
}));

/** One of two definitions, and where it comes from. */
export interface ComparedDefinition {
  readonly title: string;
  /** Its author and time. */
  readonly caption: string;
  readonly definition: JsonObject;
}

/** Lists the nodes that a change is at: the node, or both ends of the edge. */
function findNodes(change: Change | undefined, definitions: readonly JsonObject[]): string[] {
  if (change === undefined || change.what === 'settings') return [];
  if (change.what === 'node') return [change.id];
  const edge = definitions
    .map((definition) => indexElements(definition, 'edges').get(change.id))
    .find((one) => one !== undefined);
  return [ownValue(edge, 'source'), ownValue(edge, 'target')].filter((id) => typeof id === 'string');
}

interface ComparisonProps {
  readonly before: ComparedDefinition;
  readonly after: ComparedDefinition;
}

export function DefinitionComparison({ before, after }: ComparisonProps) {
  const [old, now] = [before.definition, after.definition];
  const changes = useMemo(() => listDefinitionChanges(old, now), [old, now]);
  const [selected, setSelected] = useState<string | null>(null);
  const nodes = useMemo(
    () =>
      findNodes(
        changes.find((change) => makeKey(change) === selected),
        [now, old],
      ),
    [changes, selected, now, old],
  );
  const selectNode = useCallback(
    (nodeId: string | null) => setSelected(nodeId === null ? null : `node ${nodeId}`),
    [],
  );
  if (changes.length === 0) return <Text c="dimmed">{versionWords.noChanges}</Text>;
  return (
    <Stack gap="sm">
      {changes.some(({ what }) => what !== 'settings') && (
        <Suspense fallback={<Waiting />}>
          <DefinitionGraphs
            before={before}
            after={after}
            changes={changes}
            selected={nodes}
            onSelect={selectNode}
          />
        </Suspense>
      )}
      <ChangeList
        changes={changes}
        definitions={{ before: old, after: now }}
        selected={selected}
        onSelect={setSelected}
      />
    </Stack>
  );
}
