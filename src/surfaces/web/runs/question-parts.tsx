/** Parts of a question that are the same on every page: its terms, the data that it shows, and the buttons of its answers. */
import { Button, Code, Group, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { WorkflowClient } from '../../client/client.ts';
import { isObject, type Json } from '../../../language/graph/values/value.ts';
import { moment } from '../kit/moment.ts';
import { runWords } from '../words-runs.ts';

interface Terms {
  readonly isCallback: boolean;
  /** The number of people who must give the same answer. */
  readonly required: number;
  /** Answers so far, where they are known. */
  readonly given?: number;
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
}

/** Lists how the question is answered: by another service, by several people, until when. */
export const listTerms = ({ isCallback, required, given = 0, expiresAt }: Terms): readonly string[] => [
  ...(isCallback ? [runWords.awaitsCallback] : []),
  ...(required > 1 ? [runWords.needsAnswers(required, given)] : []),
  ...(expiresAt === null ? [] : [`${runWords.until} ${moment(expiresAt)}`]),
];

const EffectRequest = lazy(async () => ({ default: (await import('./effect-request.tsx')).EffectRequest }));

interface QuestionDataProps {
  readonly client: WorkflowClient;
  readonly kind: string;
  readonly payload: Json;
}

export function QuestionData({ client, kind, payload }: QuestionDataProps) {
  if (payload === null) return null;
  const text = (
    <Code block tabIndex={0} mah={240} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
      {JSON.stringify(payload, null, 2)}
    </Code>
  );
  // Of a tool call the request is known where it is kept until it is approved.
  const isRequest =
    kind === 'effect_approval' || (kind === 'tool_approval' && isObject(payload) && 'request' in payload);
  if (!isRequest || !isObject(payload)) return text;
  return (
    <Suspense fallback={text}>
      <EffectRequest client={client} payload={payload} />
    </Suspense>
  );
}

// A label is a text of people: one that is longer than the card breaks into lines.
const WRAPPED = {
  root: { height: 'auto', minHeight: 36, maxWidth: '100%', paddingBlock: 6 },
  label: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
} as const;

interface AnswerButtonsProps {
  readonly actions: readonly { readonly id: string; readonly label: string }[];
  readonly isCallback: boolean;
  /** The action whose answer is under way, null being the answer without one; undefined: none is. */
  readonly pending: string | null | undefined;
  /** The own answer counts, and those of others are missing. */
  readonly hasAnswered: boolean;
  /** @param action null where the question has none */
  readonly onAnswer: (action: string | null) => void;
}

export function AnswerButtons({ actions, isCallback, pending, hasAnswered, onAnswer }: AnswerButtonsProps) {
  if (hasAnswered)
    return (
      <Text role="status" size="sm">
        {runWords.othersMustAnswer}
      </Text>
    );
  const only = { id: null, label: isCallback ? runWords.skipCallback : runWords.answer };
  return (
    <Group gap="xs">
      {(actions.length > 0 ? actions : [only]).map(({ id, label }, index) => (
        <Button
          key={id ?? ''}
          variant={index === 0 ? 'filled' : 'default'}
          styles={WRAPPED}
          loading={pending === id}
          disabled={pending !== undefined}
          onClick={() => onAnswer(id)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
