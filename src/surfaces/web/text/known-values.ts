/** The values that this page knows: outputs of runs, tests and pins, and the input of the last run. */
import type { CanvasDocument } from '../../../features/canvas/room/document.ts';
import { parsePin, readPins } from '../../../language/graph/definition/pins.ts';
import { ownValue, type Json } from '../../../language/graph/values/value.ts';

export interface KnownValues {
  readonly findOutput: (nodeId: string) => Json | undefined;
  readonly input: Json | undefined;
}

/** The outputs and the input that a board keeps. */
interface Board {
  lastOutput(nodeId: string): Json | undefined;
  readonly lastInput: Json | undefined;
}

/** Reads what is known; a pinned output comes first, as in test runs. */
export function readKnownValues(document: CanvasDocument, board: Board): KnownValues {
  const pins = readPins(ownValue(document.rest, 'metadata'));
  return {
    input: board.lastInput,
    findOutput: (nodeId) => {
      const pin = parsePin(ownValue(pins, nodeId));
      return pin !== null && 'output' in pin ? pin.output : board.lastOutput(nodeId);
    },
  };
}
