/** Running again from a node of the run that the canvas shows: the plan first, then the new run takes its place. */
import { useQuery } from '@tanstack/react-query';
import { RerunDialog } from '../runs/rerun-dialog.tsx';
import type { CommandContext } from './run-command.ts';

export function RerunHere({
  nodeId,
  context,
}: {
  readonly nodeId: string;
  readonly context: CommandContext;
}) {
  const { client, connection, runs, show } = context;
  const { runId } = connection.board.run;
  const record = useQuery({
    queryKey: ['run-key', runId],
    queryFn: async () => (await client.runs.list({ run_id: runId ?? '' }).page()).runs[0]?.id ?? null,
    enabled: runId !== null,
  });
  const runPk = record.data ?? null;
  if (runPk === null) return null;
  return (
    <RerunDialog
      client={client}
      runPk={runPk}
      from={{ from_node_id: nodeId }}
      workflowId={connection.workflowId}
      onClose={() => show(null)}
      onStarted={(started) => {
        show(null);
        runs.showRun(started);
      }}
    />
  );
}
