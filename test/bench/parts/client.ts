/** Part `client`: what the client library costs beside bare `fetch`, of a start and of an event. */
import { randomUUID } from 'node:crypto';
import { WorkflowClient } from '../../../src/surfaces/client/client.ts';
import { pureChain } from '../graphs.ts';
import { roundsOf, type Part } from '../part.ts';
import { inTurns, median, timed, type Side } from '../statistics.ts';
import { ms } from '../table.ts';

const EVENTS = 20_000;
/** As the service writes them: many in one write. */
const EVENTS_IN_A_CHUNK = 50;

/** A run's stream of tokens as bytes, as the service writes it. */
function streamed(): readonly Uint8Array[] {
  const runId = randomUUID();
  const about = { run_id: runId, thread_id: runId, timestamp: new Date().toISOString() };
  const node = {
    step_id: runId,
    node_id: 'answer',
    node_type: 'llm',
    node_name: 'Answer',
    attempt: 1,
    depth: 1,
  };
  const frames = Array.from({ length: EVENTS }, (_, at) => {
    const isLast = at === EVENTS - 1;
    const token = {
      type: 'token',
      ...about,
      ...node,
      delta: 'some text ',
      channel: 'content',
      replay: false,
    };
    const end = {
      type: 'run_completed',
      ...about,
      status: 'completed',
      output: null,
      output_truncated: false,
    };
    return `id: ${at + 1}\ndata: ${JSON.stringify({ ...(isLast ? end : token), seq: at + 1 })}\n\n`;
  });
  const encoder = new TextEncoder();
  return Array.from({ length: EVENTS / EVENTS_IN_A_CHUNK }, (_, at) =>
    encoder.encode(frames.slice(at * EVENTS_IN_A_CHUNK, (at + 1) * EVENTS_IN_A_CHUNK).join('')),
  );
}

const answerOf = (chunks: readonly Uint8Array[]): Response =>
  new Response(ReadableStream.from(chunks) as ReadableStream<Uint8Array>, {
    headers: { 'content-type': 'text/event-stream' },
  });

export const client: Part = {
  name: 'client',
  summary: 'the client library beside bare fetch: a start, and an event of a stream',
  weight: 1,
  async run(bench, limits) {
    const tenant = await bench.tenant(0);
    const { authorization = '' } = tenant.headers;
    const token = authorization.replace('Bearer ', '');
    const access = { baseUrl: bench.apiUrl, token, organizationId: tenant.organizationId };
    const body = { workflow_id: await tenant.deploy('client', pureChain(1)), input: { value: 1 } };
    const library = new WorkflowClient(access);
    const alone =
      (request: () => Promise<unknown>): Side =>
      async () => {
        await bench.quiet();
        return [await timed(request)];
      };
    const bare = async (): Promise<unknown> => {
      const response = await fetch(`${bench.apiUrl}/workflows/run`, {
        method: 'POST',
        headers: { ...tenant.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify(body),
      });
      if (response.status !== 200) throw new Error(`a start was answered ${response.status}`);
      return response.json();
    };
    const starts = await inTurns(roundsOf(limits, 150, 40), limits, {
      library: alone(() => library.runs.start(body)),
      bare: alone(bare),
    });
    const chunks = streamed();
    const replayed = new WorkflowClient({ ...access, fetch: async () => answerOf(chunks) });
    const events = await inTurns(roundsOf(limits, 10, 5), limits, {
      library: async () => [
        await timed(async () => {
          for await (const _ of replayed.runs.byRunId(randomUUID()).events()) continue;
        }),
      ],
      bare: async () => [await timed(() => answerOf(chunks).arrayBuffer())],
    });
    const startRatio = median(starts.library) / median(starts.bare);
    const eventMicros = ((median(events.library) - median(events.bare)) * 1_000) / EVENTS;
    return {
      rows: [
        {
          workload: 'start of a run, from Node',
          service: `${ms(median(starts.library))} client library`,
          beside: `${ms(median(starts.bare))} bare fetch`,
          ratio: startRatio,
        },
        {
          workload: `${EVENTS.toLocaleString('en-US')} events of a stream`,
          service: `${ms(median(events.library))} client library`,
          beside: `${ms(median(events.bare))} bytes alone`,
          ratio: null,
        },
      ],
      values: { 'client: start p50 / bare fetch': startRatio, 'client: µs an event': eventMicros },
    };
  },
};
