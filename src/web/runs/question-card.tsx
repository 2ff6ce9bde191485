/** A question of a run, with its form and its answers. */
import {
  Button,
  Card,
  Checkbox,
  Code,
  Group,
  NumberInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components, Run, WorkflowClient } from '../../client/client.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { moment } from '../kit/moment.ts';
import { Failure } from '../kit/page.tsx';
import { AnswerLinks, type AnswerLink } from './answer-links.tsx';
import { runWords } from '../words-runs.ts';

export type OpenQuestion = components['schemas']['OpenInterrupt'];

interface Field {
  readonly name: string;
  readonly type: string;
  readonly title: string;
}

function readFields(form: JsonObject | null): readonly Field[] {
  const properties = form === null ? null : ownValue(form, 'properties');
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const text = (key: string): string => {
      const value = isObject(schema) ? ownValue(schema, key) : null;
      return typeof value === 'string' ? value : '';
    };
    return { name, type: text('type'), title: text('title') || name };
  });
}

interface FieldProps {
  readonly field: Field;
  readonly onChange: (value: Json) => void;
}

function FieldInput({ field: { type, title }, onChange }: FieldProps) {
  if (type === 'boolean')
    return <Checkbox label={title} onChange={(event) => onChange(event.currentTarget.checked)} />;
  if (type === 'number' || type === 'integer')
    return (
      <NumberInput
        label={title}
        allowDecimal={type === 'number'}
        onChange={(value) => onChange(Number(value))}
      />
    );
  return <TextInput label={title} onChange={(event) => onChange(event.currentTarget.value)} />;
}

interface CardProps {
  readonly client: WorkflowClient;
  readonly runId: string;
  readonly question: Pick<
    OpenQuestion,
    | 'interrupt_id'
    | 'kind'
    | 'required_responses'
    | 'title'
    | 'message'
    | 'payload'
    | 'form'
    | 'actions'
    | 'expires_at'
  > & { readonly links?: readonly AnswerLink[] };
  /** Below the title: who asks, and since when. */
  readonly about?: string;
  /** The run that goes on; null where the answer was refused, for example because somebody was first. */
  readonly onAnswered: (next: Run | null) => void;
}

export function QuestionCard({ client, runId, question, about, onAnswered }: CardProps) {
  const [data, setData] = useState<JsonObject>({});
  const fields = readFields(question.form as JsonObject | null);
  const answer = useMutation({
    mutationFn: (action: string | null) =>
      client.runs.resume(runId, {
        interrupt_id: question.interrupt_id,
        ...(action === null ? {} : { action }),
        ...(fields.length === 0 ? {} : { data }),
      }),
    onSettled: (next) => onAnswered(next ?? null),
  });
  const required = question.required_responses ?? 1;
  const isCallback = question.kind === 'callback';
  const only = { id: null, label: isCallback ? runWords.skipCallback : runWords.answer };
  const actions = question.actions.length > 0 ? question.actions : [only];
  const title = question.title === '' ? runWords.question : question.title;
  const facts = [
    about,
    isCallback ? runWords.awaitsCallback : undefined,
    required > 1 ? runWords.needsAnswers(required) : undefined,
    question.expires_at === null ? undefined : `${runWords.until} ${moment(question.expires_at)}`,
  ];
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {facts.filter((fact) => fact !== undefined).join(' · ')}
          </Text>
        </div>
        {question.message !== '' && <Text style={{ whiteSpace: 'pre-wrap' }}>{question.message}</Text>}
        {question.payload !== null && (
          <Code block tabIndex={0} mah={240} style={{ overflow: 'auto', whiteSpace: 'pre-wrap' }}>
            {JSON.stringify(question.payload, null, 2)}
          </Code>
        )}
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            onChange={(value) => setData((now) => ({ ...now, [field.name]: value }))}
          />
        ))}
        <AnswerLinks links={question.links ?? []} />
        <Failure error={answer.error} />
        <Group gap="xs">
          {actions.map(({ id, label }, index) => (
            <Button
              key={id ?? ''}
              variant={index === 0 ? 'filled' : 'default'}
              loading={answer.isPending && answer.variables === id}
              disabled={answer.isPending}
              onClick={() => answer.mutate(id)}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Stack>
    </Card>
  );
}
