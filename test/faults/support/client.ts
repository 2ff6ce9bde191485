/**
 * A client that does not give up: what breaks off or fails with 5xx is tried again at the other API, as the contract
 * allows (Idempotency-Key for starts, Last-Event-ID for streams).
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/language/graph/values/value.ts';
import type { Answer, Call } from '../../support/api-server.ts';
import type { StreamFrame } from '../../support/event-stream.ts';
import type { ApiSlot, Service } from '../../support/service.ts';
import { eventually } from '../../support/waiting.ts';

export const TERMINAL: readonly string[] = [
  'run_completed',
  'run_failed',
  'run_cancelled',
  'run_interrupted',
];
/** Longer than any outage of these tests. */
const PATIENCE_MS = 120_000;

/** What a reader got of one run, over all its connections. */
export interface Reading {
  /** Those with a seq, in the order of their arrival. */
  readonly frames: readonly StreamFrame[];
  readonly connections: number;
  readonly end: StreamFrame;
}

/** The frames of one connection, until it ends, breaks, or the caller leaves. */
async function* framesOf(
  url: string,
  headers: Readonly<Record<string, string>>,
): AsyncGenerator<StreamFrame> {
  const { status, body } = await fetch(url, { headers });
  if (status !== 200 || body === null) {
    await body?.cancel();
    throw new Error(`the stream was refused: ${status}`);
  }
  let pending = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as StreamFrame;
  }
}

export class PatientClient {
  readonly #service: Service;
  #turn = 0;
  /** Requests whose outcome the client does not know: they broke off or failed. */
  unknowns = 0;
  /** Statuses of 500 and above. */
  readonly failures: number[] = [];

  constructor(service: Service) {
    this.#service = service;
  }

  /** The APIs in turns. */
  #next(): ApiSlot {
    this.#turn += 1;
    return this.#service.apis[this.#turn % 2 === 0 ? 0 : 1];
  }

  /** Repeats the request until it is answered with less than 500. The request must bear repetition. */
  async send(method: string, path: string, more: Pick<Call, 'body' | 'headers'> = {}): Promise<Answer> {
    return eventually(`an answer to ${method} ${path}`, PATIENCE_MS, async () => {
      try {
        const answer = await this.#service.call(this.#next(), method, path, more);
        if (answer.status < 500 && answer.status !== 409) return answer;
        if (answer.status >= 500) this.failures.push(answer.status);
      } catch {
        // Broken off: nobody knows what became of it.
      }
      this.unknowns += 1;
      return null;
    });
  }

  /** Starts a run; exactly one, whatever breaks off. @returns its run_id */
  async run(definition: JsonObject, input: JsonObject, more: JsonObject = {}): Promise<string> {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { workflow: definition, input, ...more };
    const answer = await this.send('POST', '/workflows/run', { body, headers });
    if (answer.status !== 200) throw new Error(`the run was refused: ${answer.status} ${answer.text}`);
    return String(answer.body.run_id);
  }

  /**
   * Reads a run's stream to its terminal frame, coming back with Last-Event-ID whenever the connection is lost.
   * @param leaveAfter may give the connection up: called with each frame
   */
  async read(runId: string, leaveAfter: (frame: StreamFrame) => boolean = () => false): Promise<Reading> {
    const frames: StreamFrame[] = [];
    let connections = 0;
    const end = await eventually(`the end of run ${runId}`, PATIENCE_MS, async () => {
      const last = frames.at(-1)?.seq;
      const headers = {
        ...this.#service.headers,
        ...(last === undefined ? {} : { 'Last-Event-ID': String(last) }),
      };
      const url = `${this.#next().url}/workflows/listen/${runId}`;
      connections += 1;
      try {
        for await (const frame of framesOf(url, headers)) {
          if (frame.seq !== undefined) frames.push(frame);
          if (TERMINAL.includes(frame.type) || leaveAfter(frame)) break;
        }
      } catch {
        // Refused or broken off: again, from the last frame.
      }
      return frames.find((frame) => TERMINAL.includes(frame.type));
    });
    return { frames, connections, end };
  }

  /** Answers the first question of an interrupted run. @returns the run_id of the run that goes on */
  async answer(interrupted: StreamFrame, action = 'approve'): Promise<string | null> {
    const [question] = interrupted['interrupts'] as { interrupt_id: string }[];
    const body = { interrupt_id: question?.interrupt_id, action };
    const answer = await this.send('POST', `/workflows/resume/${String(interrupted['run_id'])}`, { body });
    return answer.status === 200 ? String(answer.body.run_id) : null;
  }
}
