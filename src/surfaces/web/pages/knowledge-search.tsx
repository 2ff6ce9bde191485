/** Tries a search of a knowledge base: what it finds, and how near that is. */
import { Button, Group, Modal, NumberInput, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { shownName } from '../../../language/graph/values/shown-name.ts';
import type { WorkflowClient } from '../../client/client.ts';
import type { Body, Reply } from '../../client/operations.ts';
import { Failure } from '../kit/page.tsx';
import { knowledgeWords } from '../words-knowledge.ts';
import { words } from '../words.ts';

const TOP_K = { first: 5, max: 50 };

interface SearchFormProps {
  readonly isPending: boolean;
  readonly onSearch: (body: Body<'searchKnowledgeBase'>) => void;
}

function SearchForm({ isPending, onSearch }: SearchFormProps) {
  const [query, setQuery] = useState('');
  const [topK, setTopK] = useState(TOP_K.first);
  const [minScore, setMinScore] = useState(0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch({ query: query.trim(), top_k: topK, min_score: minScore });
      }}
    >
      <Group align="end">
        <TextInput
          data-autofocus
          label={knowledgeWords.query}
          flex={1}
          miw={200}
          maxLength={10_000}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <NumberInput
          label={knowledgeWords.topK}
          w={120}
          min={1}
          max={TOP_K.max}
          clampBehavior="strict"
          allowDecimal={false}
          hideControls
          value={topK}
          onChange={(value) => setTopK(Number(value) || TOP_K.first)}
        />
        <NumberInput
          label={knowledgeWords.minScore}
          w={120}
          min={0}
          max={1}
          clampBehavior="strict"
          hideControls
          value={minScore}
          onChange={(value) => setMinScore(Number(value) || 0)}
        />
        <Button type="submit" loading={isPending} disabled={query.trim() === ''}>
          {words.search}
        </Button>
      </Group>
    </form>
  );
}

type Match = Reply<'searchKnowledgeBase'>['matches'][number];

const MatchCard = ({ match }: { readonly match: Match }) => (
  <Paper withBorder p="sm" component="li">
    <Group justify="space-between">
      <Text fw={600}>
        <bdi>{shownName(match.document_name)}</bdi>
      </Text>
      <Text size="sm">{knowledgeWords.scoreIs(match.score)}</Text>
    </Group>
    <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{match.content}</Text>
  </Paper>
);

interface SearchDialogProps {
  readonly client: WorkflowClient;
  readonly knowledgeId: string;
  readonly onClose: () => void;
}

export function SearchDialog({ client, knowledgeId, onClose }: SearchDialogProps) {
  const search = useMutation({
    mutationFn: (body: Body<'searchKnowledgeBase'>) => client.knowledgeBases.search(knowledgeId, body),
  });
  const matches = search.data?.matches ?? [];
  return (
    <Modal opened onClose={onClose} title={knowledgeWords.trySearch} size="lg">
      <Stack>
        <SearchForm isPending={search.isPending} onSearch={(body) => search.mutate(body)} />
        <Failure error={search.error} />
        {search.isSuccess && matches.length === 0 && <Text role="status">{knowledgeWords.nothingNear}</Text>}
        {matches.length > 0 && (
          <Stack
            component="ol"
            p={0}
            m={0}
            gap="xs"
            aria-label={knowledgeWords.results}
            style={{ listStyle: 'none' }}
          >
            {matches.map((match) => (
              <MatchCard key={match.chunk_id} match={match} />
            ))}
          </Stack>
        )}
      </Stack>
    </Modal>
  );
}
