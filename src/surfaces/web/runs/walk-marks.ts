/** The way of a run through its graph: how each node came out, and which edges were taken. */
import type { GraphMarks } from '../canvas/read-only-graph.tsx';
import { readEdge, type EdgeEnds, type FlowEdge } from '../canvas/binding.ts';
import { findEdgeState, indexEdges, type EdgeIndex } from '../canvas/edge-state.ts';
import { toNodeStatus } from '../canvas/run-steps.ts';
import { statusLabel } from '../words-statuses.ts';
import { runWords } from '../words-runs.ts';
import type { ListedStep } from './listed-step.ts';

/** The visits of each node, in order. */
export type Visits = ReadonlyMap<string, readonly ListedStep[]>;

export function groupVisits(steps: readonly ListedStep[]): Visits {
  const visits = new Map<string, ListedStep[]>();
  for (const step of steps) {
    if (step.parent_step_id !== null) continue;
    const before = visits.get(step.node_id);
    if (before === undefined) visits.set(step.node_id, [step]);
    else before.push(step);
  }
  return visits;
}

/** Reads how each visit of the source left an edge: one of a loop may take it, and the last one not. */
function readStates(visits: Visits, edge: EdgeEnds, index: EdgeIndex) {
  const count = Math.max(1, visits.get(edge.source)?.length ?? 0);
  return Array.from({ length: count }, (_, visit) =>
    findEdgeState(
      (id) => {
        const all = visits.get(id);
        const step = id === edge.source ? all?.[visit] : all?.at(-1);
        return step && { status: toNodeStatus(step.status), handle: step.selected_handle };
      },
      edge,
      index,
    ),
  );
}

/**
 * Marks each node with the status of its last visit, and each edge as taken or skipped.
 * @param shown the edges of the run's definition
 */
export function markWalk(visits: Visits, selected: string | null, shown: readonly FlowEdge[]): GraphMarks {
  const index = indexEdges(shown.map(({ id, data }) => readEdge(id, data.edge)));
  return {
    findNode: (nodeId) => {
      const isSelected = nodeId === selected;
      const step = visits.get(nodeId)?.at(-1);
      if (step === undefined) return { caption: runWords.notReached, isSelected };
      return {
        className: `wc-run-${toNodeStatus(step.status)}`,
        caption: statusLabel(step.status),
        isSelected,
      };
    },
    findEdge: (edge) => {
      const states = readStates(visits, edge, index);
      return { className: `wc-edge-${states.includes('taken') ? 'taken' : (states.at(-1) ?? '')}` };
    },
  };
}
