/** A value of a run: as a tree, as a table or as text, with a search, to copy, and to download where it is large. */
import { Box, Button, CopyButton, Group, Highlight, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import type { Json } from '../../../language/graph/values/value.ts';
import { saveFile } from '../kit/save-file.ts';
import { runWords } from '../words-runs.ts';
import { words } from '../words.ts';
import { searchValue } from './value-search.ts';
import { findRows } from './table-rows.ts';
import { ValueTable } from './value-table.tsx';
import { ValueTree } from './value-tree.tsx';

const LARGE = 1_048_576;
/** Characters that are shown as text. */
const MAX_SHOWN = 100_000;
const SEARCH_FROM = 200;
/** A value of fewer characters is shown whole. */
const SMALL = 2_000;
const TYPING_MS = 200;
const MODES = ['tree', 'table', 'text'] as const;

interface ValueViewProps {
  /** The heading, and the name of the file. */
  readonly name: string;
  readonly value: unknown;
}

export function ValueView({ name, value: given }: ValueViewProps) {
  const value = (given ?? null) as Json;
  const text = useMemo(() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)), [value]);
  const isTree = typeof value === 'object' && value !== null;
  const rows = useMemo(() => findRows(value), [value]);
  const [mode, setMode] = useState<string>('tree');
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useMemo(() => (query === '' ? null : searchValue(value, query)), [value, query]);
  const shown = shortenText(text, MAX_SHOWN);
  return (
    <section aria-label={name}>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={600} mr="auto">
          {name}
        </Text>
        {text.length > SEARCH_FROM && (
          <TextInput
            type="search"
            size="xs"
            w={140}
            aria-label={runWords.searchValue(name)}
            placeholder={words.search}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
        {found !== null && <Text size="xs">{runWords.matches(found.count)}</Text>}
        {isTree && (
          <SegmentedControl
            size="xs"
            aria-label={runWords.showAs(name)}
            data={MODES.filter((which) => which !== 'table' || rows !== null).map((which) => ({
              value: which,
              label: runWords.modes[which],
            }))}
            value={mode}
            onChange={setMode}
          />
        )}
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" size="compact-xs" aria-label={runWords.copyValue(name)} onClick={copy}>
              {copied ? runWords.copied : runWords.copy}
            </Button>
          )}
        </CopyButton>
        {text.length > LARGE && (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={runWords.downloadValue(name)}
            onClick={() => saveFile(`${name}.json`, text)}
          >
            {runWords.download}
          </Button>
        )}
      </Group>
      <Box
        tabIndex={0}
        p="xs"
        mah={420}
        fz="xs"
        ff="monospace"
        bg="var(--mantine-color-default-hover)"
        style={{ overflow: 'auto', borderRadius: 4 }}
      >
        {isTree && mode === 'tree' && (
          <ValueTree value={value} found={found} openTo={text.length < SMALL ? Infinity : 1} />
        )}
        {rows !== null && mode === 'table' && <ValueTable rows={rows} />}
        {(!isTree || mode === 'text') && (
          <Highlight
            highlight={query}
            fz="xs"
            ff="monospace"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {shown}
          </Highlight>
        )}
      </Box>
      {text.length > shown.length && (mode === 'text' || !isTree) && (
        <Text size="xs" c="dimmed">
          {runWords.textIsCut}
        </Text>
      )}
    </section>
  );
}
