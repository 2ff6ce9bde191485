/** The answer of a chat while it comes: what its run tells, gathered to one picture a frame. */
import { useEffect, useEffectEvent, useState } from 'react';
import type { RunEnd, RunEvent, WorkflowClient } from '../../client/client.ts';
import { isEnd } from '../../client/event-stream.ts';
import type { OpenQuestion } from '../runs/question-card.tsx';

export interface LiveAnswer {
  readonly runId: string | null;
  readonly text: string;
  /** The node that is at work, and how often it has begun: a model may be asked again. */
  readonly nodeId: string | null;
  readonly round: number;
  readonly questions: readonly OpenQuestion[];
  /** Why the run cannot be followed. */
  readonly trouble: Error | null;
}

const QUIET: LiveAnswer = { runId: null, text: '', nodeId: null, round: 0, questions: [], trouble: null };

/** Applies one event. */
function after(live: LiveAnswer, event: RunEvent): LiveAnswer {
  if (event.type === 'node_started') {
    const { node_id: nodeId } = event;
    return { ...live, nodeId, round: live.round + (nodeId === 'compose' ? 1 : 0), text: '' };
  }
  if (event.type === 'token' && event.channel === 'content')
    return { ...live, text: live.text + event.delta };
  if (event.type === 'token_reset') return { ...live, text: '' };
  if (event.type === 'run_interrupted') return { ...live, nodeId: null, questions: event.interrupts ?? [] };
  return live;
}

/**
 * Follows the run of an answer from its first event on.
 * @param runId null while nothing is awaited
 * @param onEnd hears how it ended; null when it cannot be followed any more
 */
export function useLiveAnswer(
  client: WorkflowClient,
  runId: string | null,
  onEnd: (end: RunEnd | null) => void,
): LiveAnswer {
  const [live, setLive] = useState(QUIET);
  const tellEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (runId === null) return undefined;
    const stop = new AbortController();
    let next: LiveAnswer = { ...QUIET, runId };
    let frame = 0;
    const show = (): void => {
      frame = 0;
      setLive(next);
    };
    const follow = async (): Promise<void> => {
      let end: RunEnd | null = null;
      try {
        for await (const event of client.runs.byRunId(runId).events({ signal: stop.signal })) {
          next = after(next, event);
          if (isEnd(event)) end = event;
          if (frame === 0) frame = requestAnimationFrame(show);
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        next = { ...next, trouble: error instanceof Error ? error : new Error(String(error)) };
      }
      if (stop.signal.aborted) return;
      show();
      tellEnd(end);
    };
    void follow();
    return () => {
      stop.abort();
      cancelAnimationFrame(frame);
    };
  }, [client, runId]);
  return live.runId === runId ? live : QUIET;
}
