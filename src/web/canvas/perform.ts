/** From a command's id to what it does: the one place that keys, the palette and buttons end in. */
import type { ReactFlowInstance } from '@xyflow/react';
import type { WorkflowClient } from '../../client/client.ts';
import { editorWords } from '../words-editor.ts';
import { words } from '../words.ts';
import type { Actions } from './actions.ts';
import type { CommandId } from './commands.ts';
import type { Dialog } from './context.ts';
import type { Room } from './room.ts';
import type { RunClient } from './run-client.ts';

export interface Doing {
  readonly room: Room;
  readonly actions: Actions;
  readonly flow: ReactFlowInstance;
  readonly client: WorkflowClient;
  readonly runs: RunClient;
  readonly openNode: (id: string | null) => void;
  readonly show: (dialog: Dialog | null) => void;
  readonly compose: () => void;
}

const ZOOM = { duration: 120 };

export function perform(id: CommandId, doing: Doing): void {
  const deeds = deedsOf(doing);
  deeds[id]();
}

/** What is done with the one node that is selected; with none or several nothing happens. */
function nodeDeedsOf({ room, actions, openNode, show }: Doing) {
  const onlyNode = (then: (id: string) => void) => (): void => {
    const [node, more] = actions.selected.nodes;
    if (node !== undefined && more === undefined) then(node.id);
  };
  return {
    connect: onlyNode((source) => show({ kind: 'connect', source })),
    open: onlyNode((node) => {
      openNode(node);
      requestAnimationFrame(() =>
        document.querySelector<HTMLElement>('.wc-panel input, .wc-panel textarea')?.focus(),
      );
    }),
    menu: onlyNode((node) => {
      const box = document.querySelector(`[data-node="${CSS.escape(node)}"]`)?.getBoundingClientRect();
      show({ kind: 'menu', at: { x: box?.left ?? 0, y: box?.bottom ?? 0 } });
    }),
    try: onlyNode((node) => {
      openNode(node);
      requestAnimationFrame(() => {
        const part = document.querySelector<HTMLDetailsElement>('.wc-try');
        if (part === null) return;
        part.open = true;
        part.querySelector<HTMLElement>('select, textarea')?.focus();
      });
    }),
    rerun: onlyNode((nodeId) => {
      if (room.board.hasEnded) show({ kind: 'rerun', nodeId });
      else room.notify('info', words.canvas.noRunShown);
    }),
  };
}

function deedsOf(doing: Doing): Readonly<Record<CommandId, () => void>> {
  const { room, actions, flow, runs, openNode, show } = doing;
  const byBrowser = (keys: string) => () => room.notify('info', editorWords.notices.press(keys));
  return {
    ...nodeDeedsOf(doing),
    add: () => show({ kind: 'add', anchor: actions.anchor() }),
    search: () => show({ kind: 'search' }),
    palette: () => show({ kind: 'palette' }),
    help: () => show({ kind: 'help' }),
    run: () => show({ kind: 'run' }),
    compose: doing.compose,
    undo: () => room.undo(),
    redo: () => room.redo(),
    copy: byBrowser('Ctrl+C'),
    cut: byBrowser('Ctrl+X'),
    paste: byBrowser('Ctrl+V'),
    duplicate: () => actions.duplicate(),
    delete: () => actions.delete(),
    selectAll: () => actions.selectAll(true),
    clear: () => {
      actions.selectAll(false);
      openNode(null);
    },
    disable: () => actions.disable(),
    note: () => actions.note(),
    tidy: () => actions.tidy(),
    alignLeft: () => actions.align('left'),
    alignTop: () => actions.align('top'),
    alignCenter: () => actions.align('center'),
    alignMiddle: () => actions.align('middle'),
    next: () => actions.go('next'),
    previous: () => actions.go('previous'),
    above: () => actions.go('above'),
    below: () => actions.go('below'),
    nudgeLeft: () => actions.nudge(-1, 0),
    nudgeRight: () => actions.nudge(1, 0),
    nudgeUp: () => actions.nudge(0, -1),
    nudgeDown: () => actions.nudge(0, 1),
    zoomIn: () => void flow.zoomIn(ZOOM),
    zoomOut: () => void flow.zoomOut(ZOOM),
    fit: () => actions.fit(),
    stop: () => {
      void runs.cancel().then((refusal) => {
        if (refusal !== null) room.notify('error', refusal);
      });
    },
  };
}
