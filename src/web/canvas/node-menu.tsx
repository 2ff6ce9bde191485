/** What can be done with one node, as a menu: under the pointer, or under the node when a key has opened it. */
import { Menu } from '@mantine/core';
import { words } from '../words.ts';
import { COMMANDS, type CommandId } from './commands.ts';
import type { Point } from './geometry.ts';
import { keyText } from './key-text.ts';
import { perform, type Doing } from './perform.ts';

const IDS: readonly CommandId[] = ['open', 'try', 'rerun', 'connect', 'duplicate', 'disable', 'delete'];

export function NodeMenu({ at, doing }: { readonly at: Point; readonly doing: Doing }) {
  const close = (): void => doing.show(null);
  const commands = COMMANDS.filter(({ id }) => IDS.includes(id));
  return (
    <Menu opened onClose={close} position="bottom-start" closeOnItemClick={false} trapFocus returnFocus>
      <Menu.Target>
        <span className="wc-anchor" style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={words.canvas.nodeMenu}>
        {commands.map(({ id, name, keys }) => (
          <Menu.Item
            key={id}
            disabled={id === 'rerun' && !doing.room.board.hasEnded}
            rightSection={<kbd>{keys.slice(0, 1).map(keyText)}</kbd>}
            onClick={() => {
              close();
              perform(id, doing);
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
