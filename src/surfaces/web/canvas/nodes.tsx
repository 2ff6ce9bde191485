/** The React Flow nodes of the canvas: those of the nine kinds, and the start and the end. */
import { Handle, Position } from '@xyflow/react';
import {
  AlertTriangle,
  Check,
  CircleAlert,
  CirclePause,
  Flag,
  FlaskConical,
  Hand,
  LoaderCircle,
  Lock,
  Pin,
  Play,
  RotateCcw,
  SkipForward,
} from 'lucide-react';
import { Fragment, memo } from 'react';
import { cutTextStart } from '../../../language/graph/values/cut-text.ts';
import { isObject, ownValue } from '../../../language/graph/values/value.ts';
import { joinMessages } from '../forms/problem-words.ts';
import { editorWords } from '../words-editor.ts';
import { pinWords } from '../words-pins.ts';
import { statusLabel } from '../words-statuses.ts';
import { AddAfter } from './add-after.tsx';
import { readText, type FlowData } from './binding.ts';
import { summarizeNode } from './card-summary.ts';
import { useHasPin, useIsEdited, useNodeProblems, useNodeRun, useNodeTexts, useVisitor } from './context.ts';
import { END_SIZE, handleTop, countRows } from './geometry.ts';
import { isMocked, findKindStyle } from './kinds.ts';
import { NodeIcon } from './node-icon.tsx';
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

/** The end of the text that a model is streaming. */
function Tokens({ id }: { readonly id: string }) {
  const text = useNodeTexts(id).at(-1)?.text ?? '';
  return text === '' ? null : <div className="wc-tokens">{cutTextStart(text, 160)}</div>;
}

export const KindNode = memo(function KindNode({ id, data, selected }: Props<'node'>) {
  const { node, handles } = data;
  const kind = findKindStyle(readText(node, 'type'));
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
  const summary = summarizeNode(node) || kind.label;
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      style={visitor === null ? undefined : ({ '--wc-visitor': visitor.color } as React.CSSProperties)}
      data-visited={visitor === null ? undefined : ''}
      data-node={id}
    >
      <Handle type="target" position={Position.Left} style={{ top: handleTop([], 0) }} />
      <div className="wc-head">
        <NodeIcon kind={kind} isNamed />
        <div className="wc-words">
          <div className="wc-name">{name}</div>
          <div className="wc-kind" title={isEdited ? undefined : summary}>
            {isEdited ? editorWords.node.edited : summary}
          </div>
        </div>
        {isObject(ownValue(node, 'confirm')) && <Hand size={14} aria-label={editorWords.node.asks} />}
        {hasPin && <Pin size={14} aria-label={pinWords.pinned} />}
        {isMocked(node) && <FlaskConical size={14} aria-label={pinWords.mocked} />}
        {problems.length > 0 && (
          <span
            className={errors.length > 0 ? 'wc-problem wc-problem-error' : 'wc-problem'}
            title={joinMessages(problems)}
          >
            <AlertTriangle size={14} aria-label={editorWords.tools.problemCount(problems.length)} />
          </span>
        )}
        {run !== undefined && <RunBadge run={run} isEdited={isEdited} />}
      </div>
      {countRows(handles) > 0 &&
        handles.map(({ id: handle, label }) => (
          <div className="wc-row" key={handle} title={label} data-error={handle === 'error' ? '' : undefined}>
            {label || editorWords.edgeForm.next}
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
