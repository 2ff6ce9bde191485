/** The response to a start and to a resume: the run and its first two messages. */
import { cutText } from '../../../language/graph/values/cut-text.ts';
import type { JsonObject } from '../../../language/graph/values/value.ts';
import { deriveUuid } from './derive-uuid.ts';

/** The facts of a run in the answers to a start and to a resume. */
interface StartedRun {
  readonly runPk: string;
  /** The first segment of the run: its message holds the output, also after questions were answered. */
  readonly rootRunPk: string;
  readonly runId: string;
  readonly threadId: string | null;
  readonly chatId: string | null;
  readonly createdAt: Date;
  readonly ephemeral: boolean;
  readonly stream: boolean;
  readonly workflowName: string;
  readonly workflowVersion: string;
  readonly workflowSource: string;
  readonly messagePreview: string;
  readonly elapsedMs: number;
}

export type MessageRole = 'human' | 'ai';

/** Derives the id of a message from its run, so that message lists show the ids of the start response. */
export const messageId = (runPk: string, role: MessageRole): string => deriveUuid(`message:${role}:${runPk}`);

/** The run start response (SPEC API-run-start). */
export function presentStart(run: StartedRun): JsonObject {
  const about = { run_id: run.runId, chat_id: run.chatId, created_at: run.createdAt.toISOString() };
  return {
    status: 'running',
    run_id: run.runId,
    thread_id: run.threadId,
    chat_id: run.chatId,
    ephemeral: run.ephemeral,
    stream: run.stream,
    workflow_name: run.workflowName,
    workflow_version: run.workflowVersion,
    workflow_source: run.workflowSource,
    elapsed_ms: run.elapsedMs,
    human_message: {
      id: messageId(run.runPk, 'human'),
      role: 'human',
      content: run.messagePreview,
      status: 'completed',
      ...about,
    },
    ai_message: {
      id: messageId(run.rootRunPk, 'ai'),
      role: 'ai',
      content: '',
      status: 'pending',
      ...about,
    },
    message: 'Workflow run started',
  };
}

const MAX_PREVIEW = 2_000;

/** Builds the preview of a run's message: the message or text of the input, or the input as JSON; at most 2,000 characters. */
export function messagePreview(input: JsonObject): string {
  for (const key of ['message', 'text']) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined;
    if (typeof value === 'string') return cutText(value, MAX_PREVIEW);
  }
  return Object.keys(input).length === 0 ? '' : cutText(JSON.stringify(input), MAX_PREVIEW);
}
