/** Every command of the canvas: its name, its keys, the selection it needs. Keys, palette, menus and help read this one list. */
export type CommandId =
  | 'add'
  | 'search'
  | 'palette'
  | 'help'
  | 'undo'
  | 'redo'
  | 'copy'
  | 'cut'
  | 'paste'
  | 'duplicate'
  | 'delete'
  | 'selectAll'
  | 'clear'
  | 'open'
  | 'disable'
  | 'group'
  | 'ungroup'
  | 'menu'
  | 'try'
  | 'rerun'
  | 'note'
  | 'compose'
  | 'connect'
  | 'tidy'
  | 'alignLeft'
  | 'alignTop'
  | 'alignCenter'
  | 'alignMiddle'
  | 'next'
  | 'previous'
  | 'edge'
  | 'above'
  | 'below'
  | 'nudgeLeft'
  | 'nudgeRight'
  | 'nudgeUp'
  | 'nudgeDown'
  | 'zoomIn'
  | 'zoomOut'
  | 'fit'
  | 'run'
  | 'stop'
  | 'deploy';

interface Command {
  readonly id: CommandId;
  readonly name: string;
  /** As `Mod+Shift+z`. The browser itself reports copy, cut and paste, so their keys are for reading alone. */
  readonly keys: readonly string[];
  readonly group: 'Add' | 'Edit' | 'Arrange' | 'View' | 'Navigate' | 'Run';
  /** The selection that the command needs. */
  readonly needs?: 'node' | 'some' | 'several';
}

export const COMMANDS: readonly Command[] = [
  { id: 'add', name: 'Add node', keys: ['/', 'n'], group: 'Add' },
  { id: 'note', name: 'Add note', keys: ['Shift+n'], group: 'Add' },
  { id: 'compose', name: 'Edit with AI', keys: ['i'], group: 'Add' },
  { id: 'connect', name: 'Connect to…', keys: ['c'], group: 'Add', needs: 'node' },
  { id: 'undo', name: 'Undo', keys: ['Mod+z'], group: 'Edit' },
  { id: 'redo', name: 'Redo', keys: ['Mod+Shift+z', 'Mod+y'], group: 'Edit' },
  { id: 'copy', name: 'Copy', keys: ['Mod+c'], group: 'Edit', needs: 'some' },
  { id: 'cut', name: 'Cut', keys: ['Mod+x'], group: 'Edit', needs: 'some' },
  { id: 'paste', name: 'Paste', keys: ['Mod+v'], group: 'Edit' },
  { id: 'duplicate', name: 'Duplicate', keys: ['Mod+d'], group: 'Edit', needs: 'some' },
  { id: 'delete', name: 'Delete', keys: ['Delete', 'Backspace'], group: 'Edit', needs: 'some' },
  { id: 'disable', name: 'Enable or disable', keys: ['d'], group: 'Edit', needs: 'some' },
  { id: 'group', name: 'Group', keys: ['Mod+g'], group: 'Edit', needs: 'some' },
  { id: 'ungroup', name: 'Ungroup', keys: ['Mod+Shift+g'], group: 'Edit', needs: 'some' },
  { id: 'selectAll', name: 'Select all', keys: ['Mod+a'], group: 'Edit' },
  { id: 'clear', name: 'Clear selection', keys: ['Escape'], group: 'Edit' },
  { id: 'tidy', name: 'Tidy up', keys: ['Shift+Alt+t'], group: 'Arrange' },
  { id: 'alignLeft', name: 'Align left edges', keys: ['Shift+Alt+l'], group: 'Arrange', needs: 'several' },
  { id: 'alignTop', name: 'Align top edges', keys: ['Shift+Alt+u'], group: 'Arrange', needs: 'several' },
  { id: 'alignCenter', name: 'Align in a column', keys: ['Shift+Alt+c'], group: 'Arrange', needs: 'several' },
  { id: 'alignMiddle', name: 'Align in a row', keys: ['Shift+Alt+m'], group: 'Arrange', needs: 'several' },
  { id: 'nudgeLeft', name: 'Move left', keys: ['Shift+ArrowLeft'], group: 'Arrange', needs: 'some' },
  { id: 'nudgeRight', name: 'Move right', keys: ['Shift+ArrowRight'], group: 'Arrange', needs: 'some' },
  { id: 'nudgeUp', name: 'Move up', keys: ['Shift+ArrowUp'], group: 'Arrange', needs: 'some' },
  { id: 'nudgeDown', name: 'Move down', keys: ['Shift+ArrowDown'], group: 'Arrange', needs: 'some' },
  { id: 'next', name: 'Next node', keys: ['ArrowRight'], group: 'Navigate' },
  { id: 'previous', name: 'Previous node', keys: ['ArrowLeft'], group: 'Navigate' },
  { id: 'edge', name: 'Next edge', keys: ['e'], group: 'Navigate' },
  { id: 'above', name: 'Node above', keys: ['ArrowUp'], group: 'Navigate' },
  { id: 'below', name: 'Node below', keys: ['ArrowDown'], group: 'Navigate' },
  { id: 'open', name: 'Open node', keys: ['Enter'], group: 'Navigate', needs: 'node' },
  { id: 'menu', name: 'Node actions', keys: ['m', 'ContextMenu'], group: 'Navigate', needs: 'node' },
  { id: 'search', name: 'Find node', keys: ['Mod+f'], group: 'Navigate' },
  { id: 'palette', name: 'All commands', keys: ['Mod+k'], group: 'View' },
  { id: 'help', name: 'Keyboard shortcuts', keys: ['?'], group: 'View' },
  { id: 'zoomIn', name: 'Zoom in', keys: ['+', '='], group: 'View' },
  { id: 'zoomOut', name: 'Zoom out', keys: ['-'], group: 'View' },
  { id: 'fit', name: 'Fit to view', keys: ['1'], group: 'View' },
  { id: 'run', name: 'Run', keys: ['Mod+Enter'], group: 'Run' },
  { id: 'try', name: 'Test this node', keys: ['t'], group: 'Run', needs: 'node' },
  { id: 'rerun', name: 'Rerun from here', keys: ['r'], group: 'Run', needs: 'node' },
  { id: 'stop', name: 'Cancel run', keys: ['Mod+.'], group: 'Run' },
  { id: 'deploy', name: 'Deploy', keys: ['Mod+Shift+Enter'], group: 'Run' },
];

