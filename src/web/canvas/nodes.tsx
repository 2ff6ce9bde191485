/** The elements on the canvas: nodes of the nine kinds, the two ends, and notes. */
import { Handle, Position } from '@xyflow/react';
import {
  AlertTriangle,
  Check,
  CircleAlert,
  CirclePause,
  Flag,
  FlaskConical,
  LoaderCircle,
  Lock,
  Pin,
  Play,
  RotateCcw,
  SkipForward,
} from 'lucide-react';
import { Fragment, memo, useState } from 'react';
import { cutTextStart } from '../../graph/cut-text.ts';
import { ownValue } from '../../graph/value.ts';
import { editorWords } from '../words-editor.ts';
import { pinWords } from '../words-pins.ts';
import { statusLabel } from '../words-statuses.ts';
import { AddAfter } from './add-after.tsx';
import { readText, type FlowData } from './binding.ts';
import {
  useEditing,
  useHasPin,
  useIsEdited,
  useNodeProblems,
  useNodeRun,
  useNodeText,
  useVisitor,
} from './context.ts';
import { END_SIZE, handleTop, countRows } from './geometry.ts';
import { isMocked, findLook } from './kinds.ts';
import { NodeIcon } from './node-icon.tsx';
import { NOTE, setNote } from './notes.ts';
import type { NodeRun } from './run-board.ts';

interface Props<Kind extends FlowData['kind']> {
  readonly id: string;
  readonly data: Extract<FlowData, { kind: Kind }>;
  readonly selected?: boolean;
}

const STATUS_ICONS = {
  running: LoaderCircle,
  retrying: LoaderCircle,
  waiting: CirclePause,
  completed: Check,
  failed: CircleAlert,
  skipped: SkipForward,
  reused: RotateCcw,
} as const;

function RunBadge({ run, isEdited }: { readonly run: NodeRun; readonly isEdited: boolean }) {
  const Icon = Object.hasOwn(STATUS_ICONS, run.status)
    ? STATUS_ICONS[run.status as keyof typeof STATUS_ICONS]
    : null;
  if (Icon === null) return null;
  const label = statusLabel(run.status);
  const time = run.durationMs === undefined ? '' : `, ${Math.round(run.durationMs)} ms`;
  return (
    <span
      className={`wc-badge wc-badge-${run.status}`}
      data-edited={isEdited ? '' : undefined}
      title={`${label}${time}`}
    >
      <Icon size={14} aria-label={label} />
    </span>
  );
}

/** The last two lines of the text that a model is writing. */
function Tokens({ id }: { readonly id: string }) {
  const text = useNodeText(id);
  return text === '' ? null : <div className="wc-tokens">{cutTextStart(text, 160)}</div>;
}

export const KindNode = memo(function KindNode({ id, data, selected }: Props<'node'>) {
  const { node, handles } = data;
  const look = findLook(readText(node, 'type'));
  const run = useNodeRun(id);
  const visitor = useVisitor(id);
  const isEdited = useIsEdited(id, node);
  const hasPin = useHasPin(id);
  const problems = useNodeProblems(id);
  const isDisabled = ownValue(node, 'disabled') === true;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const classes = [
    'wc-node',
    selected === true && 'wc-selected',
    isDisabled && 'wc-disabled',
    run !== undefined && `wc-run-${run.status}`,
  ];
  const name = readText(node, 'name') || id;
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      style={visitor === null ? undefined : ({ '--wc-visitor': visitor.color } as React.CSSProperties)}
      data-visited={visitor === null ? undefined : ''}
      data-node={id}
    >
      <Handle type="target" position={Position.Left} style={{ top: handleTop([], 0) }} />
      <div className="wc-head">
        <NodeIcon look={look} />
        <div className="wc-words">
          <div className="wc-name">{name}</div>
          <div className="wc-kind">
            {look.label} · {isEdited ? editorWords.node.edited : id}
          </div>
        </div>
        {hasPin && <Pin size={14} aria-label={pinWords.pinned} />}
        {isMocked(node) && <FlaskConical size={14} aria-label={pinWords.mocked} />}
        {problems.length > 0 && (
          <span
            className={errors.length > 0 ? 'wc-problem wc-problem-error' : 'wc-problem'}
            title={problems.map(({ message }) => message).join('\n')}
          >
            <AlertTriangle size={14} aria-label={`${problems.length} problems`} />
          </span>
        )}
        {run !== undefined && <RunBadge run={run} isEdited={isEdited} />}
      </div>
      {countRows(handles) > 0 &&
        handles.map(({ id: handle, label }) => (
          <div className="wc-row" key={handle} data-error={handle === 'error' ? '' : undefined}>
            {label || 'next'}
          </div>
        ))}
      {handles.map(({ id: handle, label }, index) => (
        <Fragment key={handle}>
          <Handle
            id={handle}
            type="source"
            position={Position.Right}
            style={{ top: handleTop(handles, index) }}
          />
          <AddAfter
            source={id}
            handle={handle}
            label={handles.length > 1 ? `${name}: ${label || handle}` : name}
            top={handleTop(handles, index)}
          />
        </Fragment>
      ))}
      {visitor !== null && (
        <span className="wc-visitor">
          {visitor.isLock && <Lock size={10} aria-hidden />} {visitor.name}
        </span>
      )}
      {run !== undefined && <Tokens id={id} />}
    </div>
  );
});

export const EndNode = memo(function EndNode({ id, data, selected }: Props<'end'>) {
  const isStart = data.label === 'Start';
  const Icon = isStart ? Play : Flag;
  return (
    <div className={selected === true ? 'wc-end wc-selected' : 'wc-end'} data-node={id}>
      <Icon size={14} aria-hidden /> {data.label}
      <Handle
        id={isStart ? 'default' : null}
        type={isStart ? 'source' : 'target'}
        position={isStart ? Position.Right : Position.Left}
      />
      {isStart && <AddAfter source={id} handle="default" label={data.label} top={END_SIZE.height / 2} />}
    </div>
  );
});

export const NoteNode = memo(function NoteNode({ id, data, selected }: Props<'note'>) {
  const { connection } = useEditing();
  const [draft, setDraft] = useState<string | null>(null);
  const commit = (): void => {
    if (draft !== null && draft !== data.note.text) {
      connection.edit(setNote(id.slice(NOTE.length), { text: draft }), { label: 'edit a note' });
    }
    setDraft(null);
  };
  return (
    <div
      className={selected === true ? 'wc-note wc-selected' : 'wc-note'}
      style={{ width: data.note.width, height: data.note.height }}
      onDoubleClick={() => setDraft(data.note.text)}
    >
      {draft === null ? (
        data.note.text || <em>{editorWords.note.empty}</em>
      ) : (
        <textarea
          className="nodrag nowheel"
          aria-label={editorWords.note.label}
          autoFocus
          value={draft}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Escape') commit();
          }}
        />
      )}
    </div>
  );
});
