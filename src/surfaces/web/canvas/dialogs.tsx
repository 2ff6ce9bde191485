/** The dialogs that commands open, except the menu that adds a node. */
import { Kbd, Modal } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { END } from '../../../language/graph/definition/definition.ts';
import type { Actions } from './actions.ts';
import { canDo, COMMANDS } from './commands.ts';
import type { Dialog } from './context.ts';
import { Finder, type FinderEntry } from './finder.tsx';
import { keyText } from './key-text.ts';
import { findKindStyle } from './kinds.ts';
import { NodeMenu } from './node-menu.tsx';
import { runCommand, type CommandContext } from './run-command.ts';
import { editorWords } from '../words-editor.ts';

const RerunHere = lazy(async () => ({ default: (await import('./rerun-here.tsx')).RerunHere }));
const DeployDialog = lazy(async () => ({
  default: (await import('../deploy/deploy-dialog.tsx')).DeployDialog,
}));
const RunDialog = lazy(async () => ({ default: (await import('../panel/run-dialog.tsx')).RunDialog }));

interface DialogsProps {
  readonly dialog: Exclude<Dialog, { readonly kind: 'add' }>;
  readonly context: CommandContext;
}

export function Dialogs({ dialog, context }: DialogsProps) {
  const { actions, show } = context;
  const close = (): void => show(null);
  if (dialog.kind === 'run')
    return (
      <Suspense>
        <RunDialog {...context} onClose={close} />
      </Suspense>
    );
  if (dialog.kind === 'deploy')
    return (
      <Suspense>
        <DeployDialog connection={context.connection} onClose={close} />
      </Suspense>
    );
  if (dialog.kind === 'help') return <Help onClose={close} />;
  if (dialog.kind === 'palette') return <Palette context={context} />;
  if (dialog.kind === 'menu') return <NodeMenu at={dialog.at} context={context} />;
  if (dialog.kind === 'rerun')
    return (
      <Suspense>
        <RerunHere nodeId={dialog.nodeId} context={context} />
      </Suspense>
    );
  if (dialog.kind === 'connect') return <ConnectTo source={dialog.source} context={context} />;
  const pick = (id: string): void => {
    close();
    actions.select([id]);
  };
  const entries = (text: string): FinderEntry[] => listNodes(actions, text);
  return <Finder title={editorWords.tools.search} entries={entries} onPick={pick} onClose={close} />;
}

const listNodes = (actions: Actions, text: string): FinderEntry[] =>
  actions
    .findNodes(text)
    .map(({ id, name, type }) => ({ id, label: name, hint: `${findKindStyle(type).label} · ${id}` }));

function ConnectTo({ source, context }: { readonly source: string; readonly context: CommandContext }) {
  const { actions, show } = context;
  const { end, endHint, connect } = editorWords.dialogs;
  const targets = (text: string): FinderEntry[] => [
    ...listNodes(actions, text).filter(({ id }) => id !== source),
    ...(end.toLowerCase().includes(text.toLowerCase()) ? [{ id: END, label: end, hint: endHint }] : []),
  ];
  const pick = (id: string): void => {
    show(null);
    actions.connect(source, actions.findFreeHandle(source), id);
  };
  return <Finder title={connect(source)} entries={targets} onPick={pick} onClose={() => show(null)} />;
}

function Palette({ context }: { readonly context: CommandContext }) {
  const { nodes, edges } = context.actions.selected;
  const selected = { nodes: nodes.length, edges: edges.length };
  const entries = (text: string): FinderEntry[] =>
    COMMANDS.filter((command) => canDo(command, selected))
      .filter(({ name, group }) => `${group} ${name}`.toLowerCase().includes(text.toLowerCase()))
      .map(({ id, name, keys }) => ({ id, label: name, hint: keys.slice(0, 1).map(keyText).join() }));
  const pick = (id: string): void => {
    context.show(null);
    const command = COMMANDS.find((one) => one.id === id);
    if (command !== undefined) runCommand(command.id, context);
  };
  return (
    <Finder
      title={editorWords.dialogs.palette}
      entries={entries}
      onPick={pick}
      onClose={() => context.show(null)}
    />
  );
}

function Help({ onClose }: { readonly onClose: () => void }) {
  const groups = [...new Set(COMMANDS.map(({ group }) => group))];
  return (
    <Modal opened onClose={onClose} title={editorWords.dialogs.keys} size="min(860px, 95vw)">
      <div className="wc-help">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {COMMANDS.filter((command) => command.group === group).map(({ id, name, keys }) => (
                <div key={id}>
                  <dt>{name}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} size="xs" ml={4}>
                        {keyText(key)}
                      </Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
