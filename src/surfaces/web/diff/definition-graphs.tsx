/** Two definitions on synced canvases: what was added, removed and changed has a color and a sign. */
import { useMemo } from 'react';
import { buildFrame } from '../canvas/build-frame.ts';
import type { GraphMarks } from '../canvas/read-only-graph.tsx';
import type { Change } from '../pages/definition-diff.ts';
import { versionWords } from '../words-versions.ts';
import { alignFrames } from './align-frames.ts';
import type { ComparedDefinition } from './definition-comparison.tsx';
import { SyncedGraphs } from './synced-graphs.tsx';

interface GraphsProps {
  readonly before: ComparedDefinition;
  readonly after: ComparedDefinition;
  readonly changes: readonly Change[];
  readonly selected: readonly string[];
  readonly onSelect: (nodeId: string | null) => void;
}

/** @param absent the kind of change of which this side has nothing */
function markChanges(
  changes: readonly Change[],
  selected: readonly string[],
  absent: 'added' | 'removed',
): GraphMarks {
  const kinds = new Map(changes.map(({ what, id, how }) => [`${what} ${id}`, how]));
  return {
    findNode: (nodeId) => {
      const sign = kinds.get(`node ${nodeId}`);
      const isSelected = selected.includes(nodeId);
      return sign === absent ? { isSelected, missing: versionWords.notInThis } : { isSelected, sign };
    },
    findEdge: ({ id }) => ({ sign: kinds.get(`edge ${id}`) }),
  };
}

export function DefinitionGraphs({ before, after, changes, selected, onSelect }: GraphsProps) {
  const frames = useMemo(
    () => alignFrames(buildFrame(before.definition), buildFrame(after.definition)),
    [before.definition, after.definition],
  );
  const changed = useMemo(
    () => new Set(changes.filter(({ what }) => what === 'node').map(({ id }) => id)),
    [changes],
  );
  const marks = [markChanges(changes, selected, 'added'), markChanges(changes, selected, 'removed')] as const;
  return (
    <SyncedGraphs
      sides={[
        { title: before.title, caption: before.caption, frame: frames[0], marks: marks[0] },
        { title: after.title, caption: after.caption, frame: frames[1], marks: marks[1] },
      ]}
      selected={selected}
      changed={changed}
      onSelect={onSelect}
    />
  );
}
