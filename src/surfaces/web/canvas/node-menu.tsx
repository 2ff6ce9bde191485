/** The menu of one node: under the pointer, or under the node when a key has opened it. */
import { Menu } from '@mantine/core';
import { editorWords } from '../words-editor.ts';
import { COMMANDS, type CommandId } from './commands.ts';
import type { Point } from './geometry.ts';
import { keyText } from './key-text.ts';
import { runCommand, type CommandContext } from './run-command.ts';

const IDS: readonly CommandId[] = [
  'open',
  'try',
  'rerun',
  'connect',
  'duplicate',
  'group',
  'disable',
  'delete',
];

export function NodeMenu({ at, context }: { readonly at: Point; readonly context: CommandContext }) {
  const close = (): void => context.show(null);
  const commands = COMMANDS.filter(({ id }) => IDS.includes(id));
  return (
    <Menu opened onClose={close} position="bottom-start" closeOnItemClick={false} trapFocus returnFocus>
      <Menu.Target>
        <span className="wc-anchor" style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={editorWords.canvas.nodeMenu}>
        {commands.map(({ id, name, keys }) => (
          <Menu.Item
            key={id}
            disabled={id === 'rerun' && !context.connection.board.hasEnded}
            rightSection={<kbd>{keys.slice(0, 1).map(keyText)}</kbd>}
            onClick={() => {
              close();
              runCommand(id, context);
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
