/** One node in two runs: each place in which its outputs differ, and its errors, with both values. */
import { useQuery } from '@tanstack/react-query';
import type { WorkflowClient } from '../../client/client.ts';
import type { ComparedNode, ComparedStep } from '../../client/openapi.ts';
import { getAt, parsePointer } from '../../../language/graph/values/pointer.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { Failure, Waiting } from '../kit/page.tsx';
import { runWords } from '../words-runs.ts';
import { ValueDifferences, type ValueDifference } from './value-differences.tsx';

interface ComparedOutputsProps {
  readonly client: WorkflowClient;
  /** Both runs, by run_pk. */
  readonly runPks: readonly [string, string];
  readonly node: ComparedNode;
}

export function ComparedOutputs({ client, runPks: [first, second], node }: ComparedOutputsProps) {
  const { a, b, differences, output_differs: differs } = node;
  const steps = useQuery({
    queryKey: ['compared-outputs', first, second, node.node_id],
    queryFn: async () => {
      const read = (runPk: string, step: ComparedStep | null) =>
        step === null ? Promise.resolve(null) : client.runs.step({ runPk, stepId: step.step_id });
      return Promise.all([read(first, a), read(second, b)]);
    },
    staleTime: 'static',
  });
  if (steps.data === undefined) return steps.isError ? <Failure error={steps.error} /> : <Waiting />;
  const [old, now] = steps.data;
  const [oldError, newError] = [old?.error?.message, now?.error?.message];
  const places = differs ? (differences ?? ['']) : [];
  const outputs = places.map((pointer): ValueDifference => {
    const tokens = parsePointer(pointer);
    const read = (step: typeof old): Json | undefined => getAt((step?.output ?? undefined) as Json, tokens);
    return { path: [runWords.output, ...tokens], values: [read(old), read(now)] };
  });
  const errors: ValueDifference[] =
    oldError === newError ? [] : [{ path: [runWords.error], values: [oldError, newError] }];
  return <ValueDifferences differences={[...errors, ...outputs]} />;
}