interface Stroke {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly code?: string;
}

/** Writes a stroke as the list does. Letters go by their keys, whatever Shift and Alt make of them. */
export function formatStroke({ key, code, metaKey, ctrlKey, shiftKey, altKey }: Stroke): string {
  const letter = /^Key([A-Z])$/.exec(altKey ? (code ?? '') : '')?.[1] ?? key;
  const name = letter.length === 1 ? letter.toLowerCase() : letter;
  // A sign such as `?` needs Shift on one keyboard and not on another: its character alone counts.
  const isSign = name.length === 1 && !/[a-z]/.test(name);
  const parts = [
    ...(metaKey || ctrlKey ? ['Mod'] : []),
    ...(shiftKey && !isSign ? ['Shift'] : []),
    ...(altKey ? ['Alt'] : []),
  ];
  return [...parts, name].join('+');
}

/** Copy, cut and paste come as events of the browser: they need no permission there, and work over plain HTTP. */
const BY_BROWSER: ReadonlySet<CommandId> = new Set<CommandId>(['copy', 'cut', 'paste']);

/** Finds the command of a stroke; null when there is none or the browser reports it. */
export function findCommand(stroke: Stroke): Command | null {
  const name = formatStroke(stroke);
  const command = COMMANDS.find(({ keys }) => keys.includes(name));
  return command === undefined || BY_BROWSER.has(command.id) ? null : command;
}

/** Whether the selection allows a command. */
export function canDo(
  { needs }: Command,
  selected: { readonly nodes: number; readonly edges: number },
): boolean {
  if (needs === 'node') return selected.nodes === 1;
  if (needs === 'several') return selected.nodes > 1;
  return needs !== 'some' || selected.nodes + selected.edges > 0;
}
