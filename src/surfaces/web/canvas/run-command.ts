/** The work of each command: keys, the palette, menus and buttons all end here. */
import { flushSync } from 'react-dom';
import type { WorkflowClient } from '../../client/client.ts';
import { editorWords } from '../words-editor.ts';
import type { Actions } from './actions.ts';
import type { CommandId } from './commands.ts';
import type { Dialog } from './context.ts';
import { NOTE } from './notes.ts';
import type { CanvasConnection } from './canvas-connection.ts';
import type { RunClient } from './run-client.ts';
import { whenShown } from './when-shown.ts';

export interface CommandContext {
  readonly connection: CanvasConnection;
  readonly actions: Actions;
  readonly client: WorkflowClient;
  readonly runs: RunClient;
  readonly openNode: (id: string | null) => void;
  readonly show: (dialog: Dialog | null) => void;
  readonly compose: () => void;
}

export function runCommand(id: CommandId, context: CommandContext): void {
  const commands = bindCommands(context);
  commands[id]();
}

/** Notes and the names of groups are edited after a double click. */
const doubleClick = (element: HTMLElement): void => {
  element.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
};

const editNote = (id: string): void => whenShown(`[data-id="${CSS.escape(id)}"] .wc-note`, doubleClick);

/** Commands that need exactly one selected node and do nothing otherwise. */
function bindNodeCommands({ connection, actions, openNode, show }: CommandContext) {
  const onlyNode = (then: (id: string) => void) => (): void => {
    const [node, more] = actions.selected.nodes;
    if (node !== undefined && more === undefined) then(node.id);
  };
  return {
    connect: onlyNode((source) => show({ kind: 'connect', source })),
    open: onlyNode((node) => {
      if (node.startsWith(NOTE)) return editNote(node);
      flushSync(() => openNode(node));
      whenShown('.wc-form input, .wc-form textarea', (field) => field.focus());
    }),
    menu: onlyNode((node) => {
      const box = document.querySelector(`[data-node="${CSS.escape(node)}"]`)?.getBoundingClientRect();
      show({ kind: 'menu', at: { x: box?.left ?? 0, y: box?.bottom ?? 0 } });
    }),
    try: onlyNode((node) => {
      flushSync(() => openNode(node));
      whenShown('.wc-try', (part) => {
        part.setAttribute('open', '');
        part.querySelector<HTMLElement>('select, textarea')?.focus();
      });
    }),
    rerun: onlyNode((nodeId) => {
      if (connection.board.hasEnded) show({ kind: 'rerun', nodeId });
      else connection.notify('info', editorWords.canvas.noRunShown);
    }),
  };
}

function bindCommands(context: CommandContext): Readonly<Record<CommandId, () => void>> {
  const { connection, actions, runs, openNode, show } = context;
  const byBrowser = (keys: string) => () => connection.notify('info', editorWords.notices.press(keys));
  return {
    ...bindNodeCommands(context),
    add: () => show({ kind: 'add', anchor: actions.anchor() }),
    search: () => show({ kind: 'search' }),
    palette: () => show({ kind: 'palette' }),
    help: () => show({ kind: 'help' }),
    run: () => show({ kind: 'run' }),
    deploy: () => show({ kind: 'deploy' }),
    compose: context.compose,
    undo: () => connection.undo(),
    redo: () => connection.redo(),
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
    note: () => editNote(actions.note()),
    group: () => {
      const id = actions.group();
      if (id !== null) whenShown(`[data-group="${id}"] button`, doubleClick);
    },
    ungroup: () => actions.ungroup(),
    tidy: () => actions.tidy(),
    alignLeft: () => actions.align('left'),
    alignTop: () => actions.align('top'),
    alignCenter: () => actions.align('center'),
    alignMiddle: () => actions.align('middle'),
    next: () => actions.step('next'),
    previous: () => actions.step('previous'),
    edge: () => actions.selectNextEdge(),
    above: () => actions.step('above'),
    below: () => actions.step('below'),
    nudgeLeft: () => actions.nudge(-1, 0),
    nudgeRight: () => actions.nudge(1, 0),
    nudgeUp: () => actions.nudge(0, -1),
    nudgeDown: () => actions.nudge(0, 1),
    zoomIn: () => actions.viewport.zoomIn(),
    zoomOut: () => actions.viewport.zoomOut(),
    fit: () => actions.viewport.fit(),
    stop: () => {
      void runs.cancel().then((refusal) => {
        if (refusal !== null) connection.notify('error', refusal);
      });
    },
  };
}
