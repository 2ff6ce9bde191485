/** What runs ask people: every open question of the organization, answered here; made for a telephone, too. */
import {
  Button,
  Card,
  Checkbox,
  Code,
  Group,
  NumberInput,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../client/operations.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { moment } from '../kit/moment.ts';
import { Failure, Page, Waiting } from '../kit/page.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/questions');
const LOOK_AGAIN_MS = 5_000;

type Question = Reply<'listInterrupts'>['interrupts'][number];

interface Field {
  readonly name: string;
  readonly type: string;
  readonly title: string;
}

function fieldsOf(form: JsonObject | null): readonly Field[] {
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

function QuestionCard({
  question,
  onAnswered,
}: {
  readonly question: Question;
  readonly onAnswered: () => void;
}) {
  const { client } = route.useRouteContext().place;
  const [data, setData] = useState<JsonObject>({});
  const fields = fieldsOf(question.form as JsonObject | null);
  const answer = useMutation({
    mutationFn: (action: string | null) =>
      client.runs.resume(question.run_id, {
        interrupt_id: question.interrupt_id,
        ...(action === null ? {} : { action }),
        ...(fields.length === 0 ? {} : { data }),
      }),
    // Refused or not: the list tells who was first.
    onSettled: onAnswered,
  });
  const actions = question.actions.length > 0 ? question.actions : [{ id: null, label: words.answer }];
  const title = question.title === '' ? words.question : question.title;
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {question.workflow_name} · {moment(question.created_at)}
            {question.expires_at !== null && ` · ${words.until} ${moment(question.expires_at)}`}
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

export function QuestionsPage() {
  const { client, organizationId } = route.useRouteContext().place;
  const [isMine, setMine] = useState(false);
  const list = useQuery({
    queryKey: [organizationId, 'interrupts', isMine],
    queryFn: () =>
      client.interrupts.list({ status: 'pending', ...(isMine ? { assignee: 'me' } : {}) }).page(),
    refetchInterval: LOOK_AGAIN_MS,
  });
  const questions = list.data?.interrupts ?? [];
  return (
    <Page
      title={words.questions}
      actions={
        <Switch
          label={words.onlyMine}
          checked={isMine}
          onChange={(event) => setMine(event.currentTarget.checked)}
        />
      }
    >
      <Failure error={list.error} />
      {list.isPending && <Waiting />}
      {list.isSuccess && questions.length === 0 && <Text c="dimmed">{words.noQuestions}</Text>}
      {questions.map((question) => (
        <QuestionCard
          key={question.interrupt_id}
          question={question}
          onAnswered={() => void list.refetch()}
        />
      ))}
    </Page>
  );
}
