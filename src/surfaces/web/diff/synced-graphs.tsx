/** Two graphs side by side that pan and zoom as one: a node stands at the same place in both. */
import { Box, SimpleGrid, Stack, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Viewport } from '@xyflow/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FlowNode, Frame } from '../canvas/binding.ts';
import type { Box as Bounds } from '../canvas/geometry.ts';
import { findMinZoom, ReadOnlyGraph, type GraphMarks } from '../canvas/read-only-graph.tsx';
import { findBounds } from './align-frames.ts';

const HEIGHT_PX = 360;
const MARGIN_PX = 24;
/** Below it names of nodes are hard to read: a larger graph begins at its first difference. */
const READABLE_ZOOM = 0.5;
const CLOSE_ZOOM = 0.8;

interface GraphSide {
  readonly title: string;
  /** Its author and time. */
  readonly caption: string;
  readonly frame: Frame;
  readonly marks: GraphMarks;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Centres a box. */
function centre(box: Bounds, { width, height }: Size, zoom: number): Viewport {
  return {
    x: width / 2 - (box.x + box.width / 2) * zoom,
    y: height / 2 - (box.y + box.height / 2) * zoom,
    zoom,
  };
}

const fitZoom = (box: Bounds, { width, height }: Size): number =>
  Math.min((width - 2 * MARGIN_PX) / box.width, (height - 2 * MARGIN_PX) / box.height, 1);

interface SyncedGraphsProps {
  readonly sides: readonly [GraphSide, GraphSide];
  /** Nodes that are selected outside the graphs: both move there. */
  readonly selected: readonly string[];
  /** Nodes that differ. */
  readonly changed: ReadonlySet<string>;
  readonly onSelect: (nodeId: string | null) => void;
}

export function SyncedGraphs({ sides, selected, changed, onSelect }: SyncedGraphsProps) {
  const { ref, width, height } = useElementSize();
  const [viewport, setViewport] = useState<Viewport | null>(null);
  const [{ frame }] = sides;
  // Other graphs begin anew: React Flow reads nodes and edges once.
  const [shown, setShown] = useState({ frame, count: 0 });
  if (frame !== shown.frame) setShown({ frame, count: shown.count + 1 });
  /** A node that was chosen in a graph is in view already. */
  const chosen = useRef<string | null>(null);
  const choose = useCallback(
    (nodeId: string | null) => {
      chosen.current = nodeId;
      onSelect(nodeId);
    },
    [onSelect],
  );
  useEffect(() => {
    const bounds = findBounds(frame.nodes);
    if (width === 0 || bounds === null) return;
    setViewport((now) => {
      if (now !== null) return now;
      const size = { width, height };
      const zoom = fitZoom(bounds, size);
      const first = findFirst(frame.nodes, changed);
      if (zoom >= READABLE_ZOOM || first === null)
        return centre(bounds, size, Math.max(zoom, findMinZoom(frame)));
      return centre(first, size, CLOSE_ZOOM);
    });
  }, [frame, changed, width, height]);
  const key = selected.join('\n');
  useEffect(() => {
    const nodes = frame.nodes.filter(({ id }) => key.split('\n').includes(id));
    const bounds = findBounds(nodes);
    if (bounds === null || width === 0 || key === chosen.current) return;
    const size = { width, height };
    setViewport((now) =>
      centre(bounds, size, Math.min(fitZoom(bounds, size), Math.max(now?.zoom ?? CLOSE_ZOOM, READABLE_ZOOM))),
    );
  }, [key, frame, width, height]);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {sides.map(({ title, caption, frame: own, marks }, index) => (
        <Stack key={index} component="section" gap={4} aria-label={title} miw={0}>
          <div>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            {caption !== '' && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {caption}
              </Text>
            )}
          </div>
          <Box
            h={HEIGHT_PX}
            mt="auto"
            style={{
              border: '1px solid var(--mantine-color-default-border)',
              borderRadius: 8,
              overflow: 'hidden',
            }}
            {...(index === 0 ? { ref } : {})}
          >
            {viewport !== null && (
              <ReadOnlyGraph
                key={shown.count}
                label={title}
                frame={own}
                marks={marks}
                onSelect={choose}
                view={{ viewport, onChange: setViewport }}
              />
            )}
          </Box>
        </Stack>
      ))}
    </SimpleGrid>
  );
}

/** Finds the leftmost node that differs. */
function findFirst(nodes: readonly FlowNode[], changed: ReadonlySet<string>): Bounds | null {
  const [first] = nodes.filter(({ id }) => changed.has(id)).toSorted((a, b) => a.position.x - b.position.x);
  return first === undefined ? null : findBounds([first]);
}
