/** Looks whether a request had its effect, and shows what was found with its time. A person decides. */
import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import type { WorkflowClient } from '../../client/client.ts';
import { CopyField } from '../kit/copy-field.tsx';
import { moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { runWords } from '../words-runs.ts';

interface LookProps {
  readonly client: WorkflowClient;
  readonly stepId: string;
  /** The request as it was recorded: that of an action has `parameters`. */
  readonly request: Json;
}

export function LookButton({ client, stepId, request }: LookProps) {
  const look = useMutation({
    async mutationFn() {
      const { run_id: runId, about } = await client.unknownOutcomes.look(stepId);
      const end = await (await client.runs.handle(runId)).result();
      if (end.type !== 'run_completed') throw new Error(runWords.look.failed);
      const output = end.output as Json;
      const items = isObject(output) ? ownValue(output, 'items') : null;
      return { about, at: end.timestamp, items: Array.isArray(items) ? items : [] };
    },
  });
  if (!isObject(request) || !isObject(ownValue(request, 'parameters') ?? null)) return null;
  const { data } = look;
  return (
    <Stack gap="xs" align="flex-start">
      <Button variant="default" loading={look.isPending} onClick={() => look.mutate()}>
        {runWords.look.look}
      </Button>
      <Failure error={look.error} />
      {data !== undefined && (
        <Alert role="status" title={runWords.look.found(data.items.length, moment(data.at))} w="100%">
          <Text size="sm">{data.about}</Text>
          {data.items.slice(0, 3).map((item, index) => {
            const text = JSON.stringify({ data: item }, null, 2);
            return (
              <Stack key={index} gap="xs" mt="xs">
                <Code block tabIndex={0} mah={240} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
                  {text}
                </Code>
                <CopyField label={runWords.look.copy} value={text} />
              </Stack>
            );
          })}
        </Alert>
      )}
    </Stack>
  );
}
